// A list whose entries have just moved takes no tap for a moment: the finger was on its way to what
// stood there before, and would decide another ruling.

import { useLayoutEffect, useRef } from "./vendor/htm-preact.js";

const ON_THE_WAY_MS = 400; // From seeing to touching takes a hand somewhat less.

// `rulings`: in the order in which they stand. Gives the ref of the element they stand in.
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
