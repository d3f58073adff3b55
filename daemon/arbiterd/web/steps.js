// A ruling as a short list of what to do at the board, in that order; done is confirmed.

import { html, useState } from "./vendor/htm-preact.js";
import { perform } from "./acting.js";
import { face } from "./clocks.js";
import { Diagram, differences } from "./diagram.js";
import { say } from "./language.js";
import { spaced } from "./overview.js";
import { Preview, moveText, usePreview } from "./preview.js";
import { arbiterName } from "./signing.js";
import { RESULTS, actionWord, resultWord, sideWord, textOf, timeText } from "./words.js";

const TIME_STEP_MS = 30000;

// What the arbiter wants otherwise, as the contract's `changes`; nothing where nothing is changed.
function changesOf(proposal, wanted) {
  const changes = {};
  if (wanted.left.size) changes.actions = proposal.actions.filter((action) => !wanted.left.has(action));
  if (wanted.left.has("restore")) changes.restore = null;
  if (wanted.left.has("add-time")) changes.clock_delta_ms = {};
  else if (wanted.times) changes.clock_delta_ms = wanted.times;
  if (wanted.left.has("declare-result")) changes.result = null;
  else if (wanted.result) changes.result = wanted.result;
  if (wanted.restore) changes.restore = wanted.restore;
  if (wanted.count === false) changes.count = false;
  return Object.keys(changes).length ? changes : null;
}

export function Steps({ hall, ruling, moves }) {
  const { proposal, facts } = ruling;
  const state = hall.tables.get(ruling.table)?.state;
  const [ticked, setTicked] = useState(new Set());
  const [wanted, setWanted] = useState({ left: new Set() });
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const changes = changesOf(proposal, wanted);
  const command = { action: "confirm", ruling: ruling.id, ...(changes && { changes }), ...(reason.trim() && { reason: reason.trim() }) };
  const moment = `${ruling.revision} ${state?.ply} ${state?.fen}`;
  const preview = usePreview(hall, ruling.table, { ...command, by: arbiterName(hall) || "?" }, `${ruling.id} ${JSON.stringify(changes)}`, moment);
  const line = textOf(ruling).line;
  const toggle = (set, action) => {
    const next = new Set(set);
    if (!next.delete(action)) next.add(action);
    return next;
  };
  const send = async (action) => {
    setBusy(true);
    const said = action === "confirm" ? command : { action, ruling: ruling.id, ...(reason.trim() && { reason: reason.trim() }) };
    const text = action === "confirm" ? say("Confirmed: {line}", { line }) : say("Dismissed: {line}", { line });
    const wrong = await perform(hall, ruling.table, said, text, action === "confirm" && arbiterName(hall) ? preview : null);
    if (wrong === "") scrollTo(0, 0); // The list of what to do is gone, and a phone would stand somewhere below it.
    setBusy(false);
  };
  const props = { hall, ruling, state, preview: preview.shown, moves, wanted, setWanted };
  return html`<section class="steps" aria-label=${say("What to do")}>
    <ol>${proposal.actions.map((action, at) => html`<li key=${action} class=${wanted.left.has(action) ? "left-out" : ""}>
      <div class="step">
        <label class="check"><input type="checkbox" checked=${ticked.has(action)} disabled=${wanted.left.has(action)}
          onChange=${() => setTicked(toggle(ticked, action))} /> <b>${at + 1}. ${actionWord(action)}</b></label>
        <button class="quiet" aria-pressed=${wanted.left.has(action)}
          onClick=${() => setWanted({ ...wanted, left: toggle(wanted.left, action) })}>
          ${wanted.left.has(action) ? say("Take in again") : say("Leave out")}</button>
      </div>
      ${!wanted.left.has(action) && BODIES[action] && html`<${BODIES[action]} ...${props} />`}
    </li>`)}</ol>
    ${facts.counts !== undefined && html`<label class="check"><input type="checkbox" checked=${wanted.count !== false}
      onChange=${(event) => setWanted({ ...wanted, count: event.target.checked })} /> ${say("It counts as an illegal move")}</label>`}
    <${Preview} answer=${preview.shown} state=${state} />
    <label>${say("Reason")} <small>${say("(may stay empty)")}</small>
      <input name="reason" maxlength="400" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
    <div class="acts wide">
      <button class="yes" disabled=${busy || !preview.shown || !hall.connected} onClick=${() => send("confirm")}>${changes ? say("Done so – confirm") : say("Done – confirm")}</button>
      <button disabled=${busy || !hall.connected} onClick=${() => send("dismiss")}>${say("Dismiss")}</button>
    </div>
  </section>`;
}

// A FEN is of the position after it.
function numbered(move) {
  return { ...move, number: Number(move.fen.split(" ")[5] ?? move.ply) - (move.color === "black" ? 1 : 0) };
}

const BODIES = { restore: Restore, "add-time": Times, "enforce-move": Enforce, "declare-result": Declare, pause: Stop };

