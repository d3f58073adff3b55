// Boards as SVG, whatever their size: a FEN board field in, squares, pieces and marks out.

import { html, Component } from "./vendor/htm-preact.js";
import { say, word } from "./language.js";

const SPRITE = "/web/vendor/cburnett.svg";
const KANJI = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};

// What sensors that tell colours alone make of a piece; `?` is one they know nothing of.
const WHITE_PIECE = "white?";
const BLACK_PIECE = "black?";

// {files, ranks, pieces: [letter | ""]} in reading order.
export function readField(field) {
  const rows = field.split(" ")[0].split("/");
  const ranks = rows.map((row) => {
    const pieces = [];
    for (const [, digits, piece] of row.matchAll(/(\d)|(\+?[A-Za-z?])/g)) {
      if (digits) pieces.push(...Array(Number(digits)).fill(""));
      else pieces.push(piece);
    }
    return pieces;
  });
  // No piece has the letter w, so where it stands b is a black piece too, and no bishop.
  const pieces = ranks.flat();
  const colours = pieces.includes("w") ? { w: WHITE_PIECE, b: BLACK_PIECE } : {};
  return { files: ranks[0].length, ranks: ranks.length, pieces: pieces.map((piece) => colours[piece] ?? piece) };
}

// Shogi is looked at from black, who moves first; every other game from white.
export function nearSide(fen) {
  return readField(fen).files === 9 ? "black" : "white";
}

export const farSide = (fen) => (nearSide(fen) === "white" ? "black" : "white");

// Shogi counts files from the right and letters its ranks; every other board is as in chess.
export function squareName(board, square) {
  const file = square % board.files;
  const rank = Math.floor(square / board.files);
  if (board.files === 9) return `${9 - file}${"abcdefghi"[rank]}`;
  return `${"abcdefghijklmnop"[file]}${board.ranks - rank}`;
}

function squareNames(board) {
  return board.pieces.map((_, square) => squareName(board, square));
}

// The squares of a move in wire form; a drop has one.
function moveSquares(board, wire) {
  const names = squareNames(board);
  return (wire?.match(/[a-p]\d{1,2}|\d[a-i]/g) ?? [])
    .map((name) => names.indexOf(name))
    .filter((square) => square >= 0);
}

// Do the sensors contradict this piece? They may tell less than the position holds.
function contradicts(seen, piece) {
  if (seen === piece) return false;
  if (!seen || !piece) return true;
  if (seen === "?") return false;
  if (seen === WHITE_PIECE) return piece !== piece.toUpperCase();
  if (seen === BLACK_PIECE) return piece !== piece.toLowerCase();
  return true;
}

// [{square, name, piece, seen}] where placement and position differ.
export function differences(fen, placement) {
  const position = readField(fen);
  const shown = readField(placement);
  if (shown.pieces.length !== position.pieces.length) return [];
  return position.pieces
    .map((piece, square) => ({ square, name: squareName(position, square), piece, seen: shown.pieces[square] }))
    .filter(({ piece, seen }) => contradicts(seen, piece));
}

// Extras of a rule set that are lists of squares are drawn on the board, `hand_…` lies beside each
// player; the rest is told by its name, unless it is empty.
export function marksOf(board, extras) {
  const names = squareNames(board);
  const marks = [];
  const told = [];
  // What covers more of the board lies lower: planks are on the river.
  const entries = Object.entries(extras ?? {}).sort(([, a], [, b]) => b.length - a.length);
  for (const [what, text] of entries) {
    const words = text.split(/[\s,]+/).filter(Boolean);
    const squares = words.map((word) => names.indexOf(word));
    if (words.length && squares.every((square) => square >= 0)) {
      for (const square of squares) marks.push({ square, what });
    } else if (text && !what.startsWith("hand_")) {
      told.push({ what: what.replaceAll("_", " "), text });
    }
  }
  return { marks, told };
}

// A hand as SFEN writes it, "2PB": its pieces in that order, each with its sign and how many.
function handOf(sfen) {
  return [...sfen.matchAll(/(\d*)([A-Za-z])/g)]
    .map(([, count, piece]) => ({ piece: piece.toUpperCase(), sign: KANJI[piece.toUpperCase()] ?? piece, count: Number(count || 1) }));
}

