// Every part of the page alone, in each of its states; served only with --debug.

import { html, render, useState } from "./vendor/htm-preact.js";
import { Clock } from "./clocks.js";
import { Diagram } from "./diagram.js";
import { Hall } from "./hall.js";
import { CallsElsewhere, Halls } from "./halls.js";
import { Inbox } from "./inbox.js";
import { Moves } from "./moves.js";
import { Card } from "./overview.js";
import { Preview } from "./preview.js";
import { language, speak } from "./language.js";
import { THEMES, showTheme } from "./settings.js";
import { Steps } from "./steps.js";
import { Tile } from "./tiles.js";
import { Undo } from "./undo.js";

const AT = "2026-01-02T12:00:00.000Z";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
const SEEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

const state = (table, more = {}) => ({
  table, at: AT, hall: "design", ruleset: "chess", white: "Anderssen", black: "Kieseritzky", fen: FEN, placement: FEN.split(" ")[0],
  ply: 5, turn: "black", last_move: "f1c4", status: "playing", device: "ok", result: null, muted: false, extras: {},
  clock: { white_ms: 3725000, black_ms: 3540000, running: "black", flag: null }, ...more,
});
const clock = (more) => ({ clock: { white_ms: 3725000, black_ms: 3540000, running: "black", flag: null, ...more } });

const STATES = {
  calm: [state("1")],
  "go now": [state("2"), 1],
  "look soon": [state("3"), 2],
  note: [state("4"), 3],
  "time trouble": [state("5", clock({ black_ms: 45000 }))],
  "flag down": [state("6", clock({ running: null, flag: "black", black_ms: 0 }))],
  paused: [state("7", { status: "paused", ...clock({ running: null }) })],
  "no clock": [state("8", { clock: null })],
  "board lost": [state("9", { device: "lost" })],
  "board faulty": [state("10", { device: "degraded" })],
  "no board": [state("11", { device: "none" })],
  muted: [state("12", { muted: true })],
  "not begun": [state("13", { status: "waiting", ply: 0, last_move: null, fen: `${START} w KQkq - 0 1`, placement: START, ...clock({ running: null }) })],
  decided: [state("14", { status: "ended", result: "1/2-1/2" })],
};

const SPANISH = {
  "Illegal move by White: a bishop cannot move so.": "Jugada ilegal de las blancas: un alfil no mueve así.",
  "Claim of threefold repetition: correct.": "Reclamación de triple repetición: correcta.",
  "A move was taken back before the press.": "Se retiró una jugada antes de pulsar el reloj.",
  "Both flags are down.": "Han caído las dos banderas.",
  "The board is not heard any more.": "El tablero ya no se oye.",
};

const ruling = (id, urgency, line, more = {}) => ({
  id, table: id.split("-")[0], urgency, at: AT, kind: "illegal-first", state: "open", revision: 1, articles: ["7.5.1", "7.5.5"], laws: "FIDE-2023",
  certainty: "fact", against: "white", position: FEN, placement: SEEN, facts: { touched: [{ square: "c4", piece: "B" }], obligation: ["c4b5", "c4d5"], counts: true },
  proposal: { actions: ["pause", "restore", "enforce-move", "add-time"], clock_delta_ms: { black: 120000 }, restore: FEN, result: null },
  window: { closes_on: "never" }, text: { en: { line, detail: line }, es: { line: SPANISH[line], detail: SPANISH[line] } }, evidence: { from: 1, to: 2 }, ack: null, ...more,
});

const RULINGS = [
  ruling("2-1", 1, "Illegal move by White: a bishop cannot move so."),
  ruling("3-1", 2, "Claim of threefold repetition: correct.", { at: "2026-01-02T11:52:00.000Z", certainty: "human", proposal: { actions: ["declare-result"], clock_delta_ms: {}, restore: null, result: "1/2-1/2" } }),
  ruling("4-1", 3, "A move was taken back before the press.", { certainty: "probable" }),
  ruling("5-1", 2, "Both flags are down.", { coming: { by: "Luis", at: AT } }),
  ...["9", "21", "22", "23"].map((table) => ruling(`${table}-9`, 2, "The board is not heard any more.", { kind: "tech-board-lost" })),
];

const preview = {
  ok: true,
  preview: { withdrawn: [{ number: 3, color: "white", san: "Bc4" }], entered: [], restore: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", rulings_closed: [], rulings_opened: [], result: null,
    times: { before: { white_ms: 3725000, black_ms: 3540000 }, after: { white_ms: 3725000, black_ms: 3660000 } } },
};

// A hall that stands still, and in which every act is only shown.
const hall = Object.create(Hall.prototype, Object.getOwnPropertyDescriptors({
  now: () => Date.parse(AT) + 90000, known: () => Date.parse(AT) + 1000, fresh: true, link: "live", ill: "", mayAct: true, may: () => true, me: { login: "Ana", acts: true },
  tables: new Map(Object.values(STATES).map(([one]) => [one.table, { state: one }])), rulings: new Map(RULINGS.map((one) => [one.id, one])),
  alerts: RULINGS, opened: new Map(), newest: null, games: [], command: async () => preview, tell: () => {}, done: () => {}, showAgain: () => {}, ask: async () => null,
}));

