// Under whose name an act goes on the record: the login, else a name that is given once.

import { keep, kept } from "./settings.js";

export function arbiterName(hall) {
  return hall.me?.login ?? kept("name") ?? "";
}

// Asks for the name where none is known; empty where none is given.
export async function signature(hall) {
  const known = arbiterName(hall);
  if (known) return known;
  const given = ((await hall.ask({ what: "name" })) || "").trim();
  if (given) keep("name", given);
  return given;
}