// The pieces beside one player, drawn as on the board; nothing where the game has no hands.
export function Hand({ extras, side, away }) {
  const sfen = extras?.[`hand_${side}`];
  if (sfen === undefined) return null;
  const pieces = handOf(sfen);
  const said = pieces.map(({ piece, count }) => `${count} ${piece}`).join(", ") || say("nothing");
  return html`<p class="hand" aria-label=${(side === "white" ? say("In White's hand: {pieces}", { pieces: said }) : say("In Black's hand: {pieces}", { pieces: said }))}>
    ${!pieces.length && html`<small>${say("no pieces in hand")}</small>`}
    ${pieces.map(({ sign, count }) => html`<span class="held">
      <svg class="shogi" viewBox="-17 -19 34 37" aria-hidden="true"><g class="koma" transform="rotate(${away ? 180 : 0})">
        <path d="M0-17 12-11 15 16H-15L-12-11Z" /><text y="10">${sign}</text></g></svg>
      ${count > 1 && html`<b>${count}</b>`}</span>`)}</p>`;
}

const PIECES = {
  P: word("a white pawn"), N: word("a white knight"), B: word("a white bishop"),
  R: word("a white rook"), Q: word("a white queen"), K: word("a white king"),
  p: word("a black pawn"), n: word("a black knight"), b: word("a black bishop"),
  r: word("a black rook"), q: word("a black queen"), k: word("a black king"),
};
const UNNAMED = {
  "": word("nothing"), "?": word("a piece"), o: word("a counter"),
  [WHITE_PIECE]: word("a white piece"), [BLACK_PIECE]: word("a black piece"),
};

