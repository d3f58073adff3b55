// Half-moves given by hand: a game from the page alone, or what the record should say.

import { html, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { signature } from "./signing.js";

// props: hall, state, ply (the half-move that is looked at, null for the newest), setPly
export function Entry({ hall, state, ply, setPly }) {
  const [move, setMove] = useState("");
  const [error, setError] = useState("");
  const send = async (said) => {
    const by = await signature(hall);
    if (!by) return;
    const answer = await hall.command(state.table, { action: "set-move", by, ...said });
    setError(answer.ok ? "" : answer.error);
    if (!answer.ok) return;
    hall.done(state.table, answer, said.move ? `${say("Moves")}: ${said.move}` : say("Half-move {ply} is taken back", said), by);
    setMove("");
    setPly(null);
  };
  const onSubmit = (event) => {
    event.preventDefault();
    send(ply === null ? { op: "insert", move: move.trim() } : { op: "replace", ply, move: move.trim() });
  };
  return html`<details class="entry" open=${state.device === "none"}>
    <summary>${say("Enter or correct moves")}</summary>
    <form onSubmit=${onSubmit}>
      <label>${ply === null ? say("Next half-move") : say("Half-move {ply} was", { ply })}
        <input name="move" required maxlength="20" autocomplete="off" autocapitalize="off" spellcheck="false"
          placeholder=${hall.gameOf(state)?.example} value=${move} onInput=${(event) => setMove(event.target.value)} /></label>
      <button>${ply === null ? say("Add") : say("Replace")}</button>
      <button type="button" disabled=${!state.ply} onClick=${() => send({ op: "take-back", ply: state.ply })}>${say("Take back half-move {ply}", state)}</button>
    </form>
    ${error && html`<p class="error" role="alert">${error}</p>`}
  </details>`;
}
