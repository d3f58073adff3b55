// Half-moves given by hand: a game from the page alone, or what the record should say.

import { html, useState } from "./vendor/htm-preact.js";
import { signature } from "./signing.js";

const EXAMPLE = { shogi: "7g7f, 8h2b+ or G*5b", guadalete: "Nf3 or d2d4t" };

// props: hall, state, ply (the half-move that is looked at, null for the newest), setPly
export function Entry({ hall, state, ply, setPly }) {
  const [move, setMove] = useState("");
  const [error, setError] = useState("");
  const send = async (said) => {
    const by = signature(hall);
    if (!by) return;
    const answer = await hall.command(state.table, { action: "set-move", by, ...said });
    setError(answer.ok ? "" : answer.error);
    if (!answer.ok) return;
    setMove("");
    setPly(null);
  };
  const onSubmit = (event) => {
    event.preventDefault();
    send(ply === null ? { op: "insert", move: move.trim() } : { op: "replace", ply, move: move.trim() });
  };
  return html`<details class="entry" open=${state.device === "none"}>
    <summary>Enter or correct moves</summary>
    <form onSubmit=${onSubmit}>
      <label>${ply === null ? "Next half-move" : `Half-move ${ply} was`}
        <input name="move" required maxlength="20" autocomplete="off" autocapitalize="off" spellcheck="false"
          placeholder=${EXAMPLE[state.ruleset] ?? "Nf3 or g1f3"} value=${move} onInput=${(event) => setMove(event.target.value)} /></label>
      <button>${ply === null ? "Add" : "Replace"}</button>
      <button type="button" disabled=${!state.ply} onClick=${() => send({ op: "take-back", ply: state.ply })}>Take back the last</button>
    </form>
    ${error && html`<p class="error" role="alert">${error}</p>`}
  </details>`;
}
