// The hall as it stands, in every language: each table where it was dragged once, kept on this tablet or in a file.

import { html, useRef, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { keep, kept } from "./settings.js";
import { Tile } from "./tiles.js";

const KEPT = "plan";
const STEP = 2; // per cent of the hall: tables stand in rows
const COLUMNS_MAX = 14; // of tables that nobody has placed: as many as a desk's screen shows

// {table: [x, y]} in per cent of the hall. Throws where the text is none.
function planOf(text) {
  const plan = JSON.parse(text);
  const share = (part) => typeof part === "number" && part >= 0 && part <= 100;
  if (plan === null || typeof plan !== "object" || Array.isArray(plan)) throw new TypeError("no plan");
  for (const place of Object.values(plan)) {
    if (!Array.isArray(place) || place.length !== 2 || !place.every(share)) throw new TypeError("no place");
  }
  return plan;
}

function read() {
  try {
    return planOf(kept(KEPT));
  } catch {
    return {}; // Nothing is kept yet, or nothing that can be read.
  }
}

// Tables that nobody has placed stand in rows.
function rowsOf(count) {
  const columns = Math.min(COLUMNS_MAX, Math.ceil(Math.sqrt(count * 1.4)));
  return { columns, rows: Math.ceil(count / columns) };
}

function placeOf(plan, state, at, { columns, rows }) {
  if (plan[state.table]) return plan[state.table];
  return [((at % columns) * 100) / columns, (Math.floor(at / columns) * 100) / rows];
}

export function Plan({ hall, states, urgencies }) {
  const [plan, setPlan] = useState(read());
  const [moving, setMoving] = useState(false);
  const room = useRef(null);
  const held = useRef(null);
  const inRows = rowsOf(states.length);
  const save = (next) => {
    setPlan(next);
    keep(KEPT, JSON.stringify(next));
  };
  const down = (event, state) => {
    if (!moving) return;
    event.preventDefault();
    held.current = state.table;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    if (!held.current) return;
    const box = room.current.getBoundingClientRect();
    const near = (share) => Math.max(0, Math.min(100 - STEP, Math.round((100 * share) / STEP) * STEP));
    const wide = event.currentTarget.offsetWidth;
    const high = event.currentTarget.offsetHeight;
    setPlan({ ...plan, [held.current]: [
      near((event.clientX - wide / 2 - box.left) / box.width), near((event.clientY - high / 2 - box.top) / box.height),
    ] });
  };
  const up = () => {
    if (held.current) save(plan);
    held.current = null;
  };
  const load = async (event) => {
    const [file] = event.target.files;
    try {
      save(planOf(await file.text()));
    } catch {
      hall.tell(say("{file} is no seating plan; write {\"table\": [x, y], …} in per cent.", { file: file.name }), true);
    }
  };
  const written = `data:application/json,${encodeURIComponent(JSON.stringify(plan))}`;
  return html`<div class="seating">
    <div class="over">
      <button aria-pressed=${moving} onClick=${() => setMoving(!moving)}>${moving ? say("Done") : say("Move the tables")}</button>
      ${moving && html`<label class="file">${say("From a file")} <input type="file" accept=".json" onChange=${load} /></label>
        <a class="button" download="seating-plan.json" href=${written}>${say("Save as a file")}</a>
        <button onClick=${() => save({})}>${say("In rows")}</button>`}
    </div>
    <div class="scrolls" tabindex="0" role="region" aria-label=${say("Plan")}><div class="room ${moving ? "moving" : ""}" ref=${room}
        style=${`--columns:${inRows.columns};--rows:${inRows.rows}`}>
      ${states.map((state, at) => {
        const [x, y] = placeOf(plan, state, at, inRows);
        return html`<div class="seat" key=${state.table} style=${`left:${x}%;top:${y}%`}
          onPointerDown=${(event) => down(event, state)} onPointerMove=${move} onPointerUp=${up}>
          <${Tile} hall=${hall} state=${state} urgency=${urgencies.get(state.table)} fresh=${hall.fresh} /></div>`;
      })}
    </div></div></div>`;
}
