// The newest act of this page: ten seconds in full, then as one small button until its minute is over. Then, or once it is
// undone, the one before it is the newest again, as long as its own minute lasts.

import { html, useEffect, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { undoneAll } from "./acting.js";
import { say } from "./language.js";
import { MINUTE_MS } from "./newest.js";

const WIDE_MS = 10000;

const left = (act, ms) => Math.max(0, act.at + ms - performance.now());

export function Undo({ hall }) {
  const act = hall.newest;
  const [small, setSmall] = useState(null);
  const [error, setError] = useState("");
  useLayoutEffect(() => {
    const on = () => setSmall(hall.newest); // Another page is looked at: the bar is in the way there.
    addEventListener("hashchange", on);
    return () => removeEventListener("hashchange", on);
  }, []);
  const gone = () => {
    const before = act.before && left(act.before, MINUTE_MS) > 0 ? act.before : null;
    setSmall(before);
    hall.showAgain(before);
  };
  useEffect(() => {
    setError("");
    if (!act) return undefined;
    const timers = [
      setTimeout(() => setSmall(act), left(act, WIDE_MS)),
      setTimeout(gone, left(act, act.acts ? MINUTE_MS : WIDE_MS)),
    ];
    return () => timers.forEach(clearTimeout);
  }, [act]);
  if (!act) return null;
  const undo = async () => {
    const refused = await undoneAll(act.hall ?? hall, act);
    if (refused.length) setError(refused.join(" "));
    else if (hall.newest === act || (hall.newest?.before === act && !hall.newest.acts)) gone(); // Or what was told while it was sent.
    else hall.passOver(act);
  };
  if (act === small && !error) {
    return html`<button class="undo small" onClick=${() => setSmall(null)} aria-label=${say("Undo: {act}", { act: act.text })}>↶</button>`;
  }
  return html`<div class="undo ${act.wrong ? "wrong" : ""}" role=${act.wrong ? "alert" : "status"}>
    <span>${act.text}</span>
    ${error && html`<span class="error" role="alert">${error}</span>`}
    ${act.acts && hall.may("undo") && html`<button class="back" onClick=${undo}>${say("Undo")}</button>`}
    <button aria-label=${say("Close")} onClick=${gone}>×</button>
    ${!act.wrong && html`<i class="running-out" key=${act.acts?.at(-1).id}></i>`}
  </div>`;
}
