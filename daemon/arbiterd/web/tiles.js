// The hall as tiles: number, clocks, state; sixty-four of them on a tablet.

import { Component, html } from "./vendor/htm-preact.js";
import { Clock } from "./clocks.js";
import { farSide, nearSide } from "./diagram.js";
import { deviceWord, sideWord, standing, tableName, urgencyWord } from "./words.js";

export function Tiles({ hall, states, urgencies }) {
  return html`<ul class="tiles ${states.length > 80 ? "many" : ""}">${states.map((state) => html`<li key=${state.table}>
    <${Tile} hall=${hall} state=${state} urgency=${urgencies.get(state.table)} fresh=${hall.fresh} /></li>`)}</ul>`;
}

// What a tile is drawn in, the gravest first.
function condition(state, urgency) {
  if (urgency && urgency < 3) return `u${urgency}`;
  if (state.standing) return "still";
  if (state.device === "lost") return "lost";
  if (state.result || state.status === "ended") return "ended";
  return state.status;
}

export class Tile extends Component {
  shouldComponentUpdate(next) {
    return ["state", "urgency", "fresh"].some((key) => next[key] !== this.props[key]);
  }

  render({ hall, state, urgency, href = `#/table/${state.table}` }) {
    const name = state.label || state.table;
    const fault = deviceWord(state.device);
    const sides = [farSide(state.fen), nearSide(state.fen)];
    const said = [tableName(state), urgency && urgencyWord(urgency), standing(state), fault].filter(Boolean).join(", ");
    return html`<a class="tile ${condition(state, urgency)}" href=${href} aria-label=${said}
        title=${`${said}. ${state.white} – ${state.black}`}>
      <b class="number">${name}</b>
      ${urgency ? html`<span class="sign u${urgency}"></span>`
        : fault ? html`<span class="sign ${state.device}"></span>`
        : state.status === "paused" ? html`<span class="sign paused"></span>`
        : state.muted ? html`<span class="sign muted"></span>` : ""}
      ${state.standing || state.result || state.status === "waiting"
        ? html`<span class="rest">${standing(state)}</span>`
        : sides.map((side) => html`<span class="half-clock ${state.turn === side ? "turn" : ""}">
            <i class="colour ${side}" title=${sideWord(side)}></i><${Clock} hall=${hall} state=${state} side=${side} /></span>`)}
    </a>`;
  }
}
