// The fields of an arbiter's acts: each sets keys of the command, and knows when it is filled.

import { html, useEffect, useState } from "./vendor/htm-preact.js";
import { face } from "./clocks.js";
import { Diagram, Piece, pieceName, readField } from "./diagram.js";
import { say, word } from "./language.js";
import { inEnglish, written } from "./notation.js";
import { fieldOf } from "./slider.js";
import { RESULTS, sideWord, tableName } from "./words.js";

const CLAIMS = {
  threefold: word("Threefold repetition"), "fifty-move": word("Fifty moves"), flag: word("Flag"),
  "illegal-move": word("Illegal move"), "touched-piece": word("Touched piece"), checkmate: word("Checkmate"),
  stalemate: word("Stalemate"), "dead-position": word("Dead position"), quickplay: word("Quickplay finish"),
  declaration: word("Declaration of an entered king"),
};
const PENALTIES = {
  warning: word("Warning"), "add-time": word("Time for the opponent"), "take-time": word("Time off"),
  "loss-of-game": word("Loss of the game"), fine: word("Fine"), exclusion: word("Exclusion from the round"), expulsion: word("Expulsion"),
};

// `offered`: which of the options a table has.
const choice = (key, label, options, offered = () => options) => ({
  whole: (said) => Boolean(said[key]),
  chosen: (said) => said[key] && say(options[said[key]] ?? said[key]),
  Input: ({ hall, said, set, state }) => html`<fieldset><legend>${say(label)}</legend><div class="choice">
    ${Object.entries(offered(hall, state)).map(([value, text]) => html`<button type="button" key=${value}
      aria-pressed=${said[key] === value} onClick=${() => set({ [key]: said[key] === value ? undefined : value })}>${say(text)}</button>`)}</div></fieldset>`,
});

const text = (key, label, { optional, placeholder, shows = (said) => said, reads = (typed) => typed, ...more }) => ({
  whole: (said) => Boolean(said[key]),
  Input: ({ said, set }) => html`<label>${say(label)} ${optional && html`<small>${say("(may stay empty)")}</small>`}
    <input name=${key} value=${shows(said[key] ?? "")} autocomplete="off" placeholder=${placeholder && shows(placeholder)} ...${more}
    onInput=${(event) => set({ [key]: reads(event.target.value.trim()) || undefined })} /></label>`,
});

const number = (key, label, more) => ({
  whole: (said) => said[key] !== undefined,
  Input: ({ said, set }) => html`<label>${say(label)} <input name=${key} type="number" inputmode="numeric" value=${said[key] ?? ""} ...${more}
    onInput=${(event) => set({ [key]: event.target.value === "" ? undefined : Number(event.target.value) })} /></label>`,
});

const CLOCK_MS_MAX = 100 * 3600000;

// "1:23:45", "23:45" or "45" as milliseconds; undefined: no time, or one that no clock shows. The keys that a telephone has for
// numbers are without a colon: a point or a comma stands for it.
export function milliseconds(written) {
  const plain = written.trim().replace(/[.,]/g, ":");
  if (!/^\d+(:[0-5]?\d){0,2}$/.test(plain)) return undefined;
  const ms = plain.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
  return ms < CLOCK_MS_MAX ? ms : undefined;
}

// "90" as "1 min 30 s": who meant minutes sees it.
function inWords(ms) {
  const seconds = ms / 1000;
  const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
  return parts.filter(([count], at) => count || (at === 2 && !seconds)).map((part) => part.join(" ")).join(" ");
}

function Times({ state, set }) {
  const shown = (ms) => (Number.isFinite(ms) ? face(ms) : "");
  const [written, write] = useState({ white: shown(state.clock?.white_ms), black: shown(state.clock?.black_ms) });
  const read = { white: milliseconds(written.white), black: milliseconds(written.black) };
  useEffect(() => set({ white_ms: read.white, black_ms: read.black }), [written]);
  const says = (side) => (read[side] !== undefined ? inWords(read[side]) : written[side].trim() && say("Write it as 1:23:45, 23:45 or 45"));
  return html`<div class="pair">${["white", "black"].map((side) => html`<div key=${side}><label>${sideWord(side)}
    <input name=${side} inputmode="decimal" autocomplete="off" placeholder="1:30:00" value=${written[side]}
      onInput=${(event) => write({ ...written, [side]: event.target.value })} /></label>
    <small role="status">${says(side)}</small></div>`)}</div>`;
}