function Stop({ state }) {
  if (state?.clock?.running) return html`<p class="soft">${say("{side}’s clock runs.", { side: sideWord(state.clock.running) })}</p>`;
  return state?.clock && html`<p class="good">✓ ${say("Both clocks stand.")}</p>`;
}

// Whether the service would put nothing back, though the ruling says so: it stood again since, or the game has ended.
function standsAsIs({ ruling, preview, wanted }) {
  return Boolean(ruling.proposal.restore) && !wanted.restore && !wanted.left.has("restore") && preview?.preview?.restore === null;
}

function Restore(props) {
  const { ruling, state, moves, wanted, setWanted } = props;
  const asIs = standsAsIs(props);
  const fen = wanted.restore ?? ruling.proposal.restore ?? ruling.position;
  const heard = state && !["lost", "none"].includes(state.device);
  const wrong = heard ? differences(fen, state.placement) : null;
  const before = moves.slice(-12).filter((move) => move.fen);
  return html`<div class="restore">
    ${asIs && html`<p class="good">✓ ${state?.result ? say("The game has ended: nothing is put back.") : say("It stood again, and play has gone on: nothing is put back.")}</p>`}
    ${!asIs && html`<figure><figcaption>${say("Put this")}</figcaption>
      <${Diagram} fen=${fen} seen=${heard ? state.placement : null} label=${say("The position to put back")} /></figure>
    <figure><figcaption>${say("Stands now")}</figcaption>
      <${Diagram} fen=${heard ? `${state.placement} w - - 0 1` : ruling.placement} label=${say("What the sensors show now")}
        marked=${(wrong ?? []).map(({ name }) => name)} /></figure>`}
    ${!asIs && wrong && (wrong.length
      ? html`<p class="soft">${say("Still different: {squares}", { squares: wrong.slice(0, 8).map(({ name }) => name).join(", ") })}</p>`
      : html`<p class="good">✓ ${say("The board shows it.")}</p>`)}
    ${before.length > 0 && html`<label>${say("Another position")} <select onChange=${(event) => setWanted({ ...wanted, restore: event.target.value || undefined })}>
      <option value="">${asIs ? "–" : say("as proposed")}</option>
      ${before.map((move) => html`<option value=${move.fen} selected=${wanted.restore === move.fen}>${say("after {move}", {
        move: moveText(numbered(move)) })}</option>`)}</select></label>`}
    </div>`;
}

function Times({ ruling, preview, wanted, setWanted }) {
  const deltas = wanted.times ?? ruling.proposal.clock_delta_ms ?? {};
  const said = preview?.preview?.times;
  const change = (side, ms) => setWanted({ ...wanted, times: { ...deltas, [side]: (deltas[side] ?? 0) + ms } });
  return html`<table class="times"><tbody>${["white", "black"].map((side) => html`<tr key=${side}>
    <th scope="row">${sideWord(side)}</th>
    <td>${face(said?.before?.[`${side}_ms`])}</td><td aria-hidden="true">→</td><td><b>${face(said?.after?.[`${side}_ms`])}</b></td>
    <td class="delta"><button aria-label=${say("{side}: 30 s less", { side: sideWord(side) })} onClick=${() => change(side, -TIME_STEP_MS)}>−</button>
      <output>${timeText(deltas[side] ?? 0)}</output>
      <button aria-label=${say("{side}: 30 s more", { side: sideWord(side) })} onClick=${() => change(side, TIME_STEP_MS)}>+</button></td></tr>`)}</tbody></table>`;
}

function Enforce(props) {
  const { ruling, state, moves } = props;
  const { touched = [], obligation = [] } = ruling.facts;
  if (!obligation.length && !touched.length) return null;
  const instead = standsAsIs(props) && !state?.result && moves.find(({ ply, uci }) => ply === ruling.ply && uci);
  return html`<div class="restore">
    ${instead && html`<p>${say("Played in its place: {move}", { move: moveText(numbered(instead)) })}</p>`}
    <figure><figcaption>${say("Moves that are allowed")}</figcaption>
    <${Diagram} fen=${ruling.position} arrows=${obligation} marked=${touched.map(({ square }) => square)}
      label=${say("Moves that are allowed: {moves}", { moves: obligation.map(spaced).join(", ") })} /></figure>
    <p>${obligation.map(spaced).join(", ")}</p></div>`;
}

function Declare({ ruling, wanted, setWanted }) {
  const result = wanted.result ?? ruling.proposal.result ?? "";
  return html`<label>${say("Result")} <select value=${result} onChange=${(event) => setWanted({ ...wanted, result: event.target.value })}>
    ${!ruling.proposal.result && html`<option value="">–</option>`}
    ${Object.keys(RESULTS).map((one) => html`<option value=${one} selected=${one === result}>${resultWord(one)}</option>`)}</select></label>`;
}
