// The one question that is asked before an act: a name, or whether it is meant.

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { tableName } from "./words.js";

export function Asked({ hall }) {
  if (!hall.asking) return null;
  const Kind = hall.asking.what === "name" ? AskName : AskSure;
  return html`<${Kind} key=${hall.asking.number} hall=${hall} ...${hall.asking} />`;
}

function useDialog() {
  const dialog = useRef(null);
  useLayoutEffect(() => dialog.current.showModal(), []);
  return dialog;
}

function AskName({ hall }) {
  const dialog = useDialog();
  const [name, setName] = useState("");
  const send = (event) => {
    event.preventDefault();
    if (name.trim()) hall.answer(name);
  };
  return html`<dialog ref=${dialog} class="sheet" aria-labelledby="asked" onCancel=${() => hall.answer(null)}>
    <form onSubmit=${send}>
      <h2 id="asked">${say("Who are you?")}</h2>
      <label>${say("Your name, for the record")}
        <input name="by" required maxlength="80" autocomplete="name" value=${name} autofocus
          onInput=${(event) => setName(event.target.value)} /></label>
      <p class="soft">${say("This tablet remembers it.")}</p>
      <menu><button type="button" onClick=${() => hall.answer(null)}>${say("Cancel")}</button>
        <button class="yes">${say("Go on")}</button></menu>
    </form></dialog>`;
}

function AskSure({ hall, table, text, warning, yes }) {
  const dialog = useDialog();
  const state = hall.tables.get(table)?.state ?? { table };
  return html`<dialog ref=${dialog} class="sheet" aria-labelledby="asked" onCancel=${() => hall.answer(null)}>
    <h2 id="asked">${tableName(state)}</h2>
    <p>${text}</p>
    <p class="withdraws"><span class="sign u1" aria-hidden="true"></span> ${warning}</p>
    <menu><button onClick=${() => hall.answer(null)}>${say("Cancel")}</button>
      <button class="no" onClick=${() => hall.answer(true)}>${yes}</button></menu></dialog>`;
}
