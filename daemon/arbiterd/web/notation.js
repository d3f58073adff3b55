// A move as people of the page's language write it: Nf3 is Cf3 in Spanish.

import { say } from "./language.js";

const ENGLISH = "KQRBN";
// Of chess. Shogi writes its squares the other way round, and its letters are the same everywhere.
const PIECE = /^[KQRBN](?=[a-h]?[1-8]?x?[a-h][1-8])|=[QRBN]/g;

export function written(san) {
  const letters = say("KQRBN");
  const inLetters = (found) => found.slice(0, -1) + letters[ENGLISH.indexOf(found.at(-1))];
  return letters === ENGLISH ? san : san?.replace(PIECE, inLetters);
}
