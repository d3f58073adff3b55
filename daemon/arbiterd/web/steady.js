// What has just moved takes no tap for a moment: the finger was on its way to what stood there before.

import { useLayoutEffect, useRef } from "./vendor/htm-preact.js";

const ON_THE_WAY_MS = 400; // From seeing to touching takes a hand somewhat less.

// Of a list, where the tap would decide another ruling. `rulings`: in the order in which they stand. Gives the ref of
// the element they stand in.
export function useSteady(rulings) {
  const box = useRef(null);
  const stood = useRef(null);
  const timer = useRef(null);
  const order = rulings.map(({ id, revision }) => `${id} ${revision}`);
  useLayoutEffect(() => {
    const before = stood.current ?? order;
    stood.current = order;
    const other = order.findIndex((one, at) => one !== before[at]);
    if (other < 0 || other >= before.length) return; // All stand where they stood.
    box.current.classList.add("moved");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => box.current?.classList.remove("moved"), ON_THE_WAY_MS);
  }, [order.join()]);
  return box;
}

const NEAR_PX = 24; // Half a button: the taps of one finger are no further apart.

// Of a double tap both mean one button. Where the first one has put another button there, or another word on it (Pause,
// Resume), the second presses nothing; what only unfolds and folds does. From the keyboard it is the key that is held.
export function steadyUnderTheFinger() {
  let last = null;
  addEventListener("click", (event) => {
    const button = event.target.closest?.("button:not([aria-expanded]), a") ?? null;
    const tap = { at: event.timeStamp, x: event.clientX, y: event.clientY, button, says: button?.textContent };
    const before = last;
    last = tap;
    if (!button || !before || tap.at - before.at > ON_THE_WAY_MS) return;
    const same = button === before.button;
    const near = event.detail > 0 && Math.hypot(tap.x - before.x, tap.y - before.y) < NEAR_PX;
    if (same ? tap.says === before.says : !near) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