function Report({ hall, said, set }) {
  const [rows, setRows] = useState([]);
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    hall.catalogue().then((all) => setRows(all.filter(({ entered }) => entered)), () => {});
  }, []);
  const name = (row) => say(row.what);
  const plain = (some) => some.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const found = rows.filter((row) => plain(`${name(row)} ${row.id} ${row.articles.join(" ")}`).includes(plain(wanted)));
  return html`<label>${say("What happened")} <input type="search" value=${wanted} placeholder=${say("a word, or an article")}
      onInput=${(event) => setWanted(event.target.value)} /></label>
    <ul class="found">${found.slice(0, 40).map((row) => html`<li key=${row.id}><button type="button" aria-pressed=${said.kind === row.id}
      onClick=${() => set({ kind: row.id })}>${name(row)} <small>${row.articles.join(", ")}</small></button></li>`)}</ul>`;
}

// A board is chosen among those that are there; one that discovery does not see is written.
function Board({ hall, said, set, state }) {
  const [boards, setBoards] = useState(null);
  useEffect(() => {
    hall.boards().then(setBoards, () => setBoards([]));
  }, []);
  const where = (table) => (table === null ? say("free")
    : table === state.table ? say("here now") : say("now at {table}", { table: tableName(hall.tables.get(table)?.state ?? { table }) }));
  const rank = ({ table }) => (table === null ? 0 : table === state.table ? 2 : 1);
  const rows = [...(boards ?? [])].sort((a, b) => rank(a) - rank(b) || a.device.localeCompare(b.device, undefined, { numeric: true }));
  return html`<fieldset><legend>${say("Board")}</legend>
    ${boards === null ? html`<p class="empty">${say("Looking for boards …")}</p>`
      : rows.length === 0 && html`<p class="empty">${say("No board is plugged in.")}</p>`}
    <ul class="found boards">${rows.map((row) => html`<li key=${row.device}><button type="button" aria-pressed=${said.device === row.device}
      onClick=${() => set({ device: row.device })}>${[row.driver, row.identity].filter(Boolean).join(" ") || row.device}
      <small>${where(row.table)} · <bdi>${row.device}</bdi></small></button></li>`)}
      <li key="auto"><button type="button" aria-pressed=${said.device === "auto"} onClick=${() => set({ device: "auto" })}>${say("The next one that is plugged in")}</button></li></ul>
    <details><summary>${say("Another one")}</summary><label>${say("Its address")} <input name="device" dir="ltr" maxlength="200" autocomplete="off"
      placeholder="serial:/dev/ttyACM0" value=${said.device ?? ""} onInput=${(event) => set({ device: event.target.value.trim() || undefined })} /></label></details>
  </fieldset>`;
}

const isHeard = ({ device }) => !["lost", "none"].includes(device);

// Pieces are set by touch: one from the row, then its squares.
function Position({ state, set }) {
  const heard = isHeard(state); // Else nobody knows what stands there.
  const { files, pieces } = readField(!heard || state.placement.includes("?") ? state.fen : state.placement);
  const [board, setBoard] = useState(pieces.map((piece) => (piece.endsWith("?") ? "" : piece)));
  const [turn, setTurn] = useState(state.turn);
  const [piece, setPiece] = useState("");
  const shogi = files === 9;
  const rest = state.fen.split(" ");
  const fen = shogi
    ? [fieldOf(board, files), turn === "black" ? "b" : "w", ...rest.slice(2)].join(" ")
    : [fieldOf(board, files), turn[0], castling(board, state.fen), "-", "0", rest[5] ?? "1", ...rest.slice(6)].join(" ");
  useEffect(() => set({ fen }), [fen]);
  const letters = shogi ? "KRBGSNLPkrbgsnlp" : "KQRBNPkqrbnp";
  const restNow = () => setBoard(readField(state.placement).pieces.map((piece) => (piece.endsWith("?") ? "" : piece)));
  return html`<div class="position">
    <div class="palette" role="group" aria-label=${say("Piece")}>${["", ...letters].map((letter) => html`<button type="button" key=${letter}
      aria-pressed=${piece === letter} onClick=${() => setPiece(letter)} aria-label=${letter ? pieceName(letter, !shogi) : say("empty the square")}>${letter
        ? html`<svg viewBox="0 0 40 40" class=${shogi ? "shogi" : ""} aria-hidden="true"><${Piece} piece=${letter} at=${[0, 0]} shogi=${shogi} /></svg>` : "✕"}</button>`)}</div>
    <${Diagram} fen=${`${fieldOf(board, files)} w - - 0 1`} label=${say("The position to set")}
      onSquare=${(square) => setBoard(board.map((stood, at) => (at === square ? piece : stood)))} />
    <div class="choice">${heard && html`<button type="button" onClick=${restNow}>${say("As the sensors show")}</button>`}
      <button type="button" onClick=${() => setBoard(readField(state.fen).pieces)}>${say("As the record has it")}</button></div>
    <div class="choice" role="group" aria-label=${say("To move")}>${["white", "black"].map((side) => html`<button type="button" key=${side}
      aria-pressed=${turn === side} onClick=${() => setTurn(side)}>${say("{side} to move", { side: sideWord(side) })}</button>`)}</div>
  </div>`;
}

