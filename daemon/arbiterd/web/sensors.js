// Coils and chips that the games on a board showed to be read wrongly, as one text.

import { pieceName } from "./diagram.js";
import { say, translated } from "./language.js";

/** `{square, piece, times, hours, weak, words}` each, the worst first; none: an empty text. `chess`: its pieces have names. */
export function sensorsSaid(device, chess) {
  return (device.sensors || [])
    .map(({ square, piece, words, hours }) => say("{what} {words} in {hours} h", {
      what: square || namedPiece(piece, chess), words: words.split(", ").map(translated).join(", "), hours,
    }))
    .join("; ");
}

const namedPiece = (piece, chess) => (chess ? pieceName(piece, chess) : say("a piece {piece}", { piece }));

/** Faults of a board, its clock or its cable, as one text. */
export const faultsSaid = (device) => (device?.faults || []).map(translated).join("; ");
