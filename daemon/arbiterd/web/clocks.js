// Clock faces that tick between two readings, on the service's own time.

import { html } from "./vendor/htm-preact.js";
import { ltr, say } from "./language.js";
import { useTicking } from "./ticking.js";

const UNHEARD = ["lost", "none"]; // Devices that tell nothing; the public is not told of any.
export const LOW_MS = 120000;

export function face(ms) {
  if (ms === null || ms === undefined) return "–:––";
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// What a side's clock shows now. `at` is when the state's values were read.
function showing(state, side, now) {
  const ms = state.clock?.[`${side}_ms`];
  if (ms === null || ms === undefined) return null;
  return state.clock.running === side ? Math.max(0, ms - Math.max(0, now - Date.parse(state.at))) : ms;
}

export function inTimeTrouble(state, now) {
  if (state.status !== "playing") return false;
  const running = showing(state, state.clock?.running, now);
  return running !== null && running < LOW_MS;
}

// Ticks while the service and the board are heard and its table follows. Else it stands at what was last known, and says
// how old that is: nobody knows what the clock shows now.
export function Clock({ hall, state, side }) {
  const running = state.clock?.running === side && state.status !== "ended";
  const lost = Boolean(state.standing) || UNHEARD.includes(state.device);
  const flag = [side, "both"].includes(state.clock?.flag);
  const until = () => (lost ? Date.parse(state.at) : Math.max(Date.parse(state.at), hall.known() + hall.ahead(state)));
  const [shown, ticking, old, low] = JSON.parse(useTicking(() => {
    const ms = showing(state, side, running ? until() : Date.parse(state.at));
    const ticks = running && hall.fresh && !lost;
    const aged = running && !ticks ? age(hall, until()) : "";
    return JSON.stringify([face(ms), ticks, aged, running && ms !== null && ms < LOW_MS]);
  }, 250, !running));
  return html`<span class="clock ${ticking ? "running" : ""} ${flag ? "flag" : ""} ${low ? "low" : ""}">
    ${old && html`<small class="old">${say("{age} ago", { age: old })}</small> `}
    ${flag && html`<abbr title=${say("flag")}>⚑</abbr> `}<time>${shown}</time></span>`;
}

// "12 s", "4 min", "1 h 05": how long something has waited, at the hall's pace. `at` is a time of
// the service, as text or in milliseconds.
export function age(hall, at) {
  const seconds = Math.max(0, Math.floor((hall.now() - (typeof at === "number" ? at : Date.parse(at))) / 1000));
  if (seconds < 60) return ltr(`${seconds} s`);
  if (seconds < 3600) return ltr(`${Math.floor(seconds / 60)} min`);
  return ltr(`${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}`);
}
