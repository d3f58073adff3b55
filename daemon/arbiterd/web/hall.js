// The hall as this page knows it: fed by server-sent events, asked through getters, changed by
// commands. It draws nothing.

import { say, translated } from "./language.js";
import { setZone } from "./words.js";

const SNAPSHOTS = ["status", "state", "device", "result", "ruling"];
const SILENCE_MS = 12000; // The service says the time after 5 s of silence.
const FRESH_MS = 7000; // Heard so lately, nothing has been missed.
const ANSWER_MS = 8000;
const TRIES = 5;
const UNANSWERED_MS = 600000; // After so long the same act is meant as another one.
const RETRY_MS = 2000;
const HEALTH_MS = 4000;
const TOO_MANY = 429; // Nothing was done; a moment later it is.
const SHUT_OUT = 401; // The session is over, or there is no such login any more.

export class Hall {
  // `signs`: for arbiters, who may be signed in; the overlay asks for nobody. `keeps`: {keepActs, keptActs} of `newest.js`
  // for a page whose acts outlast it; the overlay has none.
  constructor({ signs = false, keeps = null } = {}) {
    this.signs = signs;
    this.keeps = keeps;
    this.me = null; // {login, role, acts, does, reads, halls}: who is signed in; login is null without accounts
    this.games = []; // [{name, example, claims}]: what can be played here
    this.status = null;
    this.tables = new Map(); // name -> {state, device, result}
    this.rulings = new Map(); // id -> open ruling
    this.opened = new Map(); // id of a ruling -> when it was first told
    this.moves = new Map(); // table -> {game, list}
    this.newest = null; // the newest act of this page: {acts: [{table, id}], text, by, hall, at, before}; or what went wrong
    this.unanswered = new Map(); // what was sent -> {id, at}: nobody knows whether it was done
    this.asking = null; // a question to the arbiter: {what, number, …}
    this.link = "connecting"; // connecting | live | lost | out: whoever was signed in is no more
    this.ill = ""; // what keeps the service from its work, a sentence a line
    this.listeners = new Set();
    this.clockBase = null; // {at: ms of the service, heard: ms here, speed}
    this.behind = 0; // ms that `now` is behind play, as far as the public was told
    this.word = { mark: moment(), at: null }; // the newest word: when here, when at the service
    this.connect();
    if (signs) this.askWho();
    this.askHealth();
    setInterval(() => this.askHealth(), HEALTH_MS);
  }

