// Coils and chips that the games on a board showed to be read wrongly, as one text.

import { say, translated } from "./language.js";

/** `{square, piece, times, hours, weak, words}` each, the worst first; none: an empty text. */
export function sensorsSaid(device) {
  return (device.sensors || [])
    .map(({ square, piece, words, hours }) => say("{what} {words} in {hours} h", {
      what: square || say("pieces {piece}", { piece }), words: words.split(", ").map(translated).join(", "), hours,
    }))
    .join("; ");
}

/** Faults of a board, its clock or its cable, as one text. */
export const faultsSaid = (device) => (device?.faults || []).map(translated).join("; ");
