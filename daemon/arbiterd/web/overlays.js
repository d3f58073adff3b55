// Makes the address of an overlay by what is ticked, and shows what it looks like.

import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";
import { Hall } from "./hall.js";
import { language, say, speak, word } from "./language.js";
import { Field, wishes } from "./overlay.js";
import { showTheme } from "./settings.js";

const CORNERS = {
  "top-left": word("top left"), "top-right": word("top right"), "bottom-left": word("bottom left"),
  "bottom-right": word("bottom right"), middle: word("middle"),
};
const SHOWN = { clock: word("clocks"), last: word("last move"), material: word("material"), moves: word("opening moves") };

function addressOf({ tables, across, width, margin, theme, corner, frame, lang, show }) {
  const said = new URLSearchParams();
  if (across) said.set("across", across);
  if (width) said.set("width", width);
  if (margin) said.set("margin", margin);
  if (theme) said.set("theme", theme);
  if (corner !== "top-left") said.set("corner", corner);
  if (frame) said.set("frame", "yes");
  if (lang && lang !== "en") said.set("lang", lang);
  said.set("show", show.length ? show.join(",") : "none");
  return `${location.origin}/overlay/${tables.map(encodeURIComponent).join(",")}?${said.toString().replaceAll("%2C", ",")}`;
}

// How large a browser source has to be for these boards, in px; null: boards without a width fit any.
function spaceFor({ tables, across, width, margin }, boardHeight) {
  if (!width || !tables.length || !boardHeight) return null;
  const columns = Math.min(Number(across) || tables.length, tables.length);
  // Between two boards there is a hundredth of the source (overlay.css).
  const along = (count, each) => Math.ceil((count * each + 2 * Number(margin)) / (1 - (count - 1) / 100));
  return { width: along(columns, Number(width)), height: along(Math.ceil(tables.length / columns), boardHeight) };
}

const contentWidth = (field) => {
  const boards = [...field.children];
  const left = Math.min(...boards.map(({ offsetLeft }) => offsetLeft));
  return Math.max(1, ...boards.map(({ offsetLeft, offsetWidth }) => offsetLeft + offsetWidth - left));
};

// The boards as they will stand, as large as there is room for, and in an overlay's own colours
// whatever this page's are. `measured`: the height of a board.
function Shown({ hall, wish, address, measured }) {
  const box = useRef(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const field = box.current.querySelector(".field");
    if (!field) return;
    setScale(Math.min(1, box.current.clientWidth / (contentWidth(field) + 2 * Number(wish.margin))));
    measured(Math.max(...[...field.children].map(({ offsetHeight }) => offsetHeight), 0));
  });
  return html`<div class="shown" data-theme="dark" ref=${box}><div style=${`width:${100 / scale}%;height:${100 / scale}%;transform:scale(${scale})`}>
    ${wish.tables.length > 0 && html`<${Field} key=${`${hall.link} ${address}`} hall=${hall} tables=${wish.tables} wish=${wishes(new URL(address).search)} />`}</div></div>`;
}

