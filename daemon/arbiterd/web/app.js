// The arbiter page: the alerts beside the hall, or beside one table.

import { html, render, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { Hall } from "./hall.js";
import { Alerts } from "./alerts.js";
import { Decide } from "./decide.js";
import { Undo } from "./undo.js";
import { Overview } from "./overview.js";
import { TableView } from "./table.js";

const LIGHT = "arbiterd.light";

function App({ hall }) {
  const [, turn] = useState(0);
  const [place, setPlace] = useState(readPlace());
  const [chosen, setChosen] = useState(null);
  const [deciding, setDeciding] = useState(null);
  const [wantedFirst, setWantedFirst] = useState(false);
  const [help, setHelp] = useState(false);

  // However much comes in, the page is drawn once a frame.
  useEffect(() => {
    let waiting = false;
    return hall.onChange(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        turn((n) => n + 1);
      });
    });
  }, []);
  useEffect(() => {
    const onHash = () => setPlace(readPlace());
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  // Keys may follow each other faster than the page is drawn, so the choice is kept apart as well.
  const now = useRef({});
  const choose = (id) => {
    now.current.chosen = id;
    setChosen(id);
  };
  const decide = (ruling, action) => {
    now.current.deciding = { ruling, action };
    setDeciding(now.current.deciding);
  };
  // A dialog tells its end twice, and the second may come when the next one is open.
  const decided = (of) => {
    if (now.current.deciding !== of) return;
    now.current.deciding = null;
    setDeciding(null);
  };
  useEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || now.current.deciding) return;
      if (event.target.closest?.("input, textarea, dialog")) return;
      const alerts = hall.alerts;
      const at = alerts.findIndex(({ id }) => id === now.current.chosen);
      const ruling = alerts[at];
      const deeds = {
        j: () => choose(alerts[Math.min(at + 1, alerts.length - 1)]?.id ?? null),
        k: () => choose(alerts[Math.max(at - 1, 0)]?.id ?? null),
        o: () => ruling && (location.hash = `#/table/${ruling.table}/${ruling.id}`),
        c: () => ruling && hall.mayAct && decide(ruling, "confirm"),
        d: () => ruling && hall.mayAct && decide(ruling, "dismiss"),
        h: () => (location.hash = "#/"),
        Escape: () => (help ? setHelp(false) : (location.hash = "#/")),
        "?": () => setHelp(!help),
      };
      if (!deeds[event.key]) return;
      event.preventDefault();
      deeds[event.key]();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  useEffect(() => {
    const urgent = hall.alerts.filter(({ urgency }) => urgency === 1).length;
    document.title = `${urgent ? `(${urgent}) ` : ""}${hall.name || "arbiterd"}`;
  });

  return html`
    <a class="skip" href="#main">To the tables</a>
    <${Top} hall=${hall} setHelp=${setHelp} />
    <div class="rooms ${place.table ? "at-table" : ""}">
      <${Alerts} hall=${hall} chosen=${chosen} choose=${choose} decide=${decide} />
      ${place.table
        ? html`<${TableView} key=${place.table} hall=${hall} table=${place.table} rulingId=${place.ruling} decide=${decide} />`
        : html`<main id="main"><div class="over">
            <h1 class="unseen">Tables</h1>
            <label><input type="checkbox" checked=${wantedFirst}
              onChange=${(event) => setWantedFirst(event.target.checked)} /> Tables with alerts first</label></div>
            <${Overview} hall=${hall} wantedFirst=${wantedFirst} /></main>`}
    </div>
    <${Undo} hall=${hall} />
    ${help && html`<${Keys} hall=${hall} close=${() => setHelp(false)} />`}
    ${deciding && html`<${Decide} key=${`${deciding.action}/${deciding.ruling.id}`}
      hall=${hall} ...${deciding} close=${() => decided(deciding)} />`}`;
}

function readPlace() {
  const [, view, table, ruling] = location.hash.split("/");
  return view === "table" ? { table: decodeURIComponent(table), ruling } : {};
}

function Top({ hall, setHelp }) {
  const [light, setLight] = useState(localStorage.getItem(LIGHT) === "yes");
  useEffect(() => {
    document.documentElement.classList.toggle("light", light);
    localStorage.setItem(LIGHT, light ? "yes" : "no");
  }, [light]);
  const states = [...hall.tables.values()].map(({ state }) => state).filter(Boolean);
  const playing = states.filter(({ status, clock }) => status === "playing" && !clock?.flag).length;
  return html`<header class="top">
    <span class="hall">${hall.name || "arbiterd"}</span>
    ${hall.simulated && html`<span class="simulated">Simulated – no real boards</span>`}
    <span class="sums">${states.length} ${states.length === 1 ? "table" : "tables"}, ${playing} playing</span>
    <span class="link ${hall.link}" role="status">${{
      connecting: "Connecting …",
      live: "Live",
      lost: "Connection lost – what you see is old. Trying again …",
    }[hall.link]}</span>
    ${hall.status?.state === "offline" && html`<span class="link lost" role="status">Service offline</span>`}
    ${hall.me?.login && html`<span class="who">${hall.me.login}${hall.mayAct ? "" : " · may look, not act"}</span>`}
    <button onClick=${() => setLight(!light)}>${light ? "Dark" : "Light"}</button>
    <button onClick=${() => setHelp(true)} aria-label="Keys">?</button>
  </header>
  ${hall.ill && html`<p class="ill" role="alert">Call the technician: ${hall.ill}</p>`}`;
}

function Keys({ hall, close }) {
  const button = useRef(null);
  useEffect(() => button.current.focus(), []);
  const keys = [
    ["j k", "next, previous alert"],
    ...(hall.mayAct ? [["c", "confirm the alert"], ["d", "dismiss it"]] : []),
    ["o", "open its table"], ["h, Esc", "back to the hall"], ["← →", "step through the moves (once in the list)"],
  ];
  return html`<aside class="keys" role="dialog" aria-label="Keys"><h2>Keys</h2>
    <dl>${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <button ref=${button} onClick=${close}>Close</button></aside>`;
}

const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} hall=${new Hall({ signs: true })} />`, root);
