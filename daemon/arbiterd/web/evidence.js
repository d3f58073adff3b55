// A ruling in full: what was seen, what is proposed, and the inputs it rests on.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Diagram } from "./diagram.js";
import { spaced } from "./overview.js";
import { CERTAINTY, CLOSED, clockTime, proposed, textOf } from "./words.js";

const SAID_ELSEWHERE = ["certainty", "touched", "obligation"];

export function Evidence({ hall, ruling, decide }) {
  const [inputs, setInputs] = useState(null);
  const { from, to } = ruling.evidence;
  useEffect(() => {
    hall.inputs(ruling.table, ruling.evidence).then(setInputs, () => setInputs([]));
  }, [ruling.id, from, to]);
  const { touched = [], obligation = [] } = ruling.facts;
  const more = Object.entries(ruling.facts).filter(([name]) => !SAID_ELSEWHERE.includes(name));
  return html`<article class="evidence u${ruling.urgency}">
    <h3>${textOf(ruling).line}</h3>
    <p>${textOf(ruling).detail}</p>
    <p class="basis">Article ${ruling.articles.join(", ")} · ${ruling.laws} · ${CERTAINTY[ruling.certainty]}
      ${ruling.against && html` · against ${ruling.against}`}</p>
    ${ruling.state === "open"
      ? hall.mayAct && html`<div class="acts">
          <button class="yes" onClick=${() => decide(ruling, "confirm")}>Confirm …</button>
          <button onClick=${() => decide(ruling, "dismiss")}>Dismiss …</button></div>`
      : html`<p class="closed">${CLOSED[ruling.state]}${ruling.ack
          && html` by ${ruling.ack.by} at ${clockTime(ruling.ack.at)}${ruling.ack.reason && `: ${ruling.ack.reason}`}`}</p>`}
    <h4>Proposed</h4>
    <ol class="proposal">${proposed(ruling.proposal).map((text) => html`<li>${text}</li>`)}</ol>
    ${touched.length > 0 && html`<h4>Touched, in order</h4>
      <ol>${touched.map((touch) => html`<li><b>${touch.piece} ${touch.square}</b>, lifted ${clockTime(touch.lifted_at)},
        ${touch.down_ms === null ? "how long is not known" : `off its square ${(touch.down_ms / 1000).toFixed(1)} s`}</li>`)}</ol>`}
    ${obligation.length > 0 && html`<h4>Moves that are allowed</h4><p>${obligation.map(spaced).join(", ")}</p>`}
    ${more.length > 0 && html`<dl class="facts">${more.map(([name, value]) => html`<div><dt>${name.replaceAll("_", " ")}</dt>
      <dd>${told(value)}</dd></div>`)}</dl>`}
    <h4>Before it, with what the sensors showed when it was seen</h4>
    <${Diagram} fen=${ruling.position} seen=${ruling.placement} label="Position before the irregularity" />
    <details><summary>${inputs === null ? "Reading what it rests on …" : `${inputs.length} inputs of the journal, ${from} to ${to}`}</summary>
      <table class="inputs"><tbody>${(inputs ?? []).map((input) => html`<tr>
        <td>${input.number}</td><td>${new Date(input.at).toISOString().slice(11, 23)}</td>
        <td><b>${input.kind}</b> ${told(input.said)}<br /><code>${input.raw}</code></td></tr>`)}</tbody></table></details>
  </article>`;
}

function told(value) {
  if (value === null) return "–";
  if (Array.isArray(value)) return value.map(told).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, part]) => `${name} ${told(part)}`).join(", ");
  return String(value);
}
