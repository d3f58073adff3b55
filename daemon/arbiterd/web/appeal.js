// One page a ruling, for print: what stood, what was seen, what was decided, and how to check it.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { Diagram } from "./diagram.js";
import { say } from "./language.js";
import { isSensed, told } from "./ruling.js";
import { aboutWord, certaintyWord, clockTime, closedWord, day, inputsWord, proposed, sensorTime, sideWord, tableName, textOf } from "./words.js";

const PRINTED = 20; // the newest inputs, so that it is one page

export function Appeal({ hall, table, rulingId }) {
  const [events, setEvents] = useState(null);
  const [{ inputs, of }, setEvidence] = useState({ inputs: [], of: null });
  const live = hall.link === "live";
  const open = hall.rulings.get(rulingId); // Another one with each decision and each that is undone.
  useEffect(() => {
    if (!live) return;
    hall.timeline(table).then(async (all) => {
      const found = all.filter(({ payload }) => payload.id === rulingId);
      setEvents(found.map(({ payload }) => payload));
      if (found.length) setEvidence(await hall.evidence(table, found.at(-1).payload.evidence));
    }, () => setEvents([]));
  }, [live, table, rulingId, open]);
  const ruling = events?.at(-1) ?? open;
  const state = hall.tables.get(table)?.state ?? { table };
  const goesOn = state.game === ruling?.game; // Or another game has begun here since, with players of its own.
  const players = of ?? (goesOn ? state : {});
  if (!ruling) return html`<main class="appeal" id="main"><p>${events ? say("There is no such ruling.") : say("Reading …")}</p></main>`;
  const digest = hall.status?.journal;
  const decision = ruling.ack; // One that was undone is none, and another may have come after it.
  return html`<main class="appeal" id="main">
    <p class="unprinted"><a class="button" href="#/table/${table}/${rulingId}">‹ ${tableName(state)}</a>
      <button onClick=${() => print()}>${say("Print")}</button></p>
    ${ruling.simulated && html`<p class="simulated">${say("Simulated – no real boards")}</p>`}
    <header><h1>${tableName(state)}: <bdi>${textOf(ruling).line}</bdi></h1>
      <p>${ruling.hall} · ${say("game {game}", { game: ruling.game })} · ${players.white || sideWord("white")} – ${players.black || sideWord("black")} · ${day(ruling.at)} ${clockTime(ruling.at)}</p></header>
    <p dir="auto">${textOf(ruling).detail}</p>
    <p><b>${say("Article {articles}", { articles: ruling.articles.join(", ") })}</b> · ${ruling.laws} · ${certaintyWord(ruling.certainty)}
      ${ruling.against && html` · ${aboutWord(ruling)}`}</p>
    <div class="two">
      <figure><figcaption>${say("Position before the irregularity")}</figcaption><${Diagram} fen=${ruling.position} label=${say("Position before the irregularity")} />
        <code>${ruling.position}</code></figure>
      ${isSensed(hall, table) && html`<figure><figcaption>${say("What the sensors showed")}</figcaption><${Diagram} fen=${`${ruling.placement} w - - 0 1`} label=${say("What the sensors showed")} />
        <code>${ruling.placement}</code></figure>`}
    </div>
    <h2>${say("Decision")}</h2>
    <ul>${ruling.proposal.actions.length > 0 && proposed(ruling.proposal).map((text) => html`<li>${text}</li>`)}</ul>
    <p>${decision ? say("{decision} by {name} at {time}", { decision: closedWord(decision.decision), name: decision.by, time: clockTime(decision.at) })
      : say("Not decided yet.")} ${decision?.reason}</p>
    ${goesOn && state.clock && html`<p>${say("The clock now:")} ${["white", "black"].map((side) => `${sideWord(side)} ${face(state.clock[`${side}_ms`])}`).join(", ")}</p>`}
    <h2>${say("Evidence")}</h2>
    <p>${inputsWord(inputs.length, ruling.evidence)}</p>
    <table class="inputs"><tbody>${inputs.slice(-PRINTED).map((input) => html`<tr><td>${input.number}</td><td>${sensorTime(input.at)}</td>
      <td>${input.kind} ${told(input.said)}</td></tr>`)}</tbody></table>
    ${inputs.length > PRINTED && html`<p>${say("and {count} more", { count: inputs.length - PRINTED })}</p>`}
    <h2>${say("How to verify it")}</h2>
    ${digest && html`<p>${say("The journal ended at input {inputs} with the seal", { inputs: digest.inputs })} <code>${digest.seal}</code>.</p>
      <pre>arbiterd journal verify --seal ${digest.seal}</pre>`}
    <pre>arbiterd journal show --table ${table}</pre>
    <p class="signatures"><span>${say("Arbiter")}</span><span>${sideWord("white")}</span><span>${sideWord("black")}</span></p>
  </main>`;
}
