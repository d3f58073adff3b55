// A player at the board: colour, name, clock.

import { html } from "./vendor/htm-preact.js";
import { Clock } from "./clocks.js";

export function Player({ hall, state, side }) {
  const turn = state.turn === side && state.status === "playing";
  return html`<div class="player ${turn ? "turn" : ""}">
    <span class="colour ${side}" aria-label=${side}></span>
    <span class="name">${state[side] || (side === "white" ? "White" : "Black")}</span>
    <${Clock} hall=${hall} state=${state} side=${side} />
  </div>`;
}