  // Calls at once as well: much may have come in before anybody listened.
  onChange(listener) {
    this.listeners.add(listener);
    listener();
    return () => this.listeners.delete(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  // Milliseconds since the epoch on the service's own clock, which a simulation lets run faster.
  now() {
    if (!this.clockBase) return Date.now();
    const { at, heard, speed } = this.clockBase;
    return at + (performance.now() - heard) * speed;
  }

  // Clocks are known to have run until here: now, or the newest word where the service is silent.
  known() {
    return this.fresh || this.word.at === null ? this.now() : this.word.at;
  }

  // The service's time is told at the start and in silences. A tablet that was busy then read it
  // late, and is behind: what is told now has been by then.
  keepUp(state) {
    const told = Date.parse(state.at);
    // The public's time is behind on purpose: what is told has been by its table's delay ago.
    if (state.delay_s !== undefined) this.behind = Math.max(this.behind, told + state.delay_s * 1000 - this.now());
    else if (told > this.now()) this.clockBase = { ...this.clockBase, at: told, heard: performance.now() };
  }

  // What the service says itself of its time is the measure again.
  takeTime(said) {
    this.clockBase = { ...this.clockBase, ...said, at: Date.parse(said.at), heard: performance.now() };
    this.behind = 0;
  }

  // A public table that is less far behind than the furthest, or than this page itself, is so much ahead of `known`.
  ahead(state) {
    if (state.delay_s === undefined) return 0;
    const delays = [...this.tables.values()].map((table) => (table.state?.delay_s ?? 0) * 1000);
    return Math.max(this.behind, ...delays) - state.delay_s * 1000;
  }

  get fresh() {
    return this.link === "live" && silence(this.word.mark) < FRESH_MS;
  }

  // Nothing is sent while it is not: what is seen is old, and nobody would know what was done.
  get connected() {
    return this.link === "live";
  }

  get simulated() {
    for (const { state } of this.tables.values()) return state.simulated;
    return this.status?.simulated ?? false;
  }

  get name() {
    for (const { state } of this.tables.values()) return state.hall;
    return this.status?.hall ?? "";
  }

  // Most urgent first; within an urgency the newest first.
  get alerts() {
    return [...this.rulings.values()].sort(
      (a, b) => a.urgency - b.urgency || (this.openedAt(a) < this.openedAt(b) ? 1 : this.openedAt(a) > this.openedAt(b) ? -1 : 0),
    );
  }

  // A ruling that is told anew, because somebody is on the way, is no younger for it.
  openedAt(ruling) {
    return this.opened.get(ruling.id) ?? ruling.at;
  }

  async takeOpened({ id, table, at, revision }) {
    if (this.opened.has(id)) return;
    this.opened.set(id, at);
    if (revision === 1) return;
    const events = await this.timeline(table).catch(() => []);
    const first = events.find(({ topic, payload }) => topic.endsWith("/rulings") && payload.id === id);
    if (first) this.opened.set(id, first.payload.at);
    this.changed();
  }

  // ---- what the service tells

  connect() {
    this.source?.close();
    const source = new EventSource("/api/v1/events");
    this.source = source;
    const fresh = { tables: new Map(), rulings: new Map() };
    const hear = (kind, take) =>
      source.addEventListener(kind, (event) => {
        take(JSON.parse(event.data));
        this.word = { mark: moment(), at: this.now() };
      });

    hear("hello", (said) => {
      this.takeTime(said);
      setZone(said.zone);
      fresh.tables = new Map();
      fresh.rulings = new Map();
      fresh.filling = true;
    });
    for (const kind of SNAPSHOTS) {
      hear(kind, (payload) => {
        const into = fresh.filling ? fresh : this;
        if (kind === "state" && !fresh.filling) this.keepUp(payload);
        if (kind === "status") this.status = payload;
        else if (kind === "ruling") {
          into.rulings.set(payload.id, payload);
          this.takeOpened(payload);
        }
        else into.tables.set(payload.table, { ...into.tables.get(payload.table), [kind]: payload });
        this.changed();
      });
    }
    hear("cleared", ({ topic }) => {
      const words = topic.split("/");
      if (words.at(-2) === "rulings") this.rulings.delete(words.at(-1));
      else this.tables.delete(words[1]);
      this.changed();
    });
    // What was retained replaces what was known: a table or ruling may be gone since.
    hear("ready", () => {
      fresh.filling = false;
      for (const [name, table] of fresh.tables) if (!table.state) fresh.tables.delete(name);
      this.tables = fresh.tables;
      this.rulings = fresh.rulings;
      for (const table of this.moves.keys()) this.loadMoves(table);
      if (this.signs && this.link === "lost") this.askWho(); // It may be another service.
      this.setLink("live");
    });
    hear("moves", (move) => {
      const known = this.moves.get(move.table);
      // Another game than the one shown: a new one, or one that an undone act had left.
      if (known?.game && known.game !== move.game) this.loadMoves(move.table);
      else if (known) {
        known.meanwhile?.push(move);
        takeMove(known, move);
      }
      this.changed();
    });
    hear("time", (said) => this.takeTime(said));
    // The browser connects again by itself, unless the answer was no stream at all.
    source.onerror = () => {
      this.setLink("lost");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connectAgain(), RETRY_MS);
    };
    const tried = moment();
    clearInterval(this.watch);
    this.watch = setInterval(() => {
      if (Math.min(silence(this.word.mark), silence(tried)) < SILENCE_MS) return;
      this.setLink("lost");
      this.connect();
    }, 2000);
  }

  // Whoever is shut out is told so, once: nothing is asked any more under a login that is none. The
  // public's side, which signs nobody in, has no such address.
  async connectAgain() {
    const answer = await fetch("/api/v1/me").catch(() => null);
    if (answer?.status === SHUT_OUT) this.leave();
    else this.connect();
  }

  leave() {
    clearInterval(this.watch);
    this.source.close();
    this.setLink("out");
  }

  // A service that can write nothing down tells nothing, which looks like a quiet hall.
  async askHealth() {
    try {
      const answer = await fetch("/healthz", { signal: AbortSignal.timeout(HEALTH_MS) });
      const ill = answer.ok ? "" : (await answer.text()).trim();
      if (ill === this.ill) return;
      this.ill = ill;
      this.changed();
    } catch {
      // Then the connection is lost, which is said already.
    }
  }

  async askWho() {
    try {
      [this.games, this.me] = await Promise.all([ask("/api/v1/games"), ask("/api/v1/me")]);
      this.newest ??= this.keeps?.keptActs(this, this.me.login) ?? null;
      this.changed();
    } catch {
      if (this.link !== "out") setTimeout(() => this.askWho(), RETRY_MS); // Until then nobody acts under a wrong name.
    }
  }

  // What is to be known of the game at a table.
  gameOf(state) {
    return this.games.find(({ name }) => name === state.ruleset);
  }

  // Until it is known who is signed in, nothing can be done.
  get mayAct() {
    return this.me?.acts ?? false;
  }

  // Whether this act is of the role of whoever is signed in, as the service's own table has it.
  may(deed) {
    return this.me?.does?.includes(deed) ?? false;
  }

  // Rulings are told to this role, so that none shown means that there is none.
  get readsRulings() {
    return this.me?.reads?.includes("rulings") ?? true;
  }

  setLink(link) {
    this.link = link;
    this.changed();
  }

  // ---- what the page asks for

  // From now on, until they are forgotten: what cannot be had now is asked for again.
  async loadMoves(table) {
    const held = this.moves.get(table) ?? { list: [] };
    this.moves.set(table, held);
    const meanwhile = (held.meanwhile = []);
    const wanted = () => this.moves.get(table) === held && held.meanwhile === meanwhile;
    try {
      const { moves } = await ask(`/api/v1/tables/${table}/moves`);
      if (!wanted()) return;
      const known = { game: moves.at(-1)?.game, list: [] };
      for (const move of [...moves, ...meanwhile]) takeMove(known, move);
      this.moves.set(table, known);
      this.changed();
    } catch {
      setTimeout(() => wanted() && this.loadMoves(table), RETRY_MS);
    }
  }

  forgetMoves(table) {
    this.moves.delete(table);
  }

  // Rulings of the present game that are closed, newest first.
  async closedRulings(table) {
    const game = this.tables.get(table)?.state.game;
    const newest = new Map();
    for (const { topic, payload } of await this.timeline(table)) {
      if (topic.endsWith("/rulings") && payload.game === game) newest.set(payload.id, payload);
    }
    return [...newest.values()].filter((ruling) => ruling.state !== "open").reverse();
  }

  // What a ruling rests on: {inputs, of: {round, white, black}}, where `of` says in whose game; null: nobody knows.
  async evidence(table, { from, to }) {
    return ask(`/api/v1/tables/${table}/inputs?from=${from}&to=${to}`);
  }

  // Every event of a table, oldest first.
  async timeline(table) {
    const all = [];
    for (let after = 0; ; after = all.at(-1).payload.seq) {
      const { events } = await ask(`/api/v1/tables/${table}/timeline?after=${after}`);
      if (!events.length) return all;
      all.push(...events);
    }
  }

  // What a table can be given: {device, driver, identity, table}; table null: it is free.
  async boards() {
    return (await ask("/api/v1/boards")).boards;
  }

  // The rows of the rulings catalogue: {id, what, articles, entered}.
  async catalogue() {
    this.rows ??= (await ask("/api/v1/catalogue")).rows;
    return this.rows;
  }

  // ---- what the page says to its arbiter, and asks

  // An act was answered with yes: it can be undone for a minute, with those of the same tap `before` it.
  done(table, { id }, text, by, before = [], at = this) {
    this.sayNewest({ acts: [...before, { table, id }], text, by, hall: at });
  }

  // One of many acts of one tap was refused: those before it can still be undone.
  fell(text, acts, by, at = this) {
    this.sayNewest({ acts, text, by, hall: at, wrong: true });
  }

  tell(text, wrong = false) {
    this.sayNewest({ text, wrong });
  }

  // `before`: the act that was the newest until now, which can be undone all the same; none that is a part of this one.
  sayNewest(said) {
    const passed = ({ acts }) => !acts || said.acts?.some(({ id }) => id === acts[0].id);
    let before = this.newest;
    while (before && passed(before)) before = before.before;
    this.newest = { ...said, at: performance.now(), before };
    this.keeps?.keepActs(this, this.newest);
    this.changed();
  }

  // This act is undone, and is shown no more when what came after it is gone.
  passOver(act) {
    for (let said = this.newest; said; said = said.before) if (said.before === act) said.before = act.before;
    this.keeps?.keepActs(this, this.newest);
  }

  // The newest is gone, and this one, which stood before it, is the newest again; null: none.
  showAgain(before) {
    this.newest = before;
    this.keeps?.keepActs(this, before);
    this.changed();
  }

  // One question at a time; gives what `answer` is called with.
  ask(question) {
    this.answer(null);
    return new Promise((resolve) => {
      this.asked = (this.asked ?? 0) + 1;
      this.asking = { ...question, number: this.asked, resolve };
      this.changed();
    });
  }

  answer(said) {
    const asking = this.asking;
    this.asking = null;
    asking?.resolve(said);
    this.changed();
  }

  // Sends until it is answered, under one id, so that it is done once; one that was not answered keeps its id
  // when the same is sent again. Gives the answer. `table` null: the command names its tables itself.
  async command(table, command) {
    return this.send(table === null ? "/api/v1/commands" : `/api/v1/tables/${table}/commands`, command);
  }

  async send(path, command) {
    if (this.link === "out") return { ok: false, error: say("You are logged out: nothing was sent. Log in again.") };
    if (!this.connected) return { ok: false, error: say("No connection: nothing was sent. Do it when the page is live again.") };
    const sent = `${path} ${JSON.stringify(command)}`;
    const before = this.unanswered.get(sent);
    const { id } = before && Date.now() - before.at < UNANSWERED_MS ? before : { id: newId() };
    if (!command.preview) this.unanswered.set(sent, { id, at: Date.now() });
    const body = JSON.stringify({ ...command, id });
    for (let tried = 1; ; tried += 1) {
      try {
        const answer = await fetch(path, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        if (answer.status === SHUT_OUT) {
          this.leave();
          return { ok: false, error: say("You are logged out: it was not done. Log in again.") };
        }
        if (answer.status === TOO_MANY && tried < TRIES) {
          await new Promise((resolve) => setTimeout(resolve, 1000));
          continue;
        }
        const said = await answer.json();
        this.unanswered.delete(sent);
        return understood(said);
      } catch {
        if (tried === TRIES) {
          return { ok: false, error: say("The service does not answer: it may be done or not. The same again is done once.") };
        }
        if (tried === 1 && !command.preview) this.tell(say("Not answered yet – it is sent again …"));
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }
}

// A moment here, by two clocks: one stands still while the computer sleeps, the other may be set.
function moment() {
  return { ran: performance.now(), date: Date.now() };
}

function silence({ ran, date }) {
  return Math.max(performance.now() - ran, Date.now() - date);
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.json()).error);
  return answer.json();
}

// An answer with what the service says in it in the language of the page.
function understood(answer) {
  const { error, findings, replies } = answer;
  return {
    ...answer, ...(error && { error: translated(error) }), ...(findings && { findings: findings.map(translated) }),
    ...(replies && { replies: replies.map(understood) }),
  };
}

// `crypto.randomUUID` is missing on plain http from another machine.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

// A move event into a game's list: a new entry, a correction, or a withdrawal.
function takeMove(known, move) {
  const withdrawn = move.uci === null && !move.irregular;
  if (known.game !== move.game) {
    known.game = move.game;
    known.list = [];
  }
  if (known.list.some((entry) => entry.seqs.includes(move.seq))) return;
  const replaced = known.list.findIndex((entry) => entry.seqs.includes(move.replaces));
  if (replaced >= 0) {
    if (withdrawn) known.list.splice(replaced, 1);
    else known.list[replaced] = { ...move, seqs: [...known.list[replaced].seqs, move.seq] };
  } else if (!withdrawn) {
    known.list.push({ ...move, seqs: [move.seq] });
    known.list.sort((a, b) => a.ply - b.ply);
  }
}
