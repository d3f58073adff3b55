// A transparent overlay for a broadcast. It shows whatever its own listener's API tells: behind
// the delay on the public one, live on the arbiter's.

import { html, render, useEffect, useState } from "./vendor/htm-preact.js";
import { Hall } from "./hall.js";
import { Diagram, farSide, nearSide } from "./diagram.js";
import { Player } from "./player.js";

function Overlay({ hall, table }) {
  const [, turn] = useState(0);
  useEffect(() => hall.onChange(() => turn((n) => n + 1)), []);
  const state = hall.tables.get(table)?.state;
  if (!state) return null;
  return html`<div class="overlay">
    ${state.simulated && html`<p class="simulated">Simulated</p>`}
    <${Player} hall=${hall} state=${state} side=${farSide(state.fen)} />
    <${Diagram} small fen=${state.fen} lastMove=${state.last_move} label="Position" />
    <${Player} hall=${hall} state=${state} side=${nearSide(state.fen)} />
    ${state.result && html`<p class="result">${state.result}</p>`}
  </div>`;
}

const table = decodeURIComponent(location.pathname.split("/").at(-1));
render(html`<${Overlay} hall=${new Hall()} table=${table} />`, document.getElementById("overlay"));
