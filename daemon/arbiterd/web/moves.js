// The record of a game; a half-move chosen shows its position.

import { html, useEffect, useRef } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { say } from "./language.js";
import { written } from "./notation.js";
import { howWord } from "./words.js";

export function Moves({ moves, ply, setPly }) {
  const list = useRef(null);
  useEffect(() => {
    if (ply === null && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [moves.length, ply]);
  const onKeyDown = (event) => {
    const last = moves.at(-1)?.ply ?? 0;
    const now = ply ?? last;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 1, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPly(to >= last ? null : Math.max(moves[0]?.ply ?? 1, to));
  };
  // Whose half-move it is says its colour: one side may have two in a row where no move was legal.
  const rows = [];
  for (const move of moves) {
    const row = rows.at(-1);
    if (row?.length === 1 && row[0].color !== move.color) row.push(move);
    else rows.push([move]);
  }
  return html`<section class="moves" aria-label=${say("Moves")}>
    <h2>${say("Moves")}</h2>
    ${!moves.length && html`<p class="empty">${say("No move yet.")}</p>`}
    ${moves.length > 0 && html`<ol ref=${list} tabindex="0" onKeyDown=${onKeyDown} aria-label=${say("Moves; arrow keys step through them")}>
      ${rows.map((two, at) => html`<li key=${at}>
        <span class="number">${at + 1}.</span>
        ${two[0].color !== rows[0][0].color && html`<span class="half">…</span>`}
        ${two.map((move) => html`<${Half} move=${move} chosen=${move.ply === ply} setPly=${setPly} />`)}
      </li>`)}
    </ol>`}</section>`;
}

function Half({ move, chosen, setPly }) {
  const doubt = move.certainty === "likely";
  const title = [
    move.irregular && (move.uci ? say("no legal move, seen as {move}; play went on from there", { move: move.uci })
      : say("no legal move; play went on from there")),
    howWord(move.how),
    doubt && say("likely ({percent} %); it may have been {others}", {
      percent: Math.round(100 * (move.probability ?? 0)),
      others: move.alternatives.join(", ") || say("another move"),
    }),
  ].filter(Boolean).join(". ");
  const side = move.color === "white" ? "white_ms" : "black_ms";
  return html`<button class="half ${chosen ? "chosen" : ""} ${doubt ? "doubt" : ""} ${move.how} ${move.irregular ? "irregular" : ""}"
      title=${title} aria-pressed=${chosen} onClick=${() => setPly(move.ply)}>
    ${move.irregular ? move.uci ?? "–" : written(move.san)}${move.irregular && html`<abbr title=${say("no legal move")}>✗</abbr>`}${doubt && html`<abbr title=${say("likely")}>?</abbr>`}
    ${move.clock && move.clock[side] !== null && html`<time>${face(move.clock[side])}</time>`}</button>`;
}
