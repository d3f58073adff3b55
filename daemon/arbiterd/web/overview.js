// The hall at a glance: a card a table.

import { html } from "./vendor/htm-preact.js";
import { Diagram, farSide, nearSide } from "./diagram.js";
import { Player } from "./player.js";
import { DEVICE, URGENCY, standing, tableName } from "./words.js";

const wanting = (state, urgency) => [state.attention ? 0 : 1, urgency ?? 9];

export function Overview({ hall, wantedFirst }) {
  const urgencies = new Map();
  for (const { table, urgency } of hall.alerts) {
    urgencies.set(table, Math.min(urgency, urgencies.get(table) ?? 9));
  }
  const cards = [...hall.tables.values()].filter(({ state }) => state);
  cards.sort((a, b) => {
    const order = a.state.table.localeCompare(b.state.table, undefined, { numeric: true });
    if (!wantedFirst) return order;
    const [first, second] = [a, b].map(({ state }) => wanting(state, urgencies.get(state.table)));
    return first[0] - second[0] || first[1] - second[1] || order;
  });
  if (!cards.length) {
    return html`<p class="empty">No tables yet. Boards appear here as soon as they are plugged in.</p>`;
  }
  return html`<ul class="cards" aria-label="Tables">
    ${cards.map(({ state }) => html`<li key=${state.table}>
      <${Card} hall=${hall} state=${state} urgency=${urgencies.get(state.table)} /></li>`)}
  </ul>`;
}

function Card({ hall, state, urgency }) {
  const fault = DEVICE[state.device];
  return html`<a class="card ${urgency ? `u${urgency}` : ""}" href="#/table/${state.table}">
    <header>
      <strong>${tableName(state)}</strong>
      ${urgency && html`<span class="badge u${urgency}">${URGENCY[urgency]}</span>`}
    </header>
    <${Player} hall=${hall} state=${state} side=${farSide(state.fen)} />
    <${Diagram} small fen=${state.fen} lastMove=${state.last_move} extras=${state.extras}
      seen=${state.device === "ok" ? state.placement : null} label="Position at ${tableName(state)}" />
    <${Player} hall=${hall} state=${state} side=${nearSide(state.fen)} />
    <footer><span class="last-move">${state.ply
      ? html`<b>${spaced(state.last_move)}</b> · move ${Math.ceil(state.ply / 2)}` : "No move yet"}</span>
      ${state.muted && html`<span class="badge">Muted</span>`}
      ${fault ? html`<span class="badge fault">${fault}</span>`
              : html`<span class="status ${state.status}">${standing(state)}</span>`}</footer>
  </a>`;
}

// e2e4 as e2–e4, easier on the eye.
export function spaced(wire) {
  return wire?.replace(/^([a-i]\d|\d[a-i])([a-i]\d|\d[a-i])/, "$1–$2") ?? "–";
}
