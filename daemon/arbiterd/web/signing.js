// Under whose name an act goes on the record: the login, else a name that is given once.

const NAME = "arbiterd.name";

export function arbiterName(hall) {
  return hall.me?.login ?? localStorage.getItem(NAME) ?? "";
}

export function keepName(hall, name) {
  if (!hall.me?.login) localStorage.setItem(NAME, name.trim());
}

// Asks for the name where none is known; empty where none is given.
export function signature(hall) {
  const by = arbiterName(hall) || prompt("Your name, for the record")?.trim() || "";
  if (by) keepName(hall, by);
  return by;
}
