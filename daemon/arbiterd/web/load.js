// How many alarms an hour of play brings, counted as EEMUA 191 counts them for an operator.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { say, word } from "./language.js";

const HOUR_MS = 3600000;
const TEN_MS = 600000;
const STANDING_MS = 600000;
// EEMUA 191, average alarms per operator in ten minutes of steady work.
const BANDS = [[1, word("very likely acceptable")], [2, word("manageable")], [5, word("likely over-demanding")], [Infinity, word("very likely unacceptable")]];

// `rulings`: all events of rulings of the last hour. Pure.
export function counted(rulings, now) {
  const first = new Map();
  const last = new Map();
  for (const ruling of rulings) {
    if (!first.has(ruling.id)) first.set(ruling.id, ruling);
    last.set(ruling.id, ruling);
  }
  const lately = [...first.values()].filter(({ at, urgency }) => urgency < 3 && Date.parse(at) > now - HOUR_MS);
  const tens = Array(6).fill(0);
  for (const { at } of lately) tens[Math.min(5, Math.max(0, Math.floor((now - Date.parse(at)) / TEN_MS)))] += 1;
  const people = new Map();
  for (const { ack } of last.values()) if (ack) people.set(ack.by, (people.get(ack.by) ?? 0) + 1);
  const standing = [...last.values()].filter(({ state, urgency, id }) => state === "open" && urgency < 3
    && now - Date.parse(first.get(id).at) > STANDING_MS);
  const seen = new Map();
  let repeated = 0;
  for (const { table, kind, at } of lately) {
    const before = seen.get(`${table} ${kind}`);
    if (before && Math.abs(Date.parse(at) - before) < TEN_MS) repeated += 1;
    seen.set(`${table} ${kind}`, Date.parse(at));
  }
  return {
    urgent: lately.filter(({ urgency }) => urgency === 1).length,
    soon: lately.filter(({ urgency }) => urgency === 2).length,
    perTen: lately.length / 6, most: Math.max(...tens), standing: standing.length, repeated,
    people: [...people].sort((a, b) => b[1] - a[1]),
  };
}

export const band = (perTen) => BANDS.find(([most]) => perTen <= most)[1];

export function Load({ hall }) {
  const [said, setSaid] = useState(null);
  const [arbiters, setArbiters] = useState(1);
  const live = hall.link === "live"; // Before that no table is known, and none was asked.
  useEffect(() => {
    if (!live) return undefined;
    let wanted = true;
    (async () => {
      const rulings = [];
      for (const table of [...hall.tables.keys()]) {
        const events = await hall.timeline(table).catch(() => []);
        rulings.push(...events.filter(({ topic }) => topic.endsWith("/rulings")).map(({ payload }) => payload));
      }
      if (wanted) setSaid(counted(rulings, hall.now()));
    })();
    return () => { wanted = false; };
  }, [live]);
  const rows = said && [
    [say("Go now"), said.urgent], [say("Look soon"), said.soon],
    [say("Alarms in ten minutes, each arbiter"), (said.perTen / arbiters).toFixed(1)],
    [say("Most in any ten minutes"), said.most],
    [say("Standing for more than ten minutes"), said.standing], [say("The same again within ten minutes"), said.repeated],
  ];
  return html`<div id="main" tabindex="-1" class="view list"><h1>${say("Alerts an hour")}</h1>
    <label class="search">${say("Arbiters on the floor")} <input type="number" min="1" max="50" value=${arbiters}
      onInput=${(event) => setArbiters(Math.max(1, Number(event.target.value)))} /></label>
    ${!said ? html`<p class="empty">${say("Counting …")}</p>` : html`
      <table><tbody>${rows.map(([what, count]) => html`<tr><th scope="row">${what}</th><td>${count}</td></tr>`)}</tbody></table>
      <p class="note">${say("By EEMUA 191: {band}", { band: say(band(said.perTen / arbiters)) })}</p>
      ${said.people.length > 0 && html`<h2>${say("Decided by")}</h2><table><tbody>${said.people.map(([name, count]) => html`<tr>
        <th scope="row">${name}</th><td>${count}</td></tr>`)}</tbody></table>`}`}</div>`;
}