// The other halls of an event, in each way a hall may be heard.
const neighbour = (name, link, more) => Object.create(hall, Object.getOwnPropertyDescriptors({
  name, home: hall, page: "", link, heard: "2026-01-02T11:50:00.000Z", fresh: link === "live", alerts: [], tables: new Map(),
  may: () => link === "live", href: () => "#halls", ...more }));
const tablesOf = (...names) => new Map(names.map((name) => [STATES[name][0].table, { state: STATES[name][0] }]));
const HALLS = [
  neighbour("north", "live", { heard: AT, alerts: RULINGS.slice(0, 1), tables: tablesOf("calm", "time trouble", "board lost") }),
  neighbour("south", "live", { heard: AT, tables: tablesOf("calm") }),
  neighbour("castle-stage", "silent", { alerts: RULINGS.slice(1, 2), tables: tablesOf("calm", "time trouble", "board lost") }),
  neighbour("east", "offline", { tables: tablesOf("calm") }),
  neighbour("youth", "never", { heard: null }),
];
const OTHERS = { home: hall, halls: HALLS, calls: RULINGS.slice(0, 2).map((one, at) => ({ hall: HALLS[2 * at], ruling: one })) };

const MOVES = [["e4", "pressed"], ["e5", "pressed"], ["Nf3", "settled"], ["Nc6", "inferred"], ["Bc4", "arbiter"]].map(([san, how], at) => ({
  ply: at + 1, seqs: [at], color: at % 2 ? "black" : "white", san, uci: "e2e4", how, fen: FEN, certainty: at === 3 ? "likely" : "certain", probability: 0.93,
  alternatives: [], clock: { white_ms: 3725000, black_ms: 3540000 } }));

const SIGNS = ["u1", "u2", "u3", "ok", "lost", "none", "degraded", "paused", "muted"];

function Part({ name, children }) {
  return html`<section class="part" id=${name.replaceAll(" ", "-")}><h2>${name}</h2>${children}</section>`;
}

function Design() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "dark");
  const choose = (one) => {
    setTheme(one);
    showTheme(one);
  };
  const [spoken, setSpoken] = useState(language());
  const talk = async (code) => {
    await speak(code);
    setSpoken(code);
  };
  const newest = (more) => Object.create(hall, { newest: { value: { acts: [{ table: "2", id: "1" }], by: "Ana", text: "Confirmed: illegal move by White", at: performance.now(), ...more } } });
  return html`<main key=${spoken} class="view">
    <h1>The parts of the page</h1>
    <div class="choice" role="group" aria-label="Light">${THEMES.map((one) => html`<button aria-pressed=${one === theme} onClick=${() => choose(one)}>${one}</button>`)}</div>
    <div class="choice" role="group" aria-label="Language">${["en", "es"].map((one) => html`<button aria-pressed=${one === spoken} onClick=${() => talk(one)}>${one}</button>`)}</div>
    <${Part} name="signs"><p>${SIGNS.map((sign) => html`<span class="named"><i class="sign ${sign}"></i> ${sign}</span>`)}</p></>
    <${Part} name="buttons"><p class="acts"><button class="yes">Confirm</button><button class="no">Withdraw</button><button>Dismiss</button>
      <button class="quiet">On my way</button><button disabled>Not now</button><button aria-pressed="true">Chosen</button></p></>
    <${Part} name="clocks"><p>${Object.entries(STATES).map(([name, [one]]) => html`<span class="named"><${Clock} hall=${hall} state=${one} side="black" /> ${name}</span>`)}</p></>
    <${Part} name="tiles"><ul class="tiles">${Object.entries(STATES).map(([name, [one, urgency]]) => html`<li><${Tile} hall=${hall} state=${one} urgency=${urgency} fresh />
      <small>${name}</small></li>`)}</ul></>
    <${Part} name="cards"><ul class="cards">${Object.values(STATES).slice(0, 9).map(([one, urgency]) => html`<li><${Card} hall=${hall} state=${one} urgency=${urgency} fresh /></li>`)}</ul></>
    <${Part} name="inbox"><div class="narrow"><${Inbox} hall=${hall} chosen="2-1" choose=${() => {}} /></div></>
    <${Part} name="halls"><p class="top"><${CallsElsewhere} others=${OTHERS} /></p><${Halls} others=${OTHERS} /></>
    <${Part} name="steps"><${Steps} hall=${hall} ruling=${RULINGS[0]} moves=${MOVES} /></>
    <${Part} name="preview"><${Preview} answer=${preview} /><${Preview} answer=${null} /><${Preview} answer=${{ ok: false, error: "The game is over; there is nothing to pause." }} /></>
    <${Part} name="diagrams"><ul class="cards"><li><${Diagram} fen=${FEN} lastMove="f1c4" label="last move" /></li><li><${Diagram} fen=${FEN} seen=${SEEN} label="seen otherwise" /></li>
      <li><${Diagram} fen=${FEN} arrows=${["c4f7", "c4b5"]} marked=${["c4"]} label="arrows" /></li><li><${Diagram} fen=${FEN} seen="8/8/8/8/8/8/8/8" label="cleared" /></li></ul></>
    <${Part} name="moves"><div class="narrow"><${Moves} moves=${MOVES} ply=${3} setPly=${() => {}} /></div></>
    <${Part} name="undo"><${Undo} hall=${newest({})} /><${Undo} hall=${newest({ wrong: true, acts: null, text: "The ruling is closed already." })} /></>
  </main>`;
}

showTheme();
await speak();
render(html`<${Design} />`, document.getElementById("design"));
