// What an act would do, asked of the service before it is done.

import { html, useEffect, useState } from "./vendor/htm-preact.js";

// The answer to `command` as a preview, asked anew whenever `key` is another. Null: not known yet.
export function usePreview(hall, table, command, key) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    let wanted = true;
    setAnswer(null);
    if (command) {
      hall.command(table, { ...command, preview: true }).then((said) => wanted && setAnswer(said));
    }
    return () => {
      wanted = false;
    };
  }, [key]);
  return answer;
}

// 23.Rd1, 23…Qe2
export function moveText({ number, color, san, uci }) {
  return `${number}${color === "black" ? "…" : "."}${san ?? uci ?? "?"}`;
}

export function withdrawnText(moves) {
  const count = `${moves.length} half-move${moves.length === 1 ? "" : "s"}`;
  const ends = [moves[0], ...(moves.length > 1 ? [moves.at(-1)] : [])].map(moveText);
  return `${count}: ${ends.join(moves.length > 2 ? " … " : ", ")}`;
}

export function Preview({ answer }) {
  if (!answer) return html`<p class="preview" role="status">What it would do is being asked …</p>`;
  if (!answer.ok) return html`<p class="preview" role="status">${answer.error}</p>`;
  const said = answer.preview;
  if (!said) return null; // A service that does not know previews.
  const closes = said.rulings_closed.filter(({ state }) => state === "superseded");
  return html`<div class="preview" role="status">
    ${said.withdrawn.length > 0
      ? html`<p class="withdraws">Withdraws <b>${withdrawnText(said.withdrawn)}</b></p>`
      : html`<p>No half-move is withdrawn.</p>`}
    ${closes.length > 0 && html`<p>Closes with it: ${closes.map(({ line }) => line.en).join(" ")}</p>`}
  </div>`;
}