export function pieceName(piece, chess) {
  const name = UNNAMED[piece ?? ""] ?? (chess && PIECES[piece]);
  return name ? say(name) : piece;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// More squares than this differ: the pieces were put away or set up anew, and marks would say nothing.
const CLEARED = 10;

// props: fen, lastMove, extras, seen (a placement whose differences are marked), turned, label, small,
// marked (names of squares), arrows (moves in wire form), onSquare (what a tap on a square does)
export class Diagram extends Component {
  shouldComponentUpdate(next) {
    return ["fen", "lastMove", "seen", "turned", "label", "onSquare"].some((key) => next[key] !== this.props[key])
      || ["extras", "marked", "arrows"].some((key) => !same(next[key], this.props[key]));
  }

  render({ fen, lastMove, extras, seen, turned, label, small, marked = [], arrows = [], onSquare }) {
    const board = readField(fen);
    const { marks } = marksOf(board, extras);
    const shogi = board.files === 9;
    const last = new Set(moveSquares(board, lastMove));
    const found = seen ? differences(fen, seen) : [];
    const cleared = found.length > CLEARED;
    const wrong = cleared ? [] : found;
    const at = (square) => {
      const place = turned ? board.pieces.length - 1 - square : square;
      return [40 * (place % board.files), 40 * Math.floor(place / board.files)];
    };
    const edge = small ? 0 : 14;
    const names = squareNames(board);
    const pointed = marked.map((name) => names.indexOf(name)).filter((square) => square >= 0);
    return html`
      <svg class=${shogi ? "diagram shogi" : "diagram"} role="img" aria-label=${[label, ...Object.entries(extras ?? {}).map((extra) => extra.join(" "))].join("; ")}
        viewBox="${-edge} 0 ${40 * board.files + edge} ${40 * board.ranks + edge}">
        ${board.pieces.map((_, square) => {
          const [x, y] = at(square);
          const dark = (square + Math.floor(square / board.files)) % 2 === 1 && board.files % 2 === 0;
          return html`<rect class="sq ${dark ? "dark" : "light"} ${last.has(square) ? "last" : ""}"
            x=${x} y=${y} width="40" height="40" />`;
        })}
        ${marks.map(({ square, what }) => {
          const [x, y] = at(square);
          return html`<rect class="mark ${what}" x=${x + 3} y=${y + 3} width="34" height="34" rx="4"><title>${what}</title></rect>`;
        })}
        <g class=${cleared ? "cleared" : ""}>
          ${board.pieces.map((piece, square) => piece && html`<${Piece} piece=${piece} at=${at(square)} shogi=${shogi} turned=${turned} />`)}
        </g>
        ${cleared && html`<g class="notice" transform="translate(${20 * board.files} ${20 * board.ranks})">
          <rect x="-130" y="-19" width="260" height="38" rx="6" /><text y="6">${say("The pieces are set up otherwise")}</text></g>`}
        ${wrong.map(({ square, seen: piece }) => {
          const [x, y] = at(square);
          return html`<g class="wrong">
            <rect x=${x + 1.5} y=${y + 1.5} width="37" height="37" rx="3" />
            <g class="ghost" transform="translate(${x + 14} ${y}) scale(.65)">
              ${piece ? html`<${Piece} piece=${piece} at=${[0, 0]} shogi=${shogi} turned=${turned} />`
                    : html`<path class="gone" d="M10 10 30 30M30 10 10 30" />`}
            </g></g>`;
        })}
        ${pointed.map((square) => {
          const [x, y] = at(square);
          return html`<rect class="pointed" x=${x + 2} y=${y + 2} width="36" height="36" rx="3" />`;
        })}
        ${arrows.map((wire) => html`<${Arrow} squares=${moveSquares(board, wire).map(at)} />`)}
        ${onSquare && board.pieces.map((_, square) => {
          const [x, y] = at(square);
          return html`<rect class="touchable" x=${x} y=${y} width="40" height="40" onClick=${() => onSquare(square)} />`;
        })}
        ${!small && html`<${Edges} board=${board} turned=${turned} />`}
      </svg>`;
  }
}

export function Piece({ piece, at: [x, y], shogi, turned }) {
  if (piece === "o" || piece.endsWith("?")) {
    return html`<g class="piece-unknown ${piece.replace("?", "")}"><circle cx=${x + 20} cy=${y + 20} r="11" />
      <text x=${x + 20} y=${y + 26}>${piece === "o" ? "" : "?"}</text></g>`;
  }
  if (!shogi) {
    const letter = piece.toLowerCase();
    const colour = piece === letter ? "b" : "w";
    return html`<use href="${SPRITE}#${colour}${letter}" x=${x} y=${y} />`;
  }
  const gote = piece !== piece.toUpperCase();
  const sign = piece === "k" ? "王" : (KANJI[piece.toUpperCase()] ?? piece);
  return html`<g class=${piece.startsWith("+") ? "koma promoted" : "koma"}
      transform="translate(${x + 20} ${y + 20}) rotate(${gote !== Boolean(turned) ? 180 : 0})">
      <path d="M0-17 12-11 15 16H-15L-12-11Z" /><text y="10">${sign}</text></g>`;
}

function Arrow({ squares: [from, to] }) {
  if (!from || !to) return null;
  const [x, y, u, v] = [from[0] + 20, from[1] + 20, to[0] + 20, to[1] + 20];
  const long = Math.hypot(u - x, v - y);
  const [a, b] = [(u - x) / long, (v - y) / long];
  const [tipX, tipY] = [u - 4 * a, v - 4 * b];
  return html`<g class="arrow"><path d="M${x} ${y}L${u - 14 * a} ${v - 14 * b}" />
    <path class="tip" d="M${tipX} ${tipY}L${tipX - 14 * a - 8 * b} ${tipY - 14 * b + 8 * a}L${tipX - 14 * a + 8 * b} ${tipY - 14 * b - 8 * a}Z" /></g>`;
}

function Edges({ board, turned }) {
  const place = (index, count) => 40 * (turned ? count - 1 - index : index) + 20;
  const files = [...Array(board.files).keys()];
  const ranks = [...Array(board.ranks).keys()];
  const name = (square) => squareName(board, square);
  return html`<g class="edges">
    ${files.map((file) => html`<text x=${place(file, board.files)} y=${40 * board.ranks + 11}>${name(file)[0]}</text>`)}
    ${ranks.map((rank) => html`<text x="-8" y=${place(rank, board.ranks) + 4}>${name(rank * board.files).slice(1)}</text>`)}
  </g>`;
}
