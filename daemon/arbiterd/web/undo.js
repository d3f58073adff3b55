// The newest act of this page, which can be undone for a minute.

import { html, useEffect, useState } from "./vendor/htm-preact.js";

const MINUTE_MS = 60000;

export function Undo({ hall }) {
  const act = hall.newest;
  const [gone, setGone] = useState(null);
  const [error, setError] = useState("");
  useEffect(() => {
    setError("");
    if (!act) return undefined;
    const timer = setTimeout(() => setGone(act), MINUTE_MS);
    return () => clearTimeout(timer);
  }, [act]);
  if (!act || act === gone) return null;
  const undo = async () => {
    const answer = await hall.command(act.table, { action: "undo", by: act.by, of: act.id });
    if (answer.ok) setGone(act);
    else setError(answer.error);
  };
  return html`<div class="undo" role="status">
    <span>${act.text}</span>
    ${error ? html`<span class="error" role="alert">${error}</span>` : html`<button onClick=${undo}>Undo</button>`}
    <button aria-label="Close" onClick=${() => setGone(act)}>×</button>
  </div>`;
}
