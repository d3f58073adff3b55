// The other halls of the event, as this hall's service hears them at the broker they share. Loaded
// only where there are any.

import { html } from "./vendor/htm-preact.js";
import { age, inTimeTrouble } from "./clocks.js";
import { Entry } from "./inbox.js";
import { say } from "./language.js";
import { statesOf } from "./tables.js";
import { useSteady } from "./steady.js";
import { useTicking } from "./ticking.js";
import { Tile } from "./tiles.js";
import { clockTime } from "./words.js";

const RETRY_MS = 2000;
const SILENCE_MS = 12000; // The service says the time after 5 s of silence.

// One other hall, with the face that the parts of the page ask of a hall. Acts go by our own
// service to the other one, which judges and answers them.
class Neighbour {
  constructor(home, name) {
    this.home = home;
    this.name = name;
    this.page = "";
    this.link = "never"; // live | offline | silent | never
    this.heard = null; // when it said something last
    this.tables = new Map();
    this.rulings = new Map();
  }

  get fresh() {
    return this.link === "live" && this.home.fresh;
  }

  get me() {
    return this.home.me;
  }

  get alerts() {
    return [...this.rulings.values()].sort((a, b) => a.urgency - b.urgency || (a.at < b.at ? 1 : -1));
  }

  // Nothing is sent to a hall that is not heard: nobody would know whether it was done.
  get connected() {
    return this.fresh;
  }

  may(deed) {
    return this.fresh && this.home.may(deed);
  }

  now() {
    return this.home.now();
  }

  known() {
    return this.fresh || this.heard === null ? this.now() : Date.parse(this.heard);
  }

  ahead() {
    return 0;
  }

  openedAt({ at }) {
    return at;
  }

  command(table, command) {
    return this.home.send(`/api/v1/halls/${this.name}/tables/${table}/commands`, command);
  }

  ask(question) {
    return this.home.ask(question);
  }

  tell(text, wrong) {
    this.home.tell(text, wrong);
  }

  done(table, answer, text, by, before) {
    this.home.done(table, answer, `${this.name} · ${text}`, by, before, this);
  }

  fell(text, acts, by) {
    this.home.fell(`${this.name} · ${text}`, acts, by, this);
  }

  // A table of its own page; none where that is not known.
  href({ table, id }) {
    return this.page ? `${this.page}/#/table/${table}${id ? `/${id}` : ""}` : undefined;
  }
}

export class Others {
  constructor(home) {
    this.home = home;
    this.halls = home.me.halls.map((name) => new Neighbour(home, name));
    this.connect();
  }

  connect() {
    this.source?.close();
    if (this.home.link === "out") return clearInterval(this.watch);
    const source = (this.source = new EventSource("/api/v1/halls/events"));
    let word = performance.now();
    let filling = null; // what came since `hello`: it replaces what was known
    const hear = (kind, take) => source.addEventListener(kind, (event) => {
      word = performance.now();
      take(JSON.parse(event.data));
      this.home.changed();
    });
    const at = (name) => this.halls.find((hall) => hall.name === name);
    hear("hello", () => {
      filling = new Map(this.halls.map(({ name }) => [name, { tables: new Map(), rulings: new Map() }]));
    });
    hear("heard", ({ hall, page, link, heard }) => Object.assign(at(hall) ?? {}, { page, link, heard }));
    for (const kind of ["state", "device", "ruling"]) {
      hear(kind, (payload) => {
        const into = filling ? filling.get(payload.hall) : at(payload.hall);
        if (!into) return;
        if (kind === "ruling") into.rulings.set(payload.id, payload);
        else into.tables.set(payload.table, { ...into.tables.get(payload.table), [kind]: payload });
      });
    }
    hear("cleared", ({ topic }) => {
      const [name, , table, leaf, id] = topic.split("/");
      if (leaf === "rulings") at(name)?.rulings.delete(id);
      else at(name)?.tables.delete(table);
    });
    hear("ready", () => {
      for (const hall of this.halls) Object.assign(hall, filling?.get(hall.name));
      filling = null;
    });
    hear("time", () => {});
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), RETRY_MS);
    };
    clearInterval(this.watch);
    this.watch = setInterval(() => performance.now() - word > SILENCE_MS && this.connect(), RETRY_MS);
  }

  get calls() {
    return this.halls.flatMap((hall) => hall.alerts.filter(({ urgency }) => urgency < 3).map((ruling) => ({ hall, ruling })));
  }
}

