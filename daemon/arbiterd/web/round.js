// Before a round: does every board stand as it should. After it: which results are missing.

import { html } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { differences } from "./diagram.js";
import { say, translated } from "./language.js";
import { RoundActs } from "./roundacts.js";
import { statesOf } from "./tables.js";
import { deviceWord, standing, tableName } from "./words.js";

// What is not as it should be at a table that waits to begin.
function unready(state) {
  const found = [];
  if (deviceWord(state.device)) found.push(deviceWord(state.device));
  else if (state.status === "waiting") {
    const wrong = differences(state.fen, state.placement);
    if (wrong.length) found.push(say("not set up: {squares}", { squares: wrong.slice(0, 4).map(({ name }) => name).join(", ") }));
  }
  if (state.status === "waiting" && state.clock?.running) found.push(say("the clock runs"));
  if (state.status === "waiting" && !state.clock) found.push(say("no clock is heard"));
  return found;
}

export function Round({ hall }) {
  const states = statesOf(hall);
  const waiting = states.filter(({ status }) => status === "waiting");
  const problems = states.map((state) => [state, unready(state)]).filter(([, found]) => found.length);
  const open = states.filter(({ result, status }) => !result && status !== "waiting");
  const times = new Map();
  for (const { clock, table } of waiting) {
    const shown = clock ? `${face(clock.white_ms)} · ${face(clock.black_ms)}` : "–";
    times.set(shown, [...(times.get(shown) ?? []), table]);
  }
  return html`<div id="main" tabindex="-1" class="view list"><h1>${say("Round")}</h1>
    ${hall.status?.notes?.map((note) => html`<p class="note odd" key=${note}>${translated(note)}</p>`)}
    <h2>${say("Before the round")} <small>${say("{count} waiting", { count: waiting.length })}</small></h2>
    ${problems.length === 0
      ? html`<p class="note good">✓ ${say("Every board is heard and stands as it should.")}</p>`
      : html`<ul class="findings">${problems.map(([state, found]) => html`<li key=${state.table}><span class="sign u2" aria-hidden="true"></span>
          <a href="#/table/${state.table}">${tableName(state)}</a> ${found.join(" · ")}</li>`)}</ul>`}
    ${times.size > 0 && html`<h2>${say("Clocks show")}</h2><table><tbody>${[...times].sort((a, b) => b[1].length - a[1].length).map(([shown, tables]) => html`<tr>
      <td>${shown}</td><td>${tables.length > 12 ? say("{count} tables", { count: tables.length }) : tables.join(", ")}</td></tr>`)}</tbody></table>`}
    <h2>${say("Results that are missing")} <small>${open.length}</small></h2>
    ${open.length === 0 ? html`<p class="note good">✓ ${say("No game is open.")}</p>`
      : html`<ul class="findings">${open.map((state) => html`<li key=${state.table}><a href="#/table/${state.table}">${tableName(state)}</a>
          ${" "}<bdi>${state.white}</bdi> – <bdi>${state.black}</bdi> · ${standing(state)}</li>`)}</ul>`}
    <${RoundActs} hall=${hall} round=${Math.max(0, ...states.map(({ round }) => round ?? 0))} /></div>`;
}
