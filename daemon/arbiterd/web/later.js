// Pages that not everybody looks at: their modules come when they are asked for.

import { html, useLayoutEffect, useState } from "./vendor/htm-preact.js";

const RETRY_MS = 2000;
const ANEW_MS = 60000;
const ANEW = "arbiterd.read-anew";

const answers = () => fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok, () => false);

// The whole page is read once more, at the same place; not twice within a minute.
function readAnew() {
  if (Date.now() - Number(sessionStorage.getItem(ANEW)) < ANEW_MS) return;
  sessionStorage.setItem(ANEW, Date.now());
  location.reload();
}

// What `load` brings; asked for again while the service is away. A browser may remember that a module did not come and
// ask no more, though the service is there: then only the page read anew brings it.
export async function fetched(load) {
  for (;;) {
    try {
      return await load();
    } catch {
      if (await answers()) readAnew();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

// A part that `load` brings as a module's export of this name; it draws nothing until it is there.
// `come` asks for it once, before anybody looks.
export function later(name, load) {
  let Part = null;
  const come = async () => void (Part ??= (await load())[name]);
  const Later = (props) => {
    const [, there] = useState(Part !== null);
    useLayoutEffect(() => void fetched(come).then(() => there(true)), []); // It may have come since this was drawn.
    return Part && html`<${Part} ...${props} />`;
  };
  return Object.assign(Later, { come });
}
