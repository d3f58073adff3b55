// One timer for all that ages on the page.

import { useEffect, useState } from "./vendor/htm-preact.js";

const listeners = new Map(); // listener -> milliseconds between two calls
const STEP_MS = 250;
let steps = 0;

setInterval(() => {
  steps += 1;
  for (const [listener, every] of listeners) if ((steps * STEP_MS) % every === 0) listener();
}, STEP_MS);

// What `read` gives, read anew every so many milliseconds; drawn again only when it is another.
export function useTicking(read, every = 1000, still = false) {
  const [, draw] = useState(null);
  const value = read();
  useEffect(() => {
    if (still) return undefined;
    const tick = () => draw(read());
    listeners.set(tick, every);
    return () => listeners.delete(tick);
  });
  return value;
}
