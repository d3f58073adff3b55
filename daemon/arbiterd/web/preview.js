// What an act would do, asked of the service before it is done.

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { language, say } from "./language.js";
import { written } from "./notation.js";
import { resultWord, sideWord } from "./words.js";

// What `command` would do. Another `what` is another act: nothing is shown until its answer is there.
// With another `moment` the table has changed: it is asked anew, and what is shown stays until then,
// so that no tap falls between two answers. `shown`: the answer, null: not known yet. `now()`: the
// answer as of now, once it is there; null where nobody waits for it any more.
export function usePreview(hall, table, command, what, moment) {
  const [answer, setAnswer] = useState({});
  const newest = useRef(null);
  useLayoutEffect(() => {
    let drop;
    const asked = new Promise((resolve) => {
      const soon = setTimeout(async () => {
        const unknown = !hall.connected && { ok: false, error: say("No connection: what it would do is not known now.") };
        const said = command && (unknown || (await hall.command(table, { ...command, preview: true })));
        if (newest.current === asked) setAnswer({ what, said });
        resolve(said);
      }, 50);
      drop = () => (clearTimeout(soon), resolve(null));
    });
    newest.current = asked;
    return drop;
  }, [what, moment, hall.connected]);
  const now = async () => {
    for (;;) {
      const asked = newest.current;
      const said = await asked;
      if (asked === newest.current) return said;
    }
  };
  return { shown: answer.what === what ? answer.said : null, now };
}

// Whether two answers tell an arbiter the same. Clocks that run show other times each second.
export function sameAnswer(one, other) {
  return JSON.stringify(told(one)) === JSON.stringify(told(other)) && sameTimes(one.preview?.times, other.preview?.times);
}

function told({ ok, error, preview }) {
  if (!preview) return { ok, error };
  const { withdrawn, entered, rulings_opened, result, game } = preview;
  return {
    ok,
    game,
    moves: [withdrawn, entered].map((moves) => moves.map(moveText)),
    rulings: [rulings_opened, superseded(preview)].map((rulings) => rulings.map(lineOf)),
    result,
  };
}

// A time is set, or so much is added to it: one of both is as it was.
function sameTimes(one, other) {
  const changes = timesChange(one);
  if (!changes || !timesChange(other)) return changes === timesChange(other);
  const near = (a, b) => Math.abs(a - b) <= TICK_MS;
  return ["white_ms", "black_ms"].every((key) => near(one.after[key], other.after[key])
    || near(one.after[key] - one.before[key], other.after[key] - other.before[key]));
}

// 23.Rd1, 23…Qe2
export function moveText({ number, color, san, uci }) {
  return `${number}${color === "black" ? "…" : "."}${written(san) ?? uci ?? "?"}`;
}

export function withdrawnText(moves) {
  const ends = [moves[0], ...(moves.length > 1 ? [moves.at(-1)] : [])].map(moveText);
  const which = ends.join(moves.length > 2 ? " … " : ", ");
  return moves.length === 1
    ? say("1 half-move: {which}", { which })
    : say("{count} half-moves: {which}", { count: moves.length, which });
}

// `state`: of the table now; of a result that stands nothing is told as long as it stays.
export function Preview({ answer, state = null }) {
  if (!answer) return html`<p class="preview" role="status">${say("What it would do is being asked …")}</p>`;
  if (!answer.ok) return html`<p class="preview refused" role="status">${answer.error}</p>`;
  const said = answer.preview;
  if (!said) return null; // A service that does not know previews.
  const another = state !== null && said.game !== state.game;
  const leaves = another && state.ply > 0 && !state.result;
  const closes = another ? said.rulings_closed : superseded(said); // Of a game that is left nothing stays open.
  return html`<div class="preview" role="status">
    ${said.withdrawn.length > 0
      ? html`<p class="withdraws">${say("Withdraws {moves}", { moves: withdrawnText(said.withdrawn) })}</p>`
      : leaves ? html`<p class="withdraws">${say("The game that is played is left without a result; half-moves in it: {count}", { count: state.ply })}</p>`
      : html`<p>${say("No half-move is withdrawn.")}</p>`}
    ${said.entered.length > 0 && html`<p>${say("Then stands:")} <b>${said.entered.map(moveText).join(" ")}</b></p>`}
    ${timesChange(said.times) && html`<p class="times">${["white", "black"].map((side) => html`<span>${sideWord(side)}${" "}
      <b>${face(said.times.before?.[`${side}_ms`])}</b> → <b>${face(said.times.after?.[`${side}_ms`])}</b></span>`)}</p>`}
    ${said.rulings_opened.length > 0 && html`<p>${say("Leads to:")} ${said.rulings_opened.map(lineOf).join(" · ")}</p>`}
    ${closes.length > 0 && html`<p>${say("Closes with it:")} ${closes.map(lineOf).join(" · ")}</p>`}
    ${said.result && said.result !== state?.result && html`<p>${say("The result would be {result}.", { result: resultWord(said.result) })}</p>`}
  </div>`;
}

const lineOf = (ruling) => ruling.line[language()] ?? ruling.line.en;
const superseded = (said) => said.rulings_closed.filter(({ state }) => state === "superseded");

// A running clock ticks between the two; what counts is what the act changes.
const TICK_MS = 1500;

function timesChange(times) {
  if (!times?.before || !times?.after) return false;
  return ["white_ms", "black_ms"].some((key) => Math.abs((times.before[key] ?? 0) - (times.after[key] ?? 0)) > TICK_MS);
}
