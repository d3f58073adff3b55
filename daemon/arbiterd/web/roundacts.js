// A round begins, changes and ends here: the commands about a round, and what the service finds.

import { html, useState } from "./vendor/htm-preact.js";
import { say, word } from "./language.js";
import { signature } from "./signing.js";

// Of each late change: how many tables it names, and what else it needs.
const CHANGES = {
  swap: { text: word("Two pairings change tables"), tables: 2 },
  move: { text: word("A game goes on at another board"), tables: 2 },
  rename: { text: word("A name is put right"), tables: 1, names: true },
  bye: { text: word("A game is not played"), tables: 1 },
  delay: { text: word("The public is further behind, or less"), tables: 0, minutes: true },
};

async function ask(hall, said) {
  const by = await signature(hall);
  return by && hall.command(null, { action: "round", by, ...said });
}

export function RoundActs({ hall, round }) {
  const [said, setSaid] = useState({ file: "", op: "swap", tables: "", white: "", black: "", minutes: "15", reason: "" });
  const [told, setTold] = useState(null);
  const [busy, setBusy] = useState("");
  const number = said.round ?? (round || 1); // A page that was just opened learns the round with its tables.
  const set = (key) => (event) => setSaid({ ...said, [key]: event.target.value });
  const field = (key, label, more = {}) => html`<label>${say(label)} <input value=${key === "round" ? number : said[key]} autocomplete="off" onInput=${set(key)} ...${more} /></label>`;
  const may = (op) => hall.may(`round ${op}`);
  const changes = Object.entries(CHANGES).filter(([op]) => may(op));
  const op = may(said.op) ? said.op : changes[0]?.[0];
  const change = CHANGES[op] ?? CHANGES.swap;
  const tables = said.tables.split(/[\s,;]+/).filter(Boolean);
  const send = async (op, more) => {
    setBusy(op);
    const answer = await ask(hall, { op, ...more });
    if (answer) {
      setTold({ op, ...answer });
      if (!answer.error || told?.op !== op) setSaid((now) => ({ ...now, reason: "" })); // It was for that one alone.
    }
    setBusy("");
  };
  const whole = { round: Number(number), ...(said.file && { file: said.file }) };
  const asked = told?.error && ["begin", "end"].includes(told.op) ? told.op : "";
  const why = (op) => (op === asked && said.reason ? { reason: said.reason } : {});
  const late = {
    ...(tables.length && { tables }),
    ...(change.names && said.white && { white: said.white }),
    ...(change.names && said.black && { black: said.black }),
    ...(change.minutes && { delay_s: Math.round(Number(said.minutes) * 60) }),
  };
  const ready = change.tables === 0 || tables.length === change.tables;
  if (!["check", "begin", "end"].some(may) && !changes.length) return null;
  return html`<section class="roundacts">
    <h2>${say("Run the round")}</h2>
    <form onSubmit=${(event) => event.preventDefault()}>
      ${field("round", word("Round"), { type: "number", min: 1, max: 999 })}
      ${field("file", word("Pairings, a file beside the configuration"), { placeholder: "round3.trf" })}
      <p class="buttons">${may("check") && html`<button type="button" disabled=${busy} onClick=${() => send("check", whole)}>${say("Check")}</button>`}
        ${may("begin") && html`<button type="button" disabled=${busy} onClick=${() => send("begin", { ...whole, ...why("begin") })}>${say("Begin the round")}</button>`}
        ${may("end") && html`<button type="button" disabled=${busy} onClick=${() => send("end", { round: whole.round, ...why("end") })}>${say("End the round")}</button>`}</p>
      ${asked && field("reason", word("Why it is done all the same"))}
    </form>
    ${changes.length > 0 && html`<form onSubmit=${(event) => event.preventDefault()}>
      <label>${say("Late change")} <select value=${op} onChange=${set("op")}>${changes.map(([op, { text }]) => html`<option value=${op}>${say(text)}</option>`)}</select></label>
      ${field("tables", change.tables === 2 ? word("Both tables") : change.tables ? word("Table") : word("Tables (none: all)"), { placeholder: change.tables === 2 ? "1 4" : "" })}
      ${change.names && html`${field("white", word("White"))} ${field("black", word("Black"))}`}
      ${change.minutes && field("minutes", word("Minutes"), { type: "number", min: 0, max: 1440 })}
      <p class="buttons"><button type="button" disabled=${busy || !ready} onClick=${() => send(op, late)}>${say("Change it")}</button></p>
    </form>`}
    <div role="status">${told?.error && html`<p class="note bad">${told.error}</p>`}
      ${told && !told.error && (told.findings?.length
        ? html`<ul class="findings">${told.findings.map((line) => html`<li>${line}</li>`)}</ul>`
        : html`<p class="note good">✓ ${say("Done; there is nothing to look at.")}</p>`)}</div>
  </section>`;
}
