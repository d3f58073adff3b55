// What waits for an arbiter, the most urgent first.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { age } from "./clocks.js";
import { CERTAINTY, URGENCY, proposed, tableName, textOf } from "./words.js";

const NOTES_SHOWN = 3; // More of them lie behind a line that counts them.

export function Alerts({ hall, chosen, choose, decide }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const [unfolded, unfold] = useState(false);
  const alerts = hall.alerts;
  const notes = alerts.filter(({ urgency }) => urgency > 2);
  const foldable = notes.length > NOTES_SHOWN;
  const all = !foldable || unfolded || notes.some(({ id }) => id === chosen);
  const shown = all ? alerts : alerts.slice(0, alerts.length - notes.length);
  return html`<section class="alerts" aria-label="Alerts">
    <h2>Alerts <span class="count">${alerts.length - notes.length}</span></h2>
    <${Announcer} alerts=${alerts} hall=${hall} />
    ${alerts.length === 0 && html`<p class="empty">${hall.ill || hall.link !== "live"
      ? "What waits for you is not known now."
      : "Nothing waits for you."}</p>`}
    <ol>${shown.map((ruling) => html`<li key=${ruling.id}>
      <${Alert} hall=${hall} ruling=${ruling} chosen=${ruling.id === chosen} choose=${choose} decide=${decide} />
    </li>`)}</ol>
    ${foldable && html`<button class="notes" aria-expanded=${all} onClick=${() => (choose(null), unfold(!all))}>
      ${all ? "Fold" : "Show"} ${notes.length} notes</button>`}
  </section>`;
}

function Alert({ hall, ruling, chosen, choose, decide }) {
  const card = useRef(null);
  useEffect(() => {
    if (chosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const state = hall.tables.get(ruling.table)?.state ?? { table: ruling.table };
  return html`<article ref=${card} class="alert u${ruling.urgency} ${chosen ? "chosen" : ""}"
      aria-current=${chosen ? "true" : undefined} onClick=${() => choose(ruling.id)}>
    <header>
      <span class="badge u${ruling.urgency}">${URGENCY[ruling.urgency]}</span>
      <a href="#/table/${ruling.table}/${ruling.id}">${tableName(state)}</a>
      <span class="age">${age(hall, ruling.at)}</span>
    </header>
    <p class="line">${textOf(ruling).line}</p>
    <p class="basis">Article ${ruling.articles.join(", ")} · ${CERTAINTY[ruling.certainty]}</p>
    <p class="proposal">${proposed(ruling.proposal).join(" · ")}</p>
    ${hall.mayAct && html`<div class="acts">
      <button class="yes" onClick=${() => decide(ruling, "confirm")}>Confirm …</button>
      <button onClick=${() => decide(ruling, "dismiss")}>Dismiss …</button>
    </div>`}
  </article>`;
}

// Tells a screen reader what is new, once; what was there before is read from the list.
function Announcer({ alerts, hall }) {
  const known = useRef(null);
  const fresh = known.current ? alerts.filter(({ id }) => !known.current.has(id)) : [];
  if (hall.link === "live") known.current = new Set(alerts.map(({ id }) => id));
  const [said, say] = useState("");
  useEffect(() => {
    if (!fresh.length) return;
    const [first] = fresh;
    const table = tableName(hall.tables.get(first.table)?.state ?? { table: first.table });
    say(`${URGENCY[first.urgency]}: ${table}. ${textOf(first).line}`);
  });
  return html`<p class="unseen" role="status" aria-live="assertive">${said}</p>`;
}
