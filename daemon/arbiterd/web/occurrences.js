// The positions that a claim of repetition rests on, side by side.

import { html } from "./vendor/htm-preact.js";
import { Diagram } from "./diagram.js";
import { say } from "./language.js";

export function Occurrences({ ruling, moves }) {
  const { plies, occurrences } = ruling.facts;
  if (!Array.isArray(plies) || occurrences === undefined) return null;
  const shown = plies.map((ply) => [ply, ply === 0 ? null : moves.find((move) => move.ply === ply)]);
  const when = (ply) => (ply === 0 ? say("At the start") : say("After half-move {ply}", { ply }));
  return html`<h4>${say("It stood on the board {count} times", { count: occurrences })}</h4>
    <ul class="occurrences">${shown.map(([ply, move]) => html`<li key=${ply}>
      <${Diagram} small fen=${move?.fen ?? ruling.position} lastMove=${move?.uci} label=${when(ply)} />
      <small>${when(ply)}</small></li>`)}</ul>`;
}
