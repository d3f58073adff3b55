// Moves as people of the page's language write them: Nf3 is Cf3 in Spanish.

import { say, word } from "./language.js";

const ENGLISH = word("KQRBN");

// Of chess. Shogi writes its squares the other way round, and its letters are the same everywhere.
const pieces = (letters) => new RegExp(`^[${letters}](?=[a-h]?[1-8]?x?[a-h][1-8])|=[${letters}]`, "g");

const inLetters = (move, from, to) => from === to ? move
  : move?.replace(pieces(from), (found) => found.slice(0, -1) + to[from.indexOf(found.at(-1))]);

export const written = (san) => inLetters(san, ENGLISH, say(ENGLISH));

// What the service reads, of what was typed.
export const inEnglish = (typed) => inLetters(typed, say(ENGLISH), ENGLISH);