// Rights that the pieces rule out are gone: the king or the rook of that right stands elsewhere than in `fen`. In
// chess960 they begin on any file; K and Q are the outermost rooks, other letters name the file.
export function castling(board, fen) {
  const { files, pieces } = readField(fen);
  const left = [...(fen.split(" ")[2] ?? "-")].filter((right) => {
    const [first, king, rook] = right === right.toUpperCase() ? [pieces.length - files, "K", "R"] : [0, "k", "r"];
    const rank = pieces.slice(first, first + files);
    const side = right.toUpperCase();
    const at = side === "K" ? rank.lastIndexOf(rook) : side === "Q" ? rank.indexOf(rook) : "ABCDEFGH".indexOf(side);
    return rank.includes(king) && rank[at] === rook
      && board[first + at] === rook && board[first + rank.indexOf(king)] === king;
  });
  return left.join("") || "-";
}

const SIDES = { white: word("White"), black: word("Black") };

// A claim this page has no words for is shown as the service calls it.
const claimsIn = (hall, state) =>
  Object.fromEntries((hall.gameOf(state)?.claims ?? []).map((claim) => [claim, CLAIMS[claim] ?? claim]));
const rulesIn = (hall) => Object.fromEntries(hall.games.map(({ name }) => [name, name]));
const A_MOVE = { maxlength: 20, autocapitalize: "off", spellcheck: false, placeholder: "Nf3", shows: written, reads: inEnglish };

export const FIELDS = {
  side: choice("side", word("Side"), SIDES),
  running: choice("running", word("Whose clock runs"), SIDES),
  result: choice("result", word("Result"), RESULTS),
  claim: choice("claim", word("What is claimed"), CLAIMS, claimsIn),
  penalty: choice("kind", word("Penalty"), PENALTIES),
  op: choice("op", word("What to do"), { insert: word("Insert"), replace: word("Replace"), "take-back": word("Take back from") }),
  ruleset: choice("ruleset", word("Rules"), {}, rulesIn),
  reason: text("reason", word("Reason"), { maxlength: 400, optional: true }),
  note: text("note", word("Note"), { maxlength: 400, optional: true }),
  move: text("move", word("Move"), A_MOVE),
  intended: text("move", word("Move that was written and not played"), { ...A_MOVE, optional: true }),
  device: { whole: ({ device }) => Boolean(device), Input: Board },
  ply: number("ply", word("Half-move number"), { min: 1, max: 999 }),
  delta: {
    whole: () => true,
    Input: ({ said, set }) => html`<label>${say(said.kind === "take-time" ? word("Seconds taken off") : word("Seconds for the opponent"))} <input type="number" inputmode="numeric" name="delta"
      value=${said.clock_delta_ms === undefined ? "" : said.clock_delta_ms / 1000}
      onInput=${(event) => set({ clock_delta_ms: event.target.value === "" ? undefined : Number(event.target.value) * 1000 })} /></label>`,
  },
  send: {
    whole: () => true,
    Input: ({ said, set, state }) => html`<label class="check"><input type="checkbox" checked=${Boolean(said.send)}
      onChange=${(event) => set({ send: event.target.checked || undefined })} /> ${say("Set the clock at the board too")}</label>
      ${isHeard(state) && !said.send && html`<p class="soft">${say("Where the board has a clock, that one tells its own times again within a second: set it there, or tick this.")}</p>`}`,
  },
  players: {
    whole: () => true,
    Input: ({ said, set, state }) => html`<div class="pair">${["white", "black"].map((side) => html`<label key=${side}>${sideWord(side)}
      <input name=${side} maxlength="100" autocomplete="off" placeholder=${state[side]} value=${said[side] ?? ""} onInput=${(event) => set({ [side]: event.target.value || undefined })} /></label>`)}</div>`,
  },
  times: { whole: ({ white_ms: white, black_ms: black }) => white !== undefined && black !== undefined, Input: Times },
  report: { whole: ({ kind }) => Boolean(kind), Input: Report },
  position: { whole: ({ fen }) => Boolean(fen), Input: Position },
};
