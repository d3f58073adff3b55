// What waits for an arbiter: the most urgent first, one entry for what belongs together.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { perform } from "./acting.js";
import { age } from "./clocks.js";
import { grouped, lanes, shelved } from "./grouping.js";
import { say } from "./language.js";
import { arbiterName } from "./signing.js";
import { call } from "./calling.js";
import { useSteady } from "./steady.js";
import { useTicking } from "./ticking.js";
import { certaintyWord, clockTime, proposed, tableName, textOf, urgencyWord } from "./words.js";

const NOTES_SHOWN = 3; // More of them lie behind a line that counts them.
const STANDING_MS = 5 * 60000;
const SHELF_MIN = { 1: 5, 2: 10, 3: 30 };

export function Inbox({ hall, chosen, choose, only }) {
  const [unfolded, unfold] = useState(false);
  const [shelf, openShelf] = useState(false);
  const inHall = hall.alerts.filter(({ table }) => !only || only(table));
  const later = inHall.filter((ruling) => shelved(ruling, hall.now()));
  const alerts = inHall.filter((ruling) => !later.includes(ruling));
  const notes = alerts.filter(({ urgency }) => urgency > 2);
  const foldable = notes.length > NOTES_SHOWN;
  const all = !foldable || unfolded || notes.some(({ id }) => id === chosen);
  const me = arbiterName(hall);
  const { free, taken } = lanes(all ? alerts : alerts.slice(0, alerts.length - notes.length), me);
  useEffect(() => call(hall, alerts));
  const box = useSteady([...taken.filter(({ by }) => by === me), { alerts: free }, ...taken.filter(({ by }) => by !== me)].flatMap((lane) => lane.alerts));
  const entries = (list) => html`<ol>${grouped(list).map((group) => html`<li key=${group.id}>
    ${group.rulings.length > 1
      ? html`<${Group} hall=${hall} rulings=${group.rulings} chosen=${chosen} choose=${choose} />`
      : html`<${Entry} hall=${hall} ruling=${group.rulings[0]} chosen=${group.id === chosen} choose=${choose} />`}
  </li>`)}</ol>`;
  const lane = ({ by, alerts: theirs }) => html`<section class="lane" key=${by} aria-label=${by}>
    <h3>${by === me ? say("You are on the way") : say("{name} is on the way", { name: by })} <span class="count">${theirs.length}</span></h3>${entries(theirs)}</section>`;
  return html`<section ref=${box} class="alerts" aria-label=${say("Alerts")}>
    <h2>${say("Alerts")} <${Calls} alerts=${alerts} />${later.length > 0 && html`<small class="count">, <span>${laterWord(later.length)}</span></small>`}</h2>
    ${hall.link === "lost" && alerts.length > 0 && hall.mayAct && html`<p class="note odd">${say("Nothing can be decided before the connection is back.")}</p>`}
    <${Announcer} alerts=${alerts} hall=${hall} />
    ${alerts.length === 0 && html`<p class="empty">${hall.link !== "live" ? say("What waits for you is not known now.")
      : hall.ill ? say("No alert is shown, and one may be missing: see the line at the foot.")
      : say("Nothing waits for you.")}</p>`}
    ${taken.filter(({ by }) => by === me).map(lane)}
    ${entries(free)}
    ${taken.filter(({ by }) => by !== me).map(lane)}
    ${foldable && html`<button class="notes" aria-expanded=${all} onClick=${() => (choose(null), unfold(!all))}>
      ${all ? say("Fold {count} notes", { count: notes.length }) : say("Show {count} notes", { count: notes.length })}</button>`}
    ${later.length > 0 && html`<section class="lane">
      <button class="notes" aria-expanded=${shelf} onClick=${() => openShelf(!shelf)}>${laterWord(later.length)}</button>
      ${shelf && entries(later)}</section>`}
  </section>`;
}

const laterWord = (count) => (count === 1 ? say("1 put off") : say("{count} put off", { count }));

// How many call for an arbiter; notes do not, and are counted apart.
export function Calls({ alerts }) {
  const notes = alerts.filter(({ urgency }) => urgency > 2).length;
  const calls = alerts.length - notes;
  const counted = notes === 1 ? say("1 note") : say("{count} notes", { count: notes });
  return html`${(calls > 0 || notes === 0) && html`<span class="count">${calls}</span>`}${notes > 0 && html` <small>${calls > 0 && "+ "}${counted}</small>`}`;
}

function Waiting({ hall, at }) {
  const shown = useTicking(() => age(hall, at));
  const long = hall.now() - Date.parse(at) > STANDING_MS;
  return html`<span class="age ${long ? "standing" : ""}" title=${long ? say("standing") : ""}>${shown}</span>`;
}