// In the top bar of every page: how many call elsewhere, and whether a hall is not heard.
export function CallsElsewhere({ others }) {
  const { calls } = others;
  const urgent = calls.some(({ ruling }) => ruling.urgency === 1);
  const lost = others.halls.filter(({ link }) => link !== "live").length;
  return html`<a class="button elsewhere" href="#/halls">${calls.length > 0 && html`<i class="sign u${urgent ? 1 : 2}"></i> `}${say("Halls")}
    ${others.home.readsRulings && html`<span class="count">${calls.length}</span>`}${lost > 0 && html` <i class="sign lost" title=${say("Halls that are not heard: {count}", { count: lost })}></i>`}</a>`;
}

export function Halls({ others }) {
  const waiting = others.halls.flatMap((hall) => hall.alerts.map((ruling) => ({ hall, ruling })))
    .sort((a, b) => a.ruling.urgency - b.ruling.urgency || (a.ruling.at < b.ruling.at ? 1 : -1));
  const box = useSteady(waiting.map(({ ruling }) => ruling));
  return html`<div ref=${box} id="main" tabindex="-1" class="view halls"><h1>${say("Halls")}</h1>
    ${others.home.readsRulings && html`<section aria-label=${say("Alerts of the other halls")}>
      <h2>${say("Alerts of the other halls")} <span class="count">${others.calls.length}</span></h2>
      ${waiting.length === 0 && html`<p class="empty">${others.halls.some(({ link }) => link !== "live")
        ? say("No alert is known of.") : say("Nothing waits for an arbiter in the other halls.")}</p>`}
      <ol class="beside">${waiting.map(({ hall, ruling }) => html`<li key=${`${hall.name} ${ruling.id}`}>
        <${Entry} hall=${hall} ruling=${ruling} choose=${() => {}} place=${{ name: hall.name, href: (one) => hall.href(one) }} />
        ${!hall.fresh && html`<p class="note odd">${say("Not heard: this may be decided already. Nothing can be sent there.")}</p>`}</li>`)}</ol></section>`}
    ${others.halls.map((hall) => html`<${One} key=${hall.name} hall=${hall} />`)}</div>`;
}

function One({ hall }) {
  useTicking(() => Math.floor(hall.now() / 5000), 5000);
  const states = statesOf(hall);
  const playing = states.filter(({ status }) => status === "playing").length;
  const short = states.filter((state) => inTimeTrouble(state, hall.known()));
  const lost = states.filter(({ device }) => device === "lost" || device === "degraded");
  const tiles = (title, list) => list.length > 0 && html`<h3>${title} <span class="count">${list.length}</span></h3>
    <ul class="tiles">${list.map((state) => html`<li key=${state.table}><${Tile} hall=${hall} state=${state} fresh=${hall.fresh}
      urgency=${Math.min(9, ...hall.alerts.filter(({ table }) => table === state.table).map(({ urgency }) => urgency)) % 9} href=${hall.href(state)} /></li>`)}</ul>`;
  return html`<section class="one-hall ${hall.fresh ? "" : "old"}" aria-label=${hall.name}>
    <h2>${hall.name} <${Heard} hall=${hall} /></h2>
    <p class="sums">${states.length === 0 ? say("No table of it is known.") : say("{tables} tables, {playing} playing", { tables: states.length, playing })}
      ${hall.page && html` · <a href=${`${hall.page}/`}>${say("Its own page")}</a>`}</p>
    ${tiles(say("Time trouble"), short)}
    ${tiles(say("Boards lost"), lost)}
    ${hall.fresh && states.length > 0 && !short.length && !lost.length && html`<p class="note good">✓ ${say("No board is lost, and nobody is in time trouble.")}</p>`}
  </section>`;
}

// How it is heard, and when it said something last.
function Heard({ hall }) {
  const since = useTicking(() => (hall.heard === null ? "" : age(hall, hall.heard)));
  const values = { time: hall.heard && clockTime(hall.heard), age: since };
  const words = {
    live: say("Live, heard {age} ago", values),
    offline: say("Its service is gone; last heard at {time}, {age} ago. What stands here is old", values),
    silent: say("Cut off; last heard at {time}, {age} ago. What stands here is old", values),
    never: say("Never heard: not started, or under another name"),
  };
  return html`<span class="link ${hall.fresh ? "live" : "lost"}" role="status">${words[hall.home.fresh || hall.heard === null ? hall.link : "silent"]}</span>`;
}
