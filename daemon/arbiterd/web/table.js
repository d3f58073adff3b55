// One table: the board with what the sensors show against it, the moves, the rulings and what
// they rest on.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { Diagram, Hand, differences, farSide, manName, marksOf, nearSide, readField } from "./diagram.js";
import { Entry } from "./entry.js";
import { Evidence } from "./evidence.js";
import { Moves } from "./moves.js";
import { Player } from "./player.js";
import { signature } from "./signing.js";
import { CLOSED, DEVICE, URGENCY, clockTime, standing, tableName, textOf } from "./words.js";

export function TableView({ hall, table, rulingId, decide }) {
  const known = hall.tables.get(table);
  const [turned, setTurned] = useState(false);
  const [ply, setPly] = useState(null); // null: the newest
  const [closed, setClosed] = useState([]);
  const state = known?.state;
  const seq = state?.seq;

  useEffect(() => {
    hall.loadMoves(table);
    setPly(null);
    return () => hall.forgetMoves(table);
  }, [table]);
  useEffect(() => {
    hall.closedRulings(table).then(setClosed, () => setClosed([]));
  }, [table, seq]);

  if (!state) {
    return html`<main class="table"><p class="empty">There is no table ${table} in this hall. <a href="#/">Back to the hall</a></p></main>`;
  }
  const moves = hall.moves.get(table)?.list ?? [];
  const looked = ply === null ? null : moves.find((move) => move.ply === ply);
  const open = hall.alerts.filter((ruling) => ruling.table === table);
  const shown = [...open, ...closed].find(({ id }) => id === rulingId) ?? open[0];
  const sides = [farSide(state.fen), nearSide(state.fen)];
  if (turned) sides.reverse();

  return html`<main class="table" id="main">
    <header>
      <a class="back" href="#/">‹ Hall</a>
      <h1>${tableName(state)}</h1>
      <span class="status ${state.status}">${standing(state)}</span>
      ${DEVICE[state.device] && html`<span class="badge fault">${DEVICE[state.device]}</span>`}
      ${hall.mayAct && html`<${TableActs} hall=${hall} state=${state} />`}
    </header>
    <div class="columns">
      <section class="board" aria-label="Board">
        <${Player} hall=${hall} state=${state} side=${sides[0]} />
        ${!looked && html`<${Hand} extras=${state.extras} side=${sides[0]} away />`}
        <${Diagram} fen=${looked?.fen ?? state.fen} lastMove=${looked?.uci ?? state.last_move}
          extras=${looked ? null : state.extras} seen=${looked || !isHeard(state) ? null : state.placement} turned=${turned}
          label="Position at ${tableName(state)}" />
        ${!looked && html`<${Hand} extras=${state.extras} side=${sides[1]} />`}
        <${Player} hall=${hall} state=${state} side=${sides[1]} />
        <div class="under">
          <button onClick=${() => setTurned(!turned)}>Turn the board</button>
          ${looked && html`<button onClick=${() => setPly(null)}>Back to now</button>`}
        </div>
        ${looked
          ? html`<p class="note">After half-move ${looked.ply}, not the present position.</p>`
          : html`<${Sensors} state=${state} />`}
        <${Extras} state=${state} />
      </section>
      <div>
        <${Moves} moves=${moves} ply=${ply} setPly=${setPly} />
        ${hall.mayAct && html`<${Entry} key=${table} hall=${hall} state=${state} ply=${ply} setPly=${setPly} />`}
      </div>
      <section class="rulings" aria-label="Rulings of this game">
        <h2>Rulings</h2>
        ${!open.length && !closed.length && html`<p class="empty">None in this game.</p>`}
        <ul>${[...open, ...closed].map((ruling) => html`<li key=${ruling.id}>
          <a class="ruling u${ruling.urgency} ${ruling.state}" href="#/table/${table}/${ruling.id}"
             aria-current=${ruling === shown ? "true" : undefined}>
            <span class="badge ${ruling.state === "open" ? `u${ruling.urgency}` : ""}">
              ${ruling.state === "open" ? URGENCY[ruling.urgency] : CLOSED[ruling.state]}</span>
            ${textOf(ruling).line} <small>${clockTime(ruling.at)}</small></a></li>`)}
        </ul>
        ${shown && html`<${Evidence} key=${shown.id} hall=${hall} ruling=${shown} decide=${decide} />`}
      </section>
    </div>
    <${Device} device=${known.device} />
  </main>`;
}

const isHeard = (state) => state.device !== "none" && state.device !== "lost";

function Sensors({ state }) {
  if (!isHeard(state)) {
    return html`<p class="note">No board is heard: the position is the last one known.</p>`;
  }
  const chess = readField(state.fen).files !== 9;
  const wrong = differences(state.fen, state.placement);
  if (!wrong.length) return html`<p class="note good">The sensors show this position.</p>`;
  return html`<div class="note odd"><p>The sensors show something else on ${wrong.length} ${wrong.length === 1 ? "square" : "squares"}:</p>
    <ul>${wrong.slice(0, 12).map(({ name, man, seen }) => html`<li><b>${name}</b>: ${manName(seen, chess)}
      <small> (position: ${manName(man, chess)})</small></li>`)}
      ${wrong.length > 12 && html`<li>and ${wrong.length - 12} more</li>`}</ul></div>`;
}

function Extras({ state }) {
  const { told } = marksOf(readField(state.fen), state.extras);
  if (!told.length) return null;
  return html`<dl class="extras">${told.map(({ what, text }) => html`<div><dt>${what}</dt>
    <dd>${text}</dd></div>`)}</dl>`;
}

function TableActs({ hall, state }) {
  const [error, setError] = useState("");
  const act = async (action) => {
    const by = signature(hall);
    if (!by) return;
    const answer = await hall.command(state.table, { action, by });
    setError(answer.ok ? "" : answer.error);
  };
  const paused = state.status === "paused";
  return html`<div class="acts">
    ${["playing", "paused"].includes(state.status)
      && html`<button onClick=${() => act(paused ? "resume" : "pause")}>${paused ? "Resume" : "Pause"}</button>`}
    <button onClick=${() => act(state.muted ? "unmute" : "mute")}>${state.muted ? "Unmute alerts" : "Mute alerts"}</button>
    ${error && html`<span class="error" role="alert">${error}</span>`}
  </div>`;
}

function Device({ device }) {
  if (!device) return null;
  const said = [
    ["Board", [device.driver, device.identity].filter(Boolean).join(" ")],
    ["Port", device.port],
    ["Firmware", device.firmware],
    ["Battery", device.battery === null ? "" : `${device.battery} %`],
    ["Faults", device.faults.join("; ")],
  ].filter(([, text]) => text);
  return html`<footer class="device"><dl>${said.map(([what, text]) => html`<div><dt>${what}</dt><dd>${text}</dd></div>`)}</dl></footer>`;
}
