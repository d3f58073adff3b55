// Every act of an arbiter at a table, each with what it would do before it is done.

import { html, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { perform } from "./acting.js";
import { say, word } from "./language.js";
import { FIELDS } from "./fields.js";
import { Preview, usePreview } from "./preview.js";
import { arbiterName } from "./signing.js";
import { tableName } from "./words.js";

// What each act asks for, in order. A field with "?" may stay empty.
const ACTS = [
  { action: "set-result", title: word("Result"), fields: ["result", "reason?"] },
  { action: "claim", title: word("Claim"), fields: ["claim", "side", "intended?"] },
  { action: "draw-offer", title: word("Draw offer"), fields: ["side"] },
  { action: "resign", title: word("Resigns"), fields: ["side"] },
  { action: "penalty", title: word("Penalty"), fields: ["side", "penalty", "delta?"] },
  { action: "report", title: word("Report"), fields: ["report", "side?", "note?"] },
  { action: "set-clock", title: word("Clock"), fields: ["times", "running?", "send?"] },
  { action: "set-position", title: word("Position"), fields: ["position"] },
  { action: "set-move", title: word("Moves"), fields: ["op", "ply?", "move?"] },
  { action: "start-game", title: word("Start of game"), fields: ["players", "ruleset?"] },
  { action: "assign-device", title: word("Board"), fields: ["device"] },
];

export const actsOf = (hall) => ACTS.filter(({ action }) => hall.may(action));

export function Acts({ hall, state, close }) {
  const dialog = useRef(null);
  const [chosen, setChosen] = useState(null);
  useLayoutEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} class="sheet acts-sheet" aria-labelledby="acts" onCancel=${close} onClose=${close}>
    <header><h2 id="acts">${chosen ? say(chosen.title) : say("Act")} · ${tableName(state)}</h2>
      <button onClick=${close} aria-label=${say("Close")}>×</button></header>
    ${chosen
      ? html`<${Form} key=${chosen.action} hall=${hall} state=${state} act=${chosen} back=${() => setChosen(null)} close=${close} />`
      : html`<div class="grid">${actsOf(hall).map((act) => html`<button key=${act.action} onClick=${() => setChosen(act)}>${say(act.title)}</button>`)}</div>`}
  </dialog>`;
}

function Form({ hall, state, act, back, close }) {
  const [said, setSaid] = useState({});
  const [error, setError] = useState("");
  const needed = act.fields.filter((field) => !field.endsWith("?"));
  const whole = needed.every((field) => FIELDS[field].whole(said));
  const command = { action: act.action, ...said };
  const preview = usePreview(hall, state.table, whole ? { ...command, by: arbiterName(hall) || "?" } : null,
    `${whole} ${JSON.stringify(said)}`, state.seq);
  const send = async (event) => {
    event.preventDefault();
    const chosen = act.fields.map((field) => FIELDS[field.replace("?", "")].chosen?.(said)).filter(Boolean);
    const wrong = await perform(hall, state.table, command, `${tableName(state)}: ${[say(act.title), ...chosen].join(" · ")}`, preview, ({ ruling }) => {
      if (ruling) location.hash = `#/table/${state.table}/${ruling}`; // What a claim came to is what was asked.
    });
    setError(wrong ?? "");
    if (wrong === "") close();
  };
  return html`<form onSubmit=${send}>
    <div class="asks">${act.fields.map((name) => {
      const field = FIELDS[name.replace("?", "")];
      return html`<${field.Input} key=${name} hall=${hall} state=${state} said=${said} set=${(more) => setSaid({ ...said, ...more })} />`;
    })}</div>
    ${whole && html`<${Preview} answer=${preview.shown} state=${state} />`}
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <menu><button type="button" onClick=${back}>‹ ${say("Other acts")}</button>
      <button class="yes" disabled=${!whole || !preview.shown?.ok}>${say("Do it")}</button></menu>
  </form>`;
}
