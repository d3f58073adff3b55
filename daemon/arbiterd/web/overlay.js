// A transparent overlay for a broadcast. It shows whatever its own listener's API tells: behind
// the delay on the public one, live on the arbiter's. The address says which boards and how:
// /overlay/1,2,3?across=3&width=320&theme=light&corner=bottom-right&frame=yes&lang=es&show=clock,last,material,moves

import { html, render, useEffect, useLayoutEffect, useState } from "./vendor/htm-preact.js";
import { Hall } from "./hall.js";
import { Diagram, Hand, farSide, nearSide, readField } from "./diagram.js";
import { asked, say, speak } from "./language.js";
import { written } from "./notation.js";
import { Player } from "./player.js";

const OPENING = 8; // so many half-moves are shown of the opening
const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9 };

export function wishes(search) {
  const said = new URLSearchParams(search);
  const number = (name, least, most) => {
    const given = Number(said.get(name));
    return given >= least && given <= most ? given : null;
  };
  return {
    across: number("across", 1, 12), width: number("width", 80, 2000), margin: number("margin", 0, 500) ?? 0,
    theme: said.get("theme") === "light" ? "light" : "",
    corner: /^(top|bottom)-(left|right)$|^middle$/.test(said.get("corner") ?? "") ? said.get("corner") : "top-left",
    framed: said.get("frame") === "yes",
    show: new Set((said.get("show") ?? "clock").split(",")),
  };
}

// Who is ahead in material, and by how much, as "+2"; "" while it is even.
export function ahead(fen, side) {
  const sum = readField(fen).pieces.reduce((all, piece) => all + (WORTH[piece.toLowerCase()] ?? 0) * (piece === piece.toLowerCase() ? -1 : 1), 0);
  const own = side === "white" ? sum : -sum;
  return own > 0 ? `+${own}` : "";
}

// The public is told the position alone: what lies beside and on the board is read from its text.
function extrasOf(fen) {
  const fields = fen.split(" ");
  if (readField(fen).files === 9) return handsOf(fields[2] ?? "-");
  return fields.length === 8 ? watersOf(fields[6]) : {};
}

function handsOf(held) {
  const of = (letters) => [...held.matchAll(/(\d*)([A-Za-z])/g)].filter(([, , piece]) => letters.test(piece)).map(([both]) => both).join("");
  return { hand_black: of(/[A-Z]/), hand_white: of(/[a-z]/) };
}

// Guadalete's text tells its planks. Where one lies elsewhere the river is another one, which is not told.
function watersOf(planks) {
  const river = [..."abcdefgh"].flatMap((file) => [`${file}4`, `${file}5`]);
  const laid = planks.split(",").filter((square) => square !== "-");
  return { ...(laid.every((square) => river.includes(square)) && { river: river.join() }), planks: laid.join() };
}

// The first half-moves as text. Whose each is and its number say its colour and its position: a game
// may begin elsewhere, with either side, and no legal move is an entry of the record as well.
export function opening(moves) {
  return moves.slice(0, OPENING).map(({ san, ply, color, fen }, at) => {
    const leads = color === nearSide(fen);
    const dots = leads ? "." : at === 0 ? "…" : "";
    return `${dots && numberOf(ply, color, fen)}${dots}${written(san) ?? "–"}`;
  }).join(" ");
}

// Shogi counts half-moves in its text; every other game has the move to come there.
function numberOf(ply, color, fen) {
  if (readField(fen).files === 9) return Math.ceil(ply / 2);
  return Number(fen.split(" ")[5]) - (color === "black" ? 1 : 0);
}

function Overlay({ hall, table, show, moves }) {
  const state = hall.tables.get(table)?.state;
  if (!state || state.standing) return null;
  const shogi = readField(state.fen).files === 9;
  const material = (side) => show.has("material") && !shogi && ahead(state.fen, side);
  const extras = state.extras ?? extrasOf(state.fen);
  const player = (side) => html`<${Player} hall=${hall} state=${show.has("clock") ? state : { ...state, clock: null }} side=${side} />
    ${material(side) && html`<p class="line"><b>${material(side)}</b></p>`}`;
  const first = show.has("moves") ? opening(moves) : "";
  const last = show.has("last") ? written(moves.at(-1)?.san) ?? "" : "";
  return html`<div class="overlay">
    ${state.simulated && html`<p class="simulated">${say("Simulated")}</p>`}
    ${player(farSide(state.fen))}
    ${shogi && html`<${Hand} extras=${extras} side=${farSide(state.fen)} away />`}
    <${Diagram} small fen=${state.fen} lastMove=${state.last_move} extras=${extras} label=${say("Position")} />
    ${shogi && html`<${Hand} extras=${extras} side=${nearSide(state.fen)} />`}
    ${player(nearSide(state.fen))}
    ${first && html`<p class="line opening">${first}</p>`}
    ${last && html`<p class="line last-move"><b>${last}</b></p>`}
    ${state.result && html`<p class="result">${state.result}</p>`}
  </div>`;
}

export function Field({ hall, tables, wish }) {
  const [, turn] = useState(0);
  useLayoutEffect(() => hall.onChange(() => turn((n) => n + 1)), []);
  const wanted = wish.show.has("moves") || wish.show.has("last");
  // Of a table that is not there yet, as before the delay is over, there is nothing to ask for.
  const there = tables.filter((table) => hall.tables.get(table)?.state);
  useEffect(() => {
    if (wanted) for (const table of there) if (!hall.moves.has(table)) hall.loadMoves(table);
  }, [there.join()]);
  const width = wish.width ? `--width:${wish.width}px;` : "";
  const [vertical, horizontal = "middle"] = wish.corner.split("-");
  const across = Math.min(wish.across ?? tables.length, tables.length);
  return html`<div class="field ${vertical} ${horizontal} ${wish.theme} ${wish.framed ? "framed" : ""} ${wish.width ? "sized" : ""} ${tables.length > 1 ? "many" : ""}"
      style=${`${width}--margin:${wish.margin}px;--across:${across};--rows:${Math.ceil(tables.length / across)};grid-template-columns:repeat(${across},max-content)`}>
    ${tables.map((table) => html`<${Overlay} key=${table} hall=${hall} table=${table} show=${wish.show} moves=${hall.moves.get(table)?.list ?? []} />`)}
  </div>`;
}

const overlay = document.getElementById("overlay");
if (overlay) {
  await speak(asked() ?? "en");
  const tables = decodeURIComponent(location.pathname.split("/").at(-1)).split(",");
  render(html`<${Field} hall=${new Hall()} tables=${tables} wish=${wishes(location.search)} />`, overlay);
}
