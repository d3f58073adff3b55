// The language of the page. Its texts stand in the code in English; `languages/<code>.json` has
// each in another one: {"name", "direction": "ltr" | "rtl", "words": {English: translated},
// "refusals", "told" and "devices": {what the service says, its parts as {1}, {2} …: translated}}.

import { kept, keep } from "./settings.js";

let words = {};
let code = "en";
let sentences = []; // of the service: {heard: RegExp, said}, of the most words first

// A text in the language of the page; {name} takes what `values` has under that name.
export function say(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => isolated(values[name] ?? whole));
}

// What the service says, in English to everybody: why an act is refused, what it finds, what is
// wrong with a device. A sentence that is not known stays so.
export function translated(sentence) {
  for (const { heard, said } of sentences) {
    const parts = heard.exec(sentence);
    if (parts) return said.replace(/\{(\d)\}/g, (_, place) => isolated(translated(parts[place])));
  }
  return sentence;
}

// As `sentences` has them, from the pairs of a language's file.
function patterns(pairs) {
  const literal = (text) => text.replace(/\{\d\}/g, "");
  return Object.entries(pairs)
    .sort(([one], [other]) => literal(other).length - literal(one).length)
    .map(([text, said]) => ({ said, heard: new RegExp(`^${text.split(/\{\d\}/).map(escaped).join("(.+?)")}$`, "s") }));
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Marks a text that is said later, by `say` of a variable.
export const word = (text) => text;

export const language = () => code;

const rightToLeft = () => document.documentElement.dir === "rtl";

// What is put into a text keeps its own direction.
const isolated = (text) => (rightToLeft() ? `\u2068${text}\u2069` : text);

// Figures with a sign or a unit, and notation, read from left to right in every language.
export const ltr = (text) => (rightToLeft() ? `\u2066${text}\u2069` : text);

// What the address asks for with `lang=es`; null where it asks for nothing.
export function asked(search = location.search) {
  const said = new URLSearchParams(search).get("lang");
  return /^[a-z]{2,3}$/.test(said ?? "") ? said : null;
}

export async function speak(wanted = asked() ?? kept("language") ?? browserLanguage()) {
  let said = null;
  try {
    const answer = await fetch(`/web/languages/${wanted}.json`);
    said = answer.ok ? await answer.json() : null;
  } catch {
    // English then; the page asks again when it is loaded again.
  }
  words = said?.words ?? {};
  sentences = patterns({ ...said?.refusals, ...said?.told, ...said?.devices });
  code = said ? wanted : "en";
  document.documentElement.lang = code;
  document.documentElement.dir = said?.direction ?? "ltr";
}

export async function choose(wanted) {
  keep("language", wanted);
  await speak(wanted);
}

function browserLanguage() {
  const [first] = (navigator.language ?? "en").toLowerCase().split("-");
  return /^[a-z]{2,3}$/.test(first) ? first : "en";
}
