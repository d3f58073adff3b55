// The hall: the same tables as tiles, as boards or where they stand; all of them or some.

import { html, useState } from "./vendor/htm-preact.js";
import { performAt } from "./acting.js";
import { inTimeTrouble } from "./clocks.js";
import { say, word } from "./language.js";
import { Boards } from "./overview.js";
import { Plan } from "./plan.js";
import { keep, kept, mine } from "./settings.js";
import { Tiles } from "./tiles.js";
import { useTicking } from "./ticking.js";

const VIEWS = { tiles: [word("Tiles"), Tiles], boards: [word("Boards"), Boards], plan: [word("Plan"), Plan] };
const BOARDS_MAX = 12; // As boards, unless another view was chosen.
const ON_A_PHONE_MAX = 2;

export const inOrder = (a, b) => a.table.localeCompare(b.table, undefined, { numeric: true });

export function urgenciesOf(alerts) {
  const urgencies = new Map();
  for (const { table, urgency } of alerts) urgencies.set(table, Math.min(urgency, urgencies.get(table) ?? 9));
  return urgencies;
}

export function statesOf(hall) {
  return [...hall.tables.values()].map(({ state }) => state).filter(Boolean).sort(inOrder);
}

// "A12" is in section A; tables that are numbers alone have no section.
const sectionOf = ({ table }) => table.match(/^([A-Za-z]+)/)?.[1] ?? "";

function filters(states, urgencies, now) {
  const own = mine();
  const sections = [...new Set(states.map(sectionOf))].filter(Boolean);
  return [
    ["all", say("All"), () => true],
    ...(own ? [["mine", say("Mine"), ({ table }) => own(table)]] : []),
    ...(sections.length > 1 ? sections.map((name) => [`section ${name}`, name, (state) => sectionOf(state) === name]) : []),
    ["alerts", say("Alerts"), ({ table }) => urgencies.has(table)],
    ["time", say("Time trouble"), (state) => inTimeTrouble(state, now)],
    ["lost", say("Boards lost"), ({ device }) => device === "lost" || device === "degraded"],
  ];
}

export function Tables({ hall }) {
  const [view, setView] = useState(kept("view"));
  const [chosen, setChosen] = useState("all");
  const [first, setFirst] = useState(false);
  useTicking(() => Math.floor(hall.now() / 5000), 5000); // Time trouble comes without a message.
  const states = statesOf(hall);
  const urgencies = urgenciesOf(hall.alerts);
  const choices = filters(states, urgencies, hall.known());
  const [, , belongs] = choices.find(([name]) => name === chosen) ?? choices[0];
  const shown = states.filter(belongs);
  if (first) shown.sort((a, b) => (urgencies.get(a.table) ?? 9) - (urgencies.get(b.table) ?? 9));
  const name = VIEWS[view] ? view : states.length > (matchMedia("(max-width: 499px)").matches ? ON_A_PHONE_MAX : BOARDS_MAX) ? "tiles" : "boards";
  const [, View] = VIEWS[name];
  const choose = (next) => {
    setView(next);
    keep("view", next);
  };
  return html`<div id="main" tabindex="-1" class="view hall-view">
    <div class="over">
      <div class="choice" role="group" aria-label=${say("View")}>${Object.entries(VIEWS).map(([key, [text]]) => html`
        <button key=${key} aria-pressed=${key === name} onClick=${() => choose(key)}>${say(text)}</button>`)}</div>
      ${shown.length > 1 && html`<${Several} hall=${hall} states=${shown} />`}
      <div class="choice filters" role="group" aria-label=${say("Which tables")}>${choices.map(([key, text, has]) => {
        const count = key === "all" ? states.length : states.filter(has).length;
        return html`<button key=${key} aria-pressed=${key === chosen} onClick=${() => setChosen(key)}>${text} <small>${count}</small></button>`;
      })}<button class="quiet" aria-pressed=${first} onClick=${() => setFirst(!first)}>${say("Alerts first")}</button></div>
    </div>
    ${states.length === 0 && html`<p class="empty">${say("No tables yet. Boards appear here as soon as they are plugged in.")}</p>`}
    ${states.length > 0 && shown.length === 0 && html`<p class="empty">${say("No table is in this group now.")}</p>`}
    ${shown.length > 0 && html`<${View} hall=${hall} states=${shown} urgencies=${urgencies} />`}
  </div>`;
}

// A fire alarm: one act at all the tables that are shown. It takes two taps.
function Several({ hall, states }) {
  const [armed, arm] = useState(null);
  const names = states.map(({ table }) => table);
  const acts = { pause: word("Pause {count} tables"), resume: word("Resume {count} tables") };
  if (armed) {
    const text = say(acts[armed], { count: names.length });
    return html`<span class="several"><button class="no" onClick=${() => (arm(null), performAt(hall, names, { action: armed }, text))}>${text}</button>
      <button onClick=${() => arm(null)}>${say("Cancel")}</button></span>`;
  }
  return html`<span class="several">${hall.may("pause") && html`<button class="quiet" onClick=${() => arm("pause")}>${say("Pause …")}</button>`}
    ${hall.may("resume") && html`<button class="quiet" onClick=${() => arm("resume")}>${say("Resume …")}</button>`}</span>`;
}
