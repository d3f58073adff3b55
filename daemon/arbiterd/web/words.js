// What people read for what the payloads say.

export const URGENCY = { 1: "Go now", 2: "Look soon", 3: "Note" };
export const CERTAINTY = {
  fact: "fact",
  probable: "probable – please check",
  human: "only you can know",
};
const STATUS = {
  waiting: "Not begun",
  playing: "Playing",
  paused: "Paused",
  ended: "Ended",
};
export const DEVICE = {
  ok: "",
  degraded: "Board or clock faulty",
  lost: "Board lost",
  none: "No board",
};
export const CLOSED = {
  confirmed: "Confirmed",
  dismissed: "Dismissed",
  expired: "Expired",
  superseded: "Overtaken",
};
export const HOW = {
  pressed: "clock pressed",
  settled: "the board came to rest, no press seen",
  replied: "the opponent replied",
  inferred: "worked out from later men; not seen itself",
  recovered: "from the board's memory",
  arbiter: "entered by an arbiter",
};
const ACTIONS = {
  pause: "stop the clocks",
  restore: "put the position back",
  "enforce-move": "have the piece moved or taken",
  "declare-result": "declare the result",
  ask: "ask the players",
  log: "take note",
};

const side = (colour) => colour[0].toUpperCase() + colour.slice(1);

export function timeText(ms) {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return `${ms < 0 ? "−" : "+"}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// The proposal as a list of short phrases, in order.
export function proposed({ actions, clock_delta_ms: deltas, result }) {
  return actions.map((action) => {
    if (action === "declare-result" && result) return `declare ${result}`;
    if (action === "add-time") {
      const times = Object.entries(deltas ?? {}).map(([colour, ms]) => `${side(colour)} ${timeText(ms)}`);
      return times.length ? `set time: ${times.join(", ")}` : "add time";
    }
    return ACTIONS[action] ?? action;
  });
}

// How a game stands. While a flag lies and nobody has decided, nobody is playing.
export function standing({ status, result, clock }) {
  if (result) return result;
  if (status !== "playing" || !clock?.flag) return STATUS[status];
  return clock.flag === "both" ? "Both flags down" : `${side(clock.flag)}’s flag down`;
}

export function textOf(ruling) {
  return ruling.text.en ?? Object.values(ruling.text)[0] ?? { line: ruling.kind, detail: "" };
}

export function tableName(state) {
  return state?.label || `Table ${state?.table ?? "?"}`;
}

export function clockTime(at) {
  return new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}
