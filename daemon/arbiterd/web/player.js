// A player at the board: colour, name, clock.

import { html } from "./vendor/htm-preact.js";
import { Clock } from "./clocks.js";
import { sideWord } from "./words.js";

export function Player({ hall, state, side }) {
  const turn = state.turn === side && state.status === "playing";
  return html`<div class="player ${turn ? "turn" : ""}">
    <span class="colour ${side}" role="img" aria-label=${sideWord(side)}></span>
    <span class="name" dir="auto" title=${state[side]}>${state[side] || sideWord(side)}</span>
    <${Clock} hall=${hall} state=${state} side=${side} />
  </div>`;
}
