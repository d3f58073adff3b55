// The arbiter page: the alerts beside the hall, or beside one table.

import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { perform } from "./acting.js";
import { Asked } from "./asked.js";
import { shelved } from "./grouping.js";
import { Hall } from "./hall.js";
import { Calls, Inbox } from "./inbox.js";
import { language, say, speak, translated } from "./language.js";
import { fetched, later } from "./later.js";
import { keepActs, keptActs } from "./newest.js";
import { kept, mine, showTheme } from "./settings.js";
import { steadyUnderTheFinger } from "./steady.js";
import { Tables } from "./tables.js";
import { Undo } from "./undo.js";
import { clockTime, textOf } from "./words.js";

// What nobody sees at first; in the order in which it is wanted next.
const TableView = later("TableView", () => import("./table.js"));
const More = later("More", () => import("./more.js"));
const Appeal = later("Appeal", () => import("./appeal.js"));
const Wall = later("Wall", () => import("./wall.js"));
const PAGES = {
  round: later("Round", () => import("./round.js")),
  devices: later("Devices", () => import("./devices.js")),
  players: later("Players", () => import("./players.js")),
  load: later("Load", () => import("./load.js")),
};
const phone = matchMedia("(max-width: 699px)"); // Alerts or tables, not both beside each other.
const idle = (call) => (globalThis.requestIdleCallback ? requestIdleCallback(call, { timeout: 500 }) : setTimeout(call));

// Once the hall is there, so that a tap waits for nothing. What does not come, comes when it is looked at.
async function fetchTheRest() {
  for (const part of [TableView, More, Appeal, Wall, ...Object.values(PAGES)]) {
    await new Promise(idle);
    await part.come().catch(() => {});
  }
}

