// One table: the board with what the sensors show against it, the moves, the rulings and what
// they rest on.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { perform } from "./acting.js";
import { Acts, actsOf } from "./acts.js";
import { Diagram, Hand, differences, farSide, marksOf, nearSide, pieceName, readField } from "./diagram.js";
import { Entry } from "./entry.js";
import { History } from "./history.js";
import { say } from "./language.js";
import { Moves } from "./moves.js";
import { Player } from "./player.js";
import { RulingView } from "./ruling.js";
import { faultsSaid, sensorsSaid } from "./sensors.js";
import { clockTime, closedWord, deviceWord, standing, stillWords, tableName, textOf, urgencyWord } from "./words.js";

export function TableView({ hall, table, rulingId }) {
  const known = hall.tables.get(table);
  const [turned, setTurned] = useState(false);
  const [ply, setPly] = useState(null); // null: the newest
  const [closed, setClosed] = useState([]);
  const looking = useRef(null); // the ruling that is shown, where none was asked for
  const state = known?.state;
  const seq = state?.seq;

  // Of a table that is not in the hall, as after a mistyped address, there is nothing to ask for.
  const there = Boolean(state);

  useEffect(() => {
    if (!there) return undefined;
    hall.loadMoves(table);
    setPly(null);
    return () => hall.forgetMoves(table);
  }, [table, there]);
  useEffect(() => {
    if (there) hall.closedRulings(table).then(setClosed, () => setClosed([]));
  }, [table, there, seq]);

  if (!state) {
    return html`<div class="view table" id="main" tabindex="-1"><p class="empty">${say("There is no table {table} in this hall.", { table })} <a href="#/">${say("Back to the hall")}</a></p></div>`;
  }
  const moves = hall.moves.get(table)?.list ?? [];
  const looked = ply === null ? null : moves.find((move) => move.ply === ply);
  const open = hall.alerts.filter((ruling) => ruling.table === table);
  // A more urgent one that comes meanwhile does not take its place under the finger.
  const shown = [...open, ...closed].find(({ id }) => id === rulingId) ?? open.find(({ id }) => id === looking.current) ?? open[0];
  looking.current = shown?.id ?? null;
  const sides = [farSide(state.fen), nearSide(state.fen)];
  if (turned) sides.reverse();
  const mayAct = hall.mayAct && !state.standing;
  const still = state.standing && !looked;

  return html`<div class="view table ${rulingId ? "at-ruling" : ""}" id="main" tabindex="-1">
    <header>
      <a class="back" href="#/">‹ ${say("Hall")}</a>
      <h1>${tableName(state)}</h1>
      <span class="status ${state.standing ? "stopped" : state.status}">${standing(state)}</span>
      ${deviceWord(state.device) && html`<span class="badge fault">${deviceWord(state.device)}</span>`}
      ${mayAct && html`<${TableActs} hall=${hall} state=${state} />`}
    </header>
    <div class="columns">
      <section class="board" aria-label=${say("Board")}>
        <${Player} hall=${hall} state=${state} side=${sides[0]} />
        ${!looked && html`<${Hand} extras=${state.extras} side=${sides[0]} away />`}
        ${still ? html`<div class="note odd still"><p>${stillWords(state)}</p><p><small lang="en">${state.standing}</small></p></div>`
          : html`<${Diagram} fen=${looked?.fen ?? state.fen} lastMove=${looked?.uci ?? state.last_move}
              extras=${looked ? null : state.extras} seen=${looked || !isHeard(state) ? null : state.placement} turned=${turned}
              label=${say("Position at {table}", { table: tableName(state) })} />`}
        ${!looked && html`<${Hand} extras=${state.extras} side=${sides[1]} />`}
        <${Player} hall=${hall} state=${state} side=${sides[1]} />
        <div class="under">
          <button onClick=${() => setTurned(!turned)}>${say("Turn the board")}</button>
          ${looked && html`<button onClick=${() => setPly(null)}>${say("Back to now")}</button>`}
        </div>
        ${looked
          ? html`<p class="note">${say("After half-move {ply}, not the present position.", { ply: looked.ply })}</p>`
          : !still && html`<${Sensors} state=${state} />`}
        <${Extras} state=${state} />
      </section>
      <div class="record">
        <${Moves} moves=${moves} ply=${ply} setPly=${setPly} />
        ${mayAct && hall.may("set-move") && html`<${Entry} key=${table} hall=${hall} state=${state} ply=${ply} setPly=${setPly} />`}
        <${History} key=${`history ${table}`} hall=${hall} table=${table} seq=${seq} />
      </div>
      ${hall.readsRulings && html`<section class="rulings" aria-label=${say("Rulings of this game")}>
        <h2>${say("Rulings")}</h2>
        ${!open.length && !closed.length && html`<p class="empty">${say("None in this game.")}</p>`}
        <${Listed} table=${table} rulings=${open} shown=${shown} />
        ${shown && html`<${RulingView} key=${shown.id} hall=${hall} ruling=${shown} moves=${moves} />`}
        ${closed.length > 0 && html`<details class="closed-rulings" open=${closed.length <= FEW || closed.includes(shown)}>
          <summary>${say("{count} decided or over", { count: closed.length })}</summary>
          <${Listed} table=${table} rulings=${closed} shown=${shown} /></details>`}
      </section>`}
    </div>
    <${Device} device=${known.device} chess=${readField(state.fen).files !== 9} />
  </div>`;
}

