// What this tablet was told to remember, and nothing about a game.

const PREFIX = "arbiterd.";

export const kept = (name) => localStorage.getItem(PREFIX + name);

export function keep(name, value) {
  if (value === null || value === "") localStorage.removeItem(PREFIX + name);
  else localStorage.setItem(PREFIX + name, value);
}

export const THEMES = ["dark", "light", "hall"];

export function showTheme(theme = kept("theme") ?? "dark") {
  document.documentElement.dataset.theme = THEMES.includes(theme) ? theme : "dark";
}

// "1-20, 33": which tables are this arbiter's; however they are set apart. Null: nothing was said.
export function mine(said = kept("mine")) {
  const parts = (said ?? "").replace(/\s*[-–—]\s*/g, "-").split(/[\s,;]+/).filter(Boolean);
  if (!parts.length) return null;
  const ranges = parts.map((part) => part.match(/^(\d+)-(\d+)$/));
  return (table) => parts.some((part, at) => ranges[at]
    ? /^\d+$/.test(table) && Number(table) >= Number(ranges[at][1]) && Number(table) <= Number(ranges[at][2])
    : part === table);
}
