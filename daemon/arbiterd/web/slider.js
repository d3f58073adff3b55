// The last moments as the sensors told them: squares and clock, step by step.

import { html, useMemo, useState } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { Diagram, readField, squareName } from "./diagram.js";
import { say } from "./language.js";
import { sensorTime } from "./words.js";

// A FEN board field of pieces in reading order.
export function fieldOf(pieces, files) {
  const rows = [];
  for (let at = 0; at < pieces.length; at += files) {
    let row = "";
    let empty = 0;
    for (const piece of pieces.slice(at, at + files)) {
      if (!piece) empty += 1;
      else {
        row += (empty || "") + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

// [{at, field, clock, changed}] for each input that told squares or times. A board may lie the other
// way round: it is read as the placement at the end has it.
export function frames(ruling, inputs) {
  const { files } = readField(ruling.position);
  const ways = [false, true].map((turned) => played(ruling, inputs, files, turned));
  const unlike = (all) => {
    const shown = readField(ruling.placement).pieces;
    return readField(all.at(-1)?.field ?? ruling.placement).pieces.filter((piece, at) => piece !== shown[at]).length;
  };
  return unlike(ways[0]) <= unlike(ways[1]) ? ways[0] : ways[1];
}

function played(ruling, inputs, files, turned) {
  const board = readField(ruling.position);
  let pieces = [...board.pieces];
  let clock = null;
  const all = [];
  const place = (square) => (turned ? pieces.length - 1 - square : square);
  const bare = (piece) => (piece === "." ? "" : piece);
  for (const { at, kind, said } of inputs) {
    let changed = [];
    if (kind === "Scan" && said.placement?.length === pieces.length) {
      const shown = said.placement.map(bare);
      pieces = turned ? shown.reverse() : shown;
    } else if (kind === "SquareChange" && said.piece !== undefined) {
      pieces = [...pieces];
      pieces[place(said.square)] = bare(said.piece);
      changed = [squareName(board, place(said.square))];
    } else if (kind === "ClockReading") clock = said;
    else continue;
    all.push({ at, field: fieldOf(pieces, files), clock, changed });
  }
  return all;
}

export function Slider({ ruling, inputs }) {
  const all = useMemo(() => frames(ruling, inputs), [ruling, inputs]);
  const [at, setAt] = useState(null);
  if (all.length < 2) return null;
  const now = Math.min(at ?? all.length - 1, all.length - 1);
  const frame = all[now];
  return html`<section class="slider" aria-label=${say("What the sensors told")}>
    <h4>${say("What the sensors told")}</h4>
    <${Diagram} fen=${`${frame.field} w - - 0 1`} marked=${frame.changed} label=${say("As the sensors told it")} />
    <div class="scrub"><button aria-label=${say("one back")} disabled=${now === 0} onClick=${() => setAt(now - 1)}>‹</button>
      <input type="range" min="0" max=${all.length - 1} value=${now} aria-label=${say("Moment")}
        aria-valuetext=${sensorTime(frame.at)} onInput=${(event) => setAt(Number(event.target.value))} />
      <button aria-label=${say("one on")} disabled=${now === all.length - 1} onClick=${() => setAt(now + 1)}>›</button></div>
    <p class="soft"><time>${sensorTime(frame.at)}</time>
      ${frame.clock && html` · ${say("left clock {left}, right clock {right}", { left: face(frame.clock.left_ms), right: face(frame.clock.right_ms) })}`}</p>
  </section>`;
}
