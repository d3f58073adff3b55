// What happened at a table, in order: moves, rulings and what became of them, results.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { written } from "./notation.js";
import { clockTime, closedWord, textOf, urgencyWord } from "./words.js";

const SHOWN = 200;
const AGAIN_MS = 2000;

export function History({ hall, table, seq }) {
  const [open, setOpen] = useState(false);
  const [events, setEvents] = useState(null);
  useEffect(() => {
    if (!open) return undefined;
    let wanted = true; // Answers may overtake each other, and none is no history.
    const ask = () => hall.timeline(table).then((all) => wanted && setEvents(all), () => wanted && setTimeout(() => wanted && ask(), AGAIN_MS));
    ask();
    return () => (wanted = false);
  }, [open, seq]);
  return html`<details class="history" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${say("History of the table")}</summary>
    ${events && html`<ol class="scrolls" tabindex="0">${events.slice(-SHOWN).reverse().map(({ topic, payload }) => html`<li key=${payload.seq}>
      <time>${clockTime(payload.at)}</time> <span>${told(topic.split("/").at(-1), payload)}</span></li>`)}</ol>`}
    ${events?.length === 0 && html`<p class="empty">${say("Nothing yet.")}</p>`}
  </details>`;
}

export function told(kind, payload) {
  if (kind === "moves") {
    const what = written(payload.san) ?? payload.uci ?? (payload.irregular ? "–" : say("withdrawn"));
    const number = say("half-move {ply}", { ply: payload.ply });
    return payload.replaces ? `${number}: ${what} (${say("corrected")})` : `${number}: ${what}`;
  }
  if (kind === "rulings") {
    const state = payload.state === "open" ? urgencyWord(payload.urgency) : closedWord(payload.state);
    const by = payload.ack ? ` · ${payload.ack.by}${payload.ack.reason ? `: ${payload.ack.reason}` : ""}` : "";
    return html`<b>${state}</b> ${textOf(payload).line}${by}`;
  }
  return html`<b>${say("Result")}</b> ${payload.result ?? say("open again")} ${payload.reason}`;
}
