// What people read for what the payloads say.

import { language, ltr, say, word } from "./language.js";

const URGENCY = { 1: word("Go now"), 2: word("Look soon"), 3: word("Note") };
const CERTAINTY = {
  fact: word("fact"),
  probable: word("probable – please check"),
  human: word("only you can know"),
};
const STATUS = {
  waiting: word("Not begun"),
  playing: word("Playing"),
  paused: word("Paused"),
  ended: word("Ended"),
};
const DEVICE = {
  degraded: word("Board or clock faulty"),
  lost: word("Board lost"),
  none: word("No board"),
};
const CLOSED = {
  confirmed: word("Confirmed"),
  dismissed: word("Dismissed"),
  expired: word("Expired"),
  superseded: word("Overtaken"),
};
const HOW = {
  pressed: word("clock pressed"),
  settled: word("the board came to rest, no press seen"),
  replied: word("the opponent replied"),
  inferred: word("worked out from later moves; not seen itself"),
  recovered: word("from the board's memory"),
  arbiter: word("entered by an arbiter"),
};
const ACTIONS = {
  pause: word("stop the clocks"),
  restore: word("put the position back"),
  "enforce-move": word("have the piece moved or taken"),
  "add-time": word("set the times"),
  "declare-result": word("declare the result"),
  ask: word("ask the players"),
  log: word("take note"),
};
export const RESULTS = {
  "1-0": word("1-0 White won"), "0-1": word("0-1 Black won"), "1/2-1/2": word("½-½ draw"), "0-0": word("0-0 both lose"),
  "1/2-0": word("½-0 White draws, Black loses"), "0-1/2": word("0-½ White loses, Black draws"), "1-0F": word("1-0 Black did not play"),
  "0-1F": word("0-1 White did not play"), "0-0F": word("0-0 neither played"), replay: word("to be replayed"),
};
const SIDES = { white: word("White"), black: word("Black") };
const REASONS = {
  opponent: word("until the opponent touches a piece"),
};

const of = (table) => (key) => (table[key] ? say(table[key]) : "");
export const urgencyWord = of(URGENCY);
export const certaintyWord = of(CERTAINTY);
const statusWord = of(STATUS);
export const deviceWord = of(DEVICE);
export const closedWord = of(CLOSED);
export const howWord = of(HOW);
export const actionWord = of(ACTIONS);
export const resultWord = of(RESULTS);
export const sideWord = of(SIDES);
export const windowWord = ({ closes_on: on }) => (on === "opponent-touches" ? say(REASONS.opponent) : "");

export function timeText(ms) {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return ltr(`${ms < 0 ? "−" : "+"}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
}

// The proposal as a list of short phrases, in order.
export function proposed({ actions, clock_delta_ms: deltas, result }) {
  return actions.map((action) => {
    if (action === "declare-result" && result) return say("declare {result}", { result });
    if (action === "add-time") {
      const times = Object.entries(deltas ?? {}).map(([colour, ms]) => `${sideWord(colour)} ${timeText(ms)}`);
      return times.length ? say("set time: {times}", { times: times.join(", ") }) : actionWord(action);
    }
    return actionWord(action) || action;
  });
}

// Whose act it is about: of a claim the claimant's.
export function aboutWord({ kind, against }) {
  if (!against) return "";
  const side = sideWord(against);
  return kind.startsWith("claim-") ? say("claimed by {side}", { side }) : say("against {side}", { side });
}

export function inputsWord(count, { from, to }) {
  return count === 1 ? say("1 input of the journal, {from}", { from }) : say("{count} inputs of the journal, {from} to {to}", { count, from, to });
}

// How a game stands. While a flag lies and nobody has decided, nobody is playing.
export function standing({ status, result, clock, standing: still, comes_back: comesBack }) {
  if (still) return comesBack ? say("Catching up") : say("Stopped");
  if (result) return result.replaceAll("1/2", "½");
  if (status !== "playing" || !clock?.flag) return statusWord(status);
  return clock.flag === "both" ? say("Both flags down") : say("{side}’s flag down", { side: sideWord(clock.flag) });
}

// Of a table that does not follow its board: what is the matter, and what to do.
export function stillWords({ comes_back: comesBack }) {
  return comesBack
    ? say("This table is being made again from the journal. What its board shows is kept and follows; nothing can be entered until then. There is nothing to do.")
    : say("This table has stopped: nothing is told or ruled here, and nothing can be entered. What its board shows is kept. Watch the game yourself, and have the service started again.");
}

export function textOf(ruling) {
  return ruling.text[language()] ?? ruling.text.en ?? Object.values(ruling.text)[0] ?? { line: ruling.kind, detail: "" };
}

export function tableName(state) {
  return state?.label || say("Table {table}", { table: state?.table ?? "?" });
}

// Times of the day, of the hall's own zone, as everybody there reads them off the wall; of this tablet's where none is said.
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
let timeZone;

export function setZone(said) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: said });
    timeZone = said;
  } catch {
    timeZone = undefined; // An older browser does not know every zone.
  }
}

export const clockTime = (at) => new Date(at).toLocaleTimeString(language(), { ...CLOCK, timeZone });

// To the millisecond, for what sensors told.
export const sensorTime = (at) => new Date(at).toLocaleTimeString(language(), { ...CLOCK, timeZone, fractionalSecondDigits: 3 });

export const day = (at) => new Date(at).toLocaleDateString(language(), { dateStyle: "long", timeZone });