function App({ hall }) {
  const [, turn] = useState(0);
  const [place, setPlace] = useState(readPlace());
  const [chosen, setChosen] = useState(null);
  const [more, setMore] = useState(false);
  const [tapped, setTab] = useState("alerts"); // on a phone: alerts or hall
  const tab = hall.readsRulings ? tapped : "hall";
  const [event, setEvent] = useState(null); // {Halls, CallsElsewhere, others}, in an event of several halls
  const redraw = () => turn((n) => n + 1);
  const looked = useRef(false); // A phone draws no tables before they are looked at.
  looked.current ||= !phone.matches || tab === "hall";

  // What listens does so before the page is seen: a tap or an alert in its first moment counts too.
  // However much comes in, the page is drawn once a frame.
  useLayoutEffect(() => {
    let waiting = false;
    return hall.onChange(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        redraw();
      });
    });
  }, []);
  const live = hall.link === "live";
  useEffect(() => void (live && fetchTheRest()), [live]);
  useLayoutEffect(() => {
    phone.addEventListener("change", redraw);
    return () => phone.removeEventListener("change", redraw);
  }, []);
  const others = hall.me?.halls?.length > 0;
  useEffect(() => {
    if (others) fetched(() => import("./halls.js")).then((loaded) => setEvent({ ...loaded, others: new loaded.Others(hall) }));
  }, [others]);
  // Another page begins at its top; the hall is found again where it was left.
  const left = useRef({ view: place.view, at: 0 });
  useLayoutEffect(() => {
    const onHash = () => {
      if (left.current.view === "") left.current.at = scrollY;
      left.current.view = readPlace().view;
      setPlace(readPlace());
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useLayoutEffect(() => scrollTo(0, place.view === "" ? left.current.at : 0), [place.view, place.table, place.ruling]);

  // Keys may follow each other faster than the page is drawn, so the choice is kept apart as well.
  const now = useRef({});
  const choose = (id) => {
    now.current.chosen = id;
    setChosen(id);
  };
  const decide = (ruling, action) => {
    const { line } = textOf(ruling);
    const text = action === "confirm" ? say("Confirmed: {line}", { line }) : say("Dismissed: {line}", { line });
    return perform(hall, ruling.table, { action, ruling: ruling.id }, text);
  };
  // What the list shows by itself. Asked anew at every key.
  const waiting = () => {
    const only = kept("minealone") ? mine() : null;
    return hall.alerts.filter((ruling) => !shelved(ruling, hall.now()) && (!only || only(ruling.table)));
  };
  useLayoutEffect(() => {
    const onKey = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || hall.asking) return;
      if (event.target.closest?.("input, textarea, select, dialog")) return;
      const alerts = listed() ? waiting() : []; // Keys decide nothing that is not seen.
      const at = alerts.findIndex(({ id }) => id === now.current.chosen);
      const ruling = alerts[at];
      const deeds = {
        j: () => choose(alerts[Math.min(at + 1, alerts.length - 1)]?.id ?? null),
        k: () => choose(alerts[Math.max(at - 1, 0)]?.id ?? null),
        o: () => ruling && (location.hash = `#/table/${ruling.table}/${ruling.id}`),
        c: () => ruling && hall.may("confirm") && decide(ruling, "confirm"),
        d: () => ruling && hall.may("dismiss") && decide(ruling, "dismiss"),
        h: () => (location.hash = "#/"),
        Escape: () => (location.hash = "#/"),
        "?": () => setMore(true),
      };
      if (!deeds[event.key]) return;
      event.preventDefault();
      deeds[event.key]();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  const only = kept("minealone") ? mine() : null;
  const alerts = waiting();
  const urgent = alerts.filter(({ urgency }) => urgency === 1).length;
  const calls = alerts.filter(({ urgency }) => urgency < 3).length;
  useEffect(() => {
    document.title = `${urgent ? `(${urgent}) ` : ""}${hall.name || "arbiterd"}`;
  });
  const menu = more && html`<${More} hall=${hall} close=${() => setMore(false)} redraw=${redraw} />`;
  if (place.view === "appeal") return html`<${Appeal} hall=${hall} table=${place.table} rulingId=${place.ruling} />${menu}`;
  if (place.view === "wall") return html`<${Top} hall=${hall} event=${event} setMore=${setMore} /><${Wall} hall=${hall} />${menu}`;
  const Page = PAGES[place.view];
  const elsewhere = place.view !== "";
  return html`
    ${(elsewhere || looked.current) && html`<a class="skip" href="#main">${say("To the tables")}</a>`}
    <${Top} hall=${hall} event=${event} setMore=${setMore} />
    <main key=${language()} class="rooms show-${elsewhere ? "hall" : tab} ${hall.readsRulings ? "" : "alone"}">
      ${!elsewhere && html`<h1 class="unseen">${say("Tables")}</h1>`}
      ${hall.readsRulings && html`<${Inbox} hall=${hall} chosen=${chosen} choose=${choose} only=${only} />`}
      ${place.view === "table"
        ? html`<${TableView} key=${place.table} hall=${hall} table=${place.table} rulingId=${place.ruling} />`
        : place.view === "halls" && event ? html`<${event.Halls} others=${event.others} />`
        : Page ? html`<${Page} hall=${hall} />` : (elsewhere || looked.current) && html`<${Tables} hall=${hall} />`}
    </main>
    <nav class="tabs" aria-label=${say("Pages")}>
      ${hall.readsRulings && html`<button aria-pressed=${!elsewhere && tab === "alerts"} onClick=${() => (setTab("alerts"), (location.hash = "#/"))}>
        ${calls > 0 && html`<i class="sign u${urgent ? 1 : 2}"></i>`} ${say("Alerts")} <${Calls} alerts=${alerts} /></button>`}
      <button aria-pressed=${!elsewhere && tab === "hall"} onClick=${() => (setTab("hall"), (location.hash = "#/"))}>${say("Hall")}</button>
    </nav>
    <${Undo} hall=${hall} />
    <${Asked} hall=${hall} />
    ${menu}`;
}

// The list of alerts is on the screen: neither the wall nor the page for an appeal has it, and a narrow one has the tables
// in its place.
const listed = () => (document.querySelector(".alerts")?.getClientRects().length ?? 0) > 0; // Older tablets know no other way.

function readPlace() {
  const [, view = "", table, ruling] = location.hash.split("/");
  return { view, table, ruling }; // Names of tables need no encoding.
}

function Top({ hall, event, setMore }) {
  const states = [...hall.tables.values()].map(({ state }) => state).filter(Boolean);
  const playing = states.filter(({ status, clock }) => status === "playing" && !clock?.flag).length;
  return html`<header class="top">
    <a class="hall" href="#/" title=${hall.name}>${hall.name || "arbiterd"}</a>
    ${hall.simulated && html`<span class="simulated">${say("Simulated – no real boards")}</span>`}
    <span class="sums">${states.length === 1
      ? say("1 table, {playing} playing", { playing })
      : say("{tables} tables, {playing} playing", { tables: states.length, playing })}</span>
    <span class="link ${hall.link}" role="status">${{
      connecting: say("Connecting …"),
      live: say("Live"),
      lost: hall.word.at === null ? say("Connection lost. Trying again …")
        : say("Connection lost – what you see is old, of {time}. Trying again …", { time: clockTime(hall.word.at) }),
      out: say("You are logged out – what you see is old. The session is over, or the login is shut out or has a new password."),
    }[hall.link]}</span>
    ${hall.link === "out" && html`<button onClick=${() => location.reload()}>${say("Log in")}</button>`}
    ${hall.status?.state === "offline" && html`<span class="link lost" role="status">${say("Service offline")}</span>`}
    ${event && html`<${event.CallsElsewhere} others=${event.others} />`}
    ${hall.me?.login && html`<span class="who">${hall.me.login}${hall.mayAct ? "" : ` · ${say("may look, not act")}`}</span>`}
    <button class="open-more" onClick=${() => setMore(true)} aria-label=${say("More")}>☰</button>
  </header>
  ${hall.ill && html`<p class="ill" role="alert">${say("Call the technician: {ill}", { ill: hall.ill.split("\n").map(translated).join("; ") })}</p>`}`;
}

showTheme();
steadyUnderTheFinger();
const hall = new Hall({ signs: true, keeps: { keepActs, keptActs } }); // It listens while the language comes.
await speak();
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} hall=${hall} />`, root);
