// A ruling in full: what was seen, what to do about it, and the inputs it rests on.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Article } from "./article.js";
import { face } from "./clocks.js";
import { Diagram } from "./diagram.js";
import { say } from "./language.js";
import { Occurrences } from "./occurrences.js";
import { spaced } from "./overview.js";
import { Slider } from "./slider.js";
import { Steps } from "./steps.js";
import { aboutWord, certaintyWord, clockTime, closedWord, inputsWord, proposed, sensorTime, textOf, windowWord } from "./words.js";

const SAID_ELSEWHERE = ["certainty", "touched", "obligation", "plies", "counts"];

export function RulingView({ hall, ruling, moves }) {
  const { touched = [], obligation = [] } = ruling.facts;
  const more = Object.entries(ruling.facts).filter(([name]) => !SAID_ELSEWHERE.includes(name));
  const open = ruling.state === "open";
  const sensed = isSensed(hall, ruling.table);
  return html`<article class="evidence ${open ? `u${ruling.urgency}` : "decided"}">
    <h3>${open && html`<span class="sign u${ruling.urgency}" aria-hidden="true"></span> `}<bdi>${textOf(ruling).line}</bdi></h3>
    <p dir="auto">${textOf(ruling).detail}</p>
    <p class="basis">${ruling.articles.map((article) => html`<${Article} key=${article} hall=${hall} article=${article} kind=${ruling.kind} />`)}
      <span>${ruling.laws} · ${certaintyWord(ruling.certainty)}
      ${ruling.against && html` · ${aboutWord(ruling)}`}
      ${open && windowWord(ruling.window) && html` · ${windowWord(ruling.window)}`}</span></p>
    ${open && hall.may("confirm")
      ? html`<${Steps} key=${JSON.stringify([ruling.id, ruling.proposal, ruling.facts])} hall=${hall} ruling=${ruling} moves=${moves} />`
      : html`<p class="closed">${open ? "" : closedWord(ruling.state)}${ruling.ack
          && html` ${say("by {name} at {time}", { name: ruling.ack.by, time: clockTime(ruling.ack.at) })}${ruling.ack.reason && `: ${ruling.ack.reason}`}`}</p>
        <h4>${say("Proposed")}</h4>
        <ol class="proposal">${proposed(ruling.proposal).map((text) => html`<li>${text}</li>`)}</ol>`}
    <${Occurrences} ruling=${ruling} moves=${moves} />
    ${touched.length > 0 && html`<h4>${say("Touched, in order")}</h4>
      <ol>${touched.map((touch) => html`<li><bdi><b>${touch.piece} ${touch.square}</b></bdi>, ${say("lifted {time}", { time: clockTime(touch.lifted_at) })}, ${touch.down_ms === null ? say("how long is not known")
          : say("off its square {seconds} s", { seconds: (touch.down_ms / 1000).toFixed(1) })}</li>`)}</ol>`}
    ${obligation.length > 0 && html`<h4>${say("Moves that are allowed")}</h4><p>${obligation.map(spaced).join(", ")}</p>`}
    ${more.length > 0 && html`<details><summary>${say("Facts")}</summary><dl class="facts">${more.map(([name, value]) => html`<div><dt>${name.replaceAll("_", " ")}</dt>
      <dd>${/_(ms|clock)$/.test(name) && typeof value === "number" ? face(value) : told(value)}</dd></div>`)}</dl></details>`}
    <h4>${sensed ? say("Before it, with what the sensors showed when it was seen") : say("Position before the irregularity")}</h4>
    <${Diagram} fen=${ruling.position} seen=${sensed ? ruling.placement : null} label=${say("Position before the irregularity")} />
    <${Inputs} hall=${hall} ruling=${ruling} />
    <p><a class="button" href="#/appeal/${ruling.table}/${ruling.id}">${say("Page for an appeal")}</a></p>
  </article>`;
}

function Inputs({ hall, ruling }) {
  const [inputs, setInputs] = useState(null);
  const { from, to } = ruling.evidence;
  useEffect(() => {
    hall.evidence(ruling.table, ruling.evidence).then(({ inputs }) => setInputs(inputs), () => setInputs([]));
  }, [ruling.id, from, to]);
  return html`${isSensed(hall, ruling.table) && inputs?.length > 1 && html`<${Slider} ruling=${ruling} inputs=${inputs} />`}
    <details><summary>${inputs === null
      ? say("Reading what it rests on …")
      : inputsWord(inputs.length, ruling.evidence)}</summary>
    <div class="scrolls" tabindex="0" role="region" aria-label=${say("Inputs of the journal")}><table class="inputs"><tbody>${(inputs ?? []).map((input) => html`<tr>
      <td>${input.number}</td><td>${sensorTime(input.at)}</td>
      <td><b>${input.kind}</b> ${told(input.said)}<br /><code>${input.raw}</code></td></tr>`)}</tbody></table></div></details>`;
}

// Where no board was ever heard the placement is none that anything showed.
export function isSensed(hall, table) {
  return hall.tables.get(table)?.state?.device !== "none";
}

export function told(value) {
  if (value === null || value === undefined) return "–";
  // A placement is one letter a square.
  if (Array.isArray(value)) return value.map(told).join(value.length > 63 ? "" : ", ");
  if (typeof value === "object") return Object.entries(value).map(([name, part]) => `${name} ${told(part)}`).join(", ");
  return String(value);
}
