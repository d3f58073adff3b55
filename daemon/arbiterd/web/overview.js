// The hall as boards: a card a table.

import { Component, html } from "./vendor/htm-preact.js";
import { Diagram, farSide, nearSide } from "./diagram.js";
import { say } from "./language.js";
import { Player } from "./player.js";
import { deviceWord, standing, stillWords, tableName, urgencyWord } from "./words.js";

export function Boards({ hall, states, urgencies }) {
  return html`<ul class="cards" aria-label=${say("Tables")}>
    ${states.map((state) => html`<li key=${state.table}>
      <${Card} hall=${hall} state=${state} urgency=${urgencies.get(state.table)} fresh=${hall.fresh} /></li>`)}
  </ul>`;
}

export class Card extends Component {
  shouldComponentUpdate(next) {
    return ["state", "urgency", "fresh"].some((key) => next[key] !== this.props[key]);
  }

  render({ hall, state, urgency }) {
    const fault = !state.standing && deviceWord(state.device);
    const label = say("Position at {table}", { table: tableName(state) });
    return html`<a class="card ${urgency ? `u${urgency}` : ""}" href="#/table/${state.table}">
      <header>
        <strong>${tableName(state)}</strong>
        ${urgency && html`<span class="badge u${urgency}"><i class="sign u${urgency}"></i> ${urgencyWord(urgency)}</span>`}
      </header>
      <${Player} hall=${hall} state=${state} side=${farSide(state.fen)} />
      ${state.standing ? html`<p class="note odd">${stillWords(state)}</p>`
        : html`<${Diagram} small fen=${state.fen} lastMove=${state.last_move} extras=${state.extras}
            seen=${state.device === "ok" ? state.placement : null} label=${label} />`}
      <${Player} hall=${hall} state=${state} side=${nearSide(state.fen)} />
      <footer><span class="last-move">${state.standing ? "" : state.ply
        ? html`<b>${spaced(state.last_move)}</b> · ${say("move {number}", { number: Math.ceil(state.ply / 2) })}` : say("No move yet")}</span>
        ${state.muted && html`<span class="badge">${say("Muted")}</span>`}
        ${fault ? html`<span class="badge fault">${fault}</span>`
                : html`<span class="status ${state.standing ? "stopped" : state.status}">${standing(state)}</span>`}</footer>
    </a>`;
  }
}

// e2e4 as e2–e4, easier on the eye.
export function spaced(wire) {
  return wire?.replace(/^([a-i]\d|\d[a-i])([a-i]\d|\d[a-i])/, "$1–$2") ?? "–";
}