function Maker({ hall }) {
  const [, turn] = useState(0);
  const [wish, setWish] = useState({ tables: [], across: "", width: "320", margin: "", theme: "", corner: "top-left", frame: false, lang: language(), show: ["clock"] });
  const [languages, setLanguages] = useState({});
  const [copied, setCopied] = useState(false);
  const [boardHeight, setBoardHeight] = useState(0);
  useEffect(() => {
    fetch("/api/v1/languages").then((answer) => answer.json()).then((all) => setLanguages(all.languages), () => {});
  }, []);
  useLayoutEffect(() => hall.onChange(() => turn((n) => n + 1)), []);
  const live = [...hall.tables.values()].some(({ state }) => state?.device); // What the public is told has no boards.
  const [delayed, setDelayed] = useState(null); // where the public's side is
  useEffect(() => {
    if (live) fetch("/api/v1/me").then((answer) => answer.json()).then((me) => setDelayed(me.public), () => {});
  }, [live]);
  // Behind the delay boards come one by one: who is early sees them come.
  const known = [...hall.tables.values()].map(({ state }) => state).filter(Boolean)
    .sort((a, b) => a.table.localeCompare(b.table, undefined, { numeric: true }));
  useEffect(() => {
    if (known.length && !wish.tables.length) set({ tables: [known[0].table] });
  }, [known.length > 0]);
  const set = (more) => {
    setCopied(false);
    setWish({ ...wish, ...more });
  };
  const toggled = (list, one, order) => order.filter((each) => (each === one ? !list.includes(one) : list.includes(each)));
  const address = addressOf(wish);
  const space = spaceFor(wish, boardHeight);
  const number = (key, text, unit, left) => html`<label>${text} <input type="number" min="0" max="2000" value=${wish[key]} placeholder=${left}
    onInput=${(event) => set({ [key]: event.target.value })} /> <span class="unit">${unit}</span></label>`;
  const choose = async (event) => {
    const lang = event.target.value;
    await speak(lang);
    set({ lang });
  };
  const copy = async () => {
    document.querySelector("#address").select();
    try { await navigator.clipboard.writeText(address); } catch { document.execCommand("copy"); }
    setCopied(true);
  };
  return html`<main>
    <h1>${say("Overlay for a broadcast")}</h1>
    <form onSubmit=${(event) => event.preventDefault()}>
      <fieldset><legend>${say("Boards")}</legend><div class="tables">${known.map(({ table, white, black }) => html`<label key=${table} title=${`${white} – ${black}`} class="one">
        <input type="checkbox" checked=${wish.tables.includes(table)} onChange=${() => set({ tables: toggled(wish.tables, table, known.map((one) => one.table)) })} />
        <span>${table}</span> <small aria-hidden="true"><bdi>${white}</bdi> – <bdi>${black}</bdi></small></label>`)}
        ${!known.length && html`<p>${say("No boards yet. They appear here by themselves, behind the delay as late as it is.")}</p>`}</div>
        ${number("across", say("Side by side"), say("boards"), wish.tables.length || "")}</fieldset>
      <fieldset><legend>${say("Shown")}</legend>${Object.entries(SHOWN).map(([key, text]) => html`<label key=${key}>
        <input type="checkbox" checked=${wish.show.includes(key)} onChange=${() => set({ show: toggled(wish.show, key, Object.keys(SHOWN)) })} /> ${say(text)}</label>`)}</fieldset>
      <fieldset><legend>${say("Looks")}</legend>${number("width", say("Width of a board"), "px", "")}${number("margin", say("From the edge"), "px", "0")}
        <label>${say("Where")} <select onChange=${(event) => set({ corner: event.target.value })}>${Object.entries(CORNERS).map(([key, text]) => html`<option value=${key}>${say(text)}</option>`)}</select></label>
        <label>${say("Language")} <select value=${wish.lang} onChange=${choose}>${Object.entries(languages).map(([code, name]) => html`<option value=${code} selected=${code === wish.lang}>${name}</option>`)}</select></label>
        <label><input type="checkbox" checked=${wish.theme === "light"} onChange=${(event) => set({ theme: event.target.checked ? "light" : "" })} /> ${say("light")}</label>
        <label><input type="checkbox" checked=${wish.frame} onChange=${(event) => set({ frame: event.target.checked })} /> ${say("in a frame")}</label></fieldset>
    </form>
    <section aria-label=${say("Result")}><p class="address"><input id="address" dir="ltr" readonly aria-label=${say("Address for the browser source")} value=${wish.tables.length ? address : ""} placeholder=${say("Choose a board first")} />
      <button disabled=${!wish.tables.length} onClick=${copy}>${copied ? say("Copied") : say("Copy")}</button></p>
      ${live && html`<p class="live" role="alert">${say("This address shows the boards at once, without the delay, to whoever may look at this page.")}
        ${" "}${delayed ? html`<a class="button" href=${`${delayed}overlays`}>${say("For a broadcast, make it on the public’s page")}</a>`
          : say("For a broadcast use the page of the public side instead: it is what [public] in the configuration listens at.")}</p>`}
      <p class="unit">${say("In OBS: Sources, +, Browser, and this address. What is not board stays transparent.")}
        ${" "}${say("Set width and height there to those of your picture, such as 1920 and 1080.")}
        ${space && html` <span class="space">${say("These boards need {width} × {height}.", space)}</span>`}</p>
      <${Shown} hall=${hall} wish=${wish} address=${address} measured=${setBoardHeight} /></section>
  </main>`;
}

const place = document.getElementById("overlays");
showTheme();
await speak();
if (place) render(html`<${Maker} hall=${new Hall()} />`, place);
