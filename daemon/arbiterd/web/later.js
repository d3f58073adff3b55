// Pages that not everybody looks at: their modules come when they are asked for.

import { html, useLayoutEffect, useState } from "./vendor/htm-preact.js";

const RETRY_MS = 2000;

// What `load` brings; asked for again while the service is away.
export async function fetched(load) {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return fetched(load);
  }
}

// A part that `load` brings as a module's export of this name; it draws nothing until it is there.
export function later(name, load) {
  let Part = null;
  const come = async () => void (Part ??= (await fetched(load))[name]);
  const Later = (props) => {
    const [, there] = useState(Part !== null);
    useLayoutEffect(() => void come().then(() => there(true)), []); // It may have come since this was drawn.
    return Part && html`<${Part} ...${props} />`;
  };
  return Object.assign(Later, { come });
}
