// What an act would do, asked of the service before it is done.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { language, say } from "./language.js";
import { resultWord, sideWord } from "./words.js";

// The answer to `command` as a preview, asked anew whenever `key` is another. Null: not known yet.
export function usePreview(hall, table, command, key) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    let wanted = true;
    setAnswer(null);
    const asked = setTimeout(() => {
      if (!command) return;
      hall.command(table, { ...command, preview: true }).then((said) => wanted && setAnswer(said));
    }, 50);
    return () => {
      wanted = false;
      clearTimeout(asked);
    };
  }, [key, hall.connected]);
  return answer;
}

// 23.Rd1, 23…Qe2
export function moveText({ number, color, san, uci }) {
  return `${number}${color === "black" ? "…" : "."}${san ?? uci ?? "?"}`;
}

export function withdrawnText(moves) {
  const ends = [moves[0], ...(moves.length > 1 ? [moves.at(-1)] : [])].map(moveText);
  const which = ends.join(moves.length > 2 ? " … " : ", ");
  return moves.length === 1
    ? say("1 half-move: {which}", { which })
    : say("{count} half-moves: {which}", { count: moves.length, which });
}

export function Preview({ answer }) {
  if (!answer) return html`<p class="preview" role="status">${say("What it would do is being asked …")}</p>`;
  if (!answer.ok) return html`<p class="preview refused" role="status">${answer.error}</p>`;
  const said = answer.preview;
  if (!said) return null; // A service that does not know previews.
  const line = (ruling) => ruling.line[language()] ?? ruling.line.en;
  const closes = said.rulings_closed.filter(({ state }) => state === "superseded");
  return html`<div class="preview" role="status">
    ${said.withdrawn.length > 0
      ? html`<p class="withdraws">${say("Withdraws {moves}", { moves: withdrawnText(said.withdrawn) })}</p>`
      : html`<p>${say("No half-move is withdrawn.")}</p>`}
    ${said.entered.length > 0 && html`<p>${say("Then stands:")} <b>${said.entered.map(moveText).join(" ")}</b></p>`}
    ${timesChange(said.times) && html`<p class="times">${["white", "black"].map((side) => html`<span>${sideWord(side)}${" "}
      <b>${face(said.times.before?.[`${side}_ms`])}</b> → <b>${face(said.times.after?.[`${side}_ms`])}</b></span>`)}</p>`}
    ${said.rulings_opened.length > 0 && html`<p>${say("Leads to:")} ${said.rulings_opened.map(line).join(" ")}</p>`}
    ${closes.length > 0 && html`<p>${say("Closes with it:")} ${closes.map(line).join(" ")}</p>`}
    ${said.result && html`<p>${say("The result would be {result}.", { result: resultWord(said.result) })}</p>`}
  </div>`;
}

// A running clock ticks between the two; what counts is what the act changes.
const TICK_MS = 1500;

export function timesChange(times) {
  if (!times?.before || !times?.after) return false;
  return ["white_ms", "black_ms"].some((key) => Math.abs((times.before[key] ?? 0) - (times.after[key] ?? 0)) > TICK_MS);
}
