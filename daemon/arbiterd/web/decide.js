// The arbiter's yes or no to a ruling: who says so, why, and what will be done.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { arbiterName, keepName } from "./signing.js";
import { Preview, usePreview } from "./preview.js";
import { proposed, tableName, textOf } from "./words.js";

export function Decide({ hall, ruling, action, close }) {
  const dialog = useRef(null);
  const [by, setBy] = useState(arbiterName(hall));
  const [reason, setReason] = useState("");
  const [waiting, setWaiting] = useState(false);
  const [error, setError] = useState("");
  const [sure, setSure] = useState(false);
  const current = hall.rulings.get(ruling.id);
  const stillOpen = current !== undefined;
  const yes = action === "confirm";
  const known = hall.tables.get(ruling.table)?.state;
  const asked = yes && stillOpen ? { action, by: by.trim() || "?", ruling: ruling.id } : null;
  // Another half-move, or another revision: it would do something else.
  const preview = usePreview(hall, ruling.table, asked, `${current?.revision} ${known?.ply} ${known?.fen}`);
  const withdrawn = preview?.preview?.withdrawn ?? [];
  useEffect(() => setSure(false), [withdrawn.length]);
  useEffect(() => {
    dialog.current.showModal();
    dialog.current.querySelector(by ? "[name=reason]" : "[name=by]").focus();
  }, []);

  const send = async (event) => {
    event.preventDefault();
    if (withdrawn.length && !sure) {
      setSure(true);
      return;
    }
    keepName(hall, by);
    setWaiting(true);
    setError("");
    const command = { action, by: by.trim(), ruling: ruling.id };
    if (reason.trim()) command.reason = reason.trim();
    const answer = await hall.command(ruling.table, command);
    setWaiting(false);
    if (answer.ok) {
      hall.done(ruling.table, answer, `${yes ? "Confirmed" : "Dismissed"}: ${textOf(ruling).line}`, by.trim());
      close();
    }
    else setError(answer.error);
  };

  const state = hall.tables.get(ruling.table)?.state ?? { table: ruling.table };
  return html`<dialog ref=${dialog} class="decide" aria-labelledby="decide-title" onCancel=${close} onClose=${close}>
    <form onSubmit=${send}>
      <h2 id="decide-title">${yes ? "Confirm" : "Dismiss"} · ${tableName(state)}</h2>
      <p class="line">${textOf(ruling).line}</p>
      ${yes && html`<div>What is proposed:<ul>${proposed(ruling.proposal).map((text) => html`<li>${text}</li>`)}</ul></div>`}
      ${yes && stillOpen && html`<${Preview} answer=${preview} />`}
      ${hall.me?.login
        ? html`<p class="signed">Signed: <b>${by}</b></p>`
        : html`<label>Your name, for the record
          <input name="by" required maxlength="80" autocomplete="name" value=${by}
            onInput=${(event) => setBy(event.target.value)} /></label>`}
      <label>Reason <small>(may stay empty)</small>
        <input name="reason" maxlength="400" value=${reason}
          onInput=${(event) => setReason(event.target.value)} /></label>
      ${!stillOpen && html`<p class="error" role="alert">This alert has been closed in the meantime.</p>`}
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <menu>
        <button type="button" onClick=${close}>Cancel</button>
        <button class=${yes ? "yes" : "no"} disabled=${waiting || !stillOpen || (yes && !preview)}>
          ${waiting ? "Sending …" : !yes ? "Dismiss" : sure ? `Confirm, withdraw ${withdrawn.length}` : "Confirm"}</button>
      </menu>
    </form>
  </dialog>`;
}
