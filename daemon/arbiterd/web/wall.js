// For a screen on the wall of the arbiters' room: boards that take turns, nothing to touch.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { Card } from "./overview.js";
import { statesOf, urgenciesOf } from "./tables.js";

const TURN_MS = 12000;

export function Wall({ hall, each = 8 }) {
  const [page, setPage] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPage((n) => n + 1), TURN_MS);
    return () => clearInterval(timer);
  }, []);
  const states = statesOf(hall);
  const urgencies = urgenciesOf(hall.alerts);
  const pages = Math.max(1, Math.ceil(states.length / each));
  const at = page % pages;
  return html`<main class="wall" id="main"><h1 class="unseen">${say("Tables")}</h1>
    <ul class="cards">${states.slice(at * each, at * each + each).map((state) => html`<li key=${state.table}>
      <${Card} hall=${hall} state=${state} urgency=${urgencies.get(state.table)} fresh=${hall.fresh} /></li>`)}</ul>
    <p class="soft">${at + 1} / ${pages} <a href="#/">${say("Back to the hall")}</a></p></main>`;
}