const FEW = 4; // Closed rulings are listed; more of them lie behind a line that counts them.

function Listed({ table, rulings, shown }) {
  return html`<ul>${rulings.map((ruling) => html`<li key=${ruling.id}>
    <a class="ruling u${ruling.urgency} ${ruling.state}" href="#/table/${table}/${ruling.id}"
       aria-current=${ruling === shown ? "true" : undefined}>
      <span class="badge ${ruling.state === "open" ? `u${ruling.urgency}` : ""}">
        ${ruling.state === "open" ? urgencyWord(ruling.urgency) : closedWord(ruling.state)}</span>
      <bdi>${textOf(ruling).line}</bdi> <small>${clockTime(ruling.at)}</small></a></li>`)}
  </ul>`;
}

const isHeard = (state) => state.device !== "none" && state.device !== "lost";

function Sensors({ state }) {
  if (!isHeard(state)) {
    return html`<p class="note">${say("No board is heard: the position is the last one known.")}</p>`;
  }
  const chess = readField(state.fen).files !== 9;
  const wrong = differences(state.fen, state.placement);
  if (!wrong.length) return html`<p class="note good">${say("The sensors show this position.")}</p>`;
  return html`<div class="note odd"><p>${wrong.length === 1
    ? say("The sensors show something else on 1 square:")
    : say("The sensors show something else on {count} squares:", { count: wrong.length })}</p>
    <ul>${wrong.slice(0, 12).map(({ name, piece, seen }) => html`<li><b>${name}</b>: ${pieceName(seen, chess)}
      <small> (${say("position: {piece}", { piece: pieceName(piece, chess) })})</small></li>`)}
      ${wrong.length > 12 && html`<li>${say("and {count} more", { count: wrong.length - 12 })}</li>`}</ul></div>`;
}

function Extras({ state }) {
  const { told } = marksOf(readField(state.fen), state.extras);
  if (!told.length) return null;
  return html`<dl class="extras">${told.map(({ what, text }) => html`<div><dt>${what}</dt>
    <dd>${text}</dd></div>`)}</dl>`;
}

function TableActs({ hall, state }) {
  const [more, setMore] = useState(false);
  const table = tableName(state);
  const act = (action, text) => perform(hall, state.table, { action }, text);
  const paused = state.status === "paused";
  return html`<div class="acts">
    ${["playing", "paused"].includes(state.status) && hall.may(paused ? "resume" : "pause") && (paused
      ? html`<button onClick=${() => act("resume", say("{table} goes on", { table }))}>${say("Resume")}</button>`
      : html`<button onClick=${() => act("pause", say("{table} is paused", { table }))}>${say("Pause")}</button>`)}
    ${hall.may(state.muted ? "unmute" : "mute") && (state.muted
      ? html`<button onClick=${() => act("unmute", say("{table} alerts again", { table }))}>${say("Unmute alerts")}</button>`
      : html`<button onClick=${() => act("mute", say("{table} is muted", { table }))}>${say("Mute alerts")}</button>`)}
    ${actsOf(hall).length > 0 && html`<button class="act" onClick=${() => setMore(true)}>${say("Act …")}</button>`}
    ${more && html`<${Acts} hall=${hall} state=${state} close=${() => setMore(false)} />`}
  </div>`;
}

export function Device({ device, chess }) {
  if (!device) return null;
  const said = [
    [say("Board"), [device.driver, device.identity].filter(Boolean).join(" ")],
    [say("Port"), device.port],
    [say("Firmware"), device.firmware],
    [say("Battery"), device.battery === null ? "" : `${device.battery} %`],
    [say("Faults"), faultsSaid(device)],
    [say("Look at"), sensorsSaid(device, chess)],
  ].filter(([, text]) => text);
  return html`<footer class="device"><dl>${said.map(([what, text]) => html`<div><dt>${what}</dt><dd>${text}</dd></div>`)}</dl></footer>`;
}
