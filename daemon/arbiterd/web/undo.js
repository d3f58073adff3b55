// The newest act of this page: ten seconds in full, then as one small button until its minute is over.

import { html, useEffect, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";

const WIDE_MS = 10000;
const MINUTE_MS = 60000;

export function Undo({ hall }) {
  const act = hall.newest;
  const [gone, setGone] = useState(null);
  const [small, setSmall] = useState(null);
  const [error, setError] = useState("");
  useLayoutEffect(() => {
    const on = () => setSmall(hall.newest); // Another page is looked at: the bar is in the way there.
    addEventListener("hashchange", on);
    return () => removeEventListener("hashchange", on);
  }, []);
  useEffect(() => {
    setError("");
    if (!act) return undefined;
    const timers = [
      setTimeout(() => setSmall(act), WIDE_MS),
      setTimeout(() => setGone(act), act.acts ? MINUTE_MS : WIDE_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [act]);
  if (!act || act === gone) return null;
  const undo = async () => {
    const undone = act.acts.map(({ table, id }) => (act.hall ?? hall).command(table, { action: "undo", by: act.by, of: id }));
    const refused = (await Promise.all(undone)).filter(({ ok }) => !ok);
    if (refused.length) setError([...new Set(refused.map(({ error }) => error))].join(" "));
    else setGone(act);
  };
  if (act === small && !error) {
    return html`<button class="undo small" onClick=${() => setSmall(null)} aria-label=${say("Undo: {act}", { act: act.text })}>↶</button>`;
  }
  return html`<div class="undo ${act.wrong ? "wrong" : ""}" role=${act.wrong ? "alert" : "status"}>
    <span>${act.text}</span>
    ${error ? html`<span class="error" role="alert">${error}</span>`
      : act.acts && hall.may("undo") && html`<button class="back" onClick=${undo}>${say("Undo")}</button>`}
    <button aria-label=${say("Close")} onClick=${() => setGone(act)}>×</button>
    ${!act.wrong && html`<i class="running-out" key=${act.acts?.at(-1).id}></i>`}
  </div>`;
}