// `place`: of another hall, its name and the address of its own page.
export function Entry({ hall, ruling, chosen, choose, place = null }) {
  const card = useRef(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (chosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const state = hall.tables.get(ruling.table)?.state ?? { table: ruling.table };
  const line = textOf(ruling).line;
  const still = busy || !hall.connected;
  const does = async (command, text) => {
    setBusy(true);
    await perform(hall, ruling.table, { ruling: ruling.id, ...command }, text);
    setBusy(false);
  };
  return html`<article ref=${card} class="alert u${ruling.urgency} ${chosen ? "chosen" : ""}"
      aria-current=${chosen ? "true" : undefined} onClick=${() => choose(ruling.id)}>
    <header>
      <span class="sign u${ruling.urgency}" aria-hidden="true"></span>
      <a href=${place ? place.href(ruling) : `#/table/${ruling.table}/${ruling.id}`}>${place ? `${place.name} · ` : ""}${tableName(state)}</a>
      <span class="badge u${ruling.urgency}">${urgencyWord(ruling.urgency)}</span>
      <${Waiting} hall=${hall} at=${hall.openedAt(ruling)} />
    </header>
    <p class="line" dir="auto">${line}</p>
    <p class="proposal">${proposed(ruling.proposal).join(" · ")}</p>
    <p class="basis">${say("Article {articles}", { articles: ruling.articles.join(", ") })} · ${certaintyWord(ruling.certainty)}</p>
    ${shelved(ruling, hall.now()) && html`<p class="basis">${say("Comes back at {time}", { time: clockTime(ruling.shelved_until) })}</p>`}
    <div class="acts">
      ${hall.may("confirm") && html`<button class="yes" disabled=${still} onClick=${() => does({ action: "confirm" }, say("Confirmed: {line}", { line }))}>${say("Confirm")}</button>`}
      ${hall.may("dismiss") && html`<button disabled=${still} onClick=${() => does({ action: "dismiss" }, say("Dismissed: {line}", { line }))}>${say("Dismiss")}</button>`}
      ${hall.may("coming") && !ruling.coming && html`<button class="quiet" disabled=${still}
        onClick=${() => does({ action: "coming" }, say("On my way to {table}", { table: tableName(state) }))}>${say("On my way")}</button>`}
      ${hall.may("shelve") && html`<button class="quiet" disabled=${still} onClick=${() => does({ action: "shelve", minutes: SHELF_MIN[ruling.urgency] },
        say("{table} put off for {minutes} min", { table: tableName(state), minutes: SHELF_MIN[ruling.urgency] }))}>${say("Put off {minutes} min", { minutes: SHELF_MIN[ruling.urgency] })}</button>`}
    </div>
  </article>`;
}

function Group({ hall, rulings, chosen, choose }) {
  const [unfolded, unfold] = useState(false);
  const [busy, setBusy] = useState(false);
  const [first] = rulings;
  const open = unfolded || rulings.some(({ id }) => id === chosen); // Keys decide nothing that is not seen.
  const names = rulings.map(({ table }) => table).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const together = async (action, text) => {
    const done = [];
    setBusy(true);
    for (const { table, id: ruling } of rulings) {
      const then = ({ id }) => done.push({ table, id });
      if ((await perform(hall, table, { action, ruling }, text, null, then, [...done])) !== "") break;
    }
    setBusy(false);
  };
  const line = textOf(first).line;
  const still = busy || !hall.connected;
  return html`<article class="alert together u${first.urgency}">
    <header><span class="sign u${first.urgency}" aria-hidden="true"></span>
      <b>${say("{count} tables", { count: rulings.length })}</b>
      <span class="badge u${first.urgency}">${urgencyWord(first.urgency)}</span>
      <${Waiting} hall=${hall} at=${hall.openedAt(rulings.at(-1))} /></header>
    <p class="line" dir="auto">${line}</p>
    <p class="names">${names.join(", ")}</p>
    <div class="acts">
      ${hall.may("confirm") && html`<button class="yes" disabled=${still} onClick=${() => together("confirm", say("Confirmed: {line}", { line }))}>${say("Confirm all")}</button>`}
      ${hall.may("dismiss") && html`<button disabled=${still} onClick=${() => together("dismiss", say("Dismissed: {line}", { line }))}>${say("Dismiss all")}</button>`}</div>
    <button class="quiet" aria-expanded=${open} onClick=${() => (open && choose(null), unfold(!open))}>${open ? say("Fold") : say("One by one")}</button>
    ${open && html`<ul>${rulings.map((ruling) => html`<li><a href="#/table/${ruling.table}/${ruling.id}"
      aria-current=${ruling.id === chosen ? "true" : undefined}>${tableName(hall.tables.get(ruling.table)?.state ?? ruling)}</a></li>`)}</ul>`}
  </article>`;
}

// Tells a screen reader what is new, once; what was there before is read from the list.
function Announcer({ alerts, hall }) {
  const known = useRef(null);
  const fresh = known.current ? alerts.filter(({ id }) => !known.current.has(id)) : [];
  if (hall.link === "live") known.current = new Set(alerts.map(({ id }) => id));
  const [said, told] = useState("");
  useEffect(() => {
    if (!fresh.length) return;
    const [first] = fresh;
    const table = tableName(hall.tables.get(first.table)?.state ?? { table: first.table });
    told(`${urgencyWord(first.urgency)}: ${table}. ${textOf(first).line}`);
  });
  return html`<p class="unseen" role="status" aria-live="assertive">${said}</p>`;
}
