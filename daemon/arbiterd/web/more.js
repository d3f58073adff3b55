// What this tablet is told once: language, light, sound, my tables; the keys; the other pages.

import { html, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { prepareSound } from "./calling.js";
import { choose, language, say, word } from "./language.js";
import { THEMES, keep, kept, showTheme } from "./settings.js";

const THEME_NAMES = { dark: word("Dark"), light: word("Light"), hall: word("Dark hall") };

export function More({ hall, close, redraw }) {
  const dialog = useRef(null);
  const [languages, setLanguages] = useState({ en: "English" });
  useEffect(() => {
    dialog.current.showModal();
    fetch("/api/v1/languages").then((answer) => answer.json()).then((said) => setLanguages(said.languages), () => {});
  }, []);
  const set = (name, value) => {
    keep(name, value);
    redraw();
  };
  const links = [["#/round", say("Round")], ["#/devices", say("Boards")], ["#/players", say("Players")],
    ...(hall.me?.halls?.length ? [["#/halls", say("Halls")]] : []), ...(hall.readsRulings ? [["#/load", say("Alerts an hour")]] : []), ["#/wall", say("Wall")], ["/overlays", say("Overlays for OBS")]];
  return html`<dialog ref=${dialog} class="sheet more" aria-labelledby="more" onCancel=${close} onClose=${close}>
    <header><h2 id="more">${say("More")}</h2><button onClick=${close} aria-label=${say("Close")}>×</button></header>
    <nav aria-label=${say("Pages")}>${links.map(([href, text]) => html`<a class="button" href=${href} onClick=${close}>${text}</a>`)}</nav>
    <label>${say("Language")} <select value=${language()} onChange=${async (event) => (await choose(event.target.value), redraw())}>
      ${Object.entries(languages).map(([code, name]) => html`<option value=${code} selected=${code === language()}>${name}</option>`)}</select></label>
    <div class="choice" role="group" aria-label=${say("Light")}>${THEMES.map((theme) => html`
      <button aria-pressed=${(kept("theme") ?? "dark") === theme} onClick=${() => (set("theme", theme), showTheme(theme))}>${say(THEME_NAMES[theme])}</button>`)}</div>
    <label>${say("My tables")} <input value=${kept("mine") ?? ""} placeholder="1-20, 33" maxlength="200"
      onChange=${(event) => set("mine", event.target.value.trim())} /></label>
    ${kept("mine") && html`<label class="check"><input type="checkbox" checked=${Boolean(kept("minealone"))}
      onChange=${(event) => set("minealone", event.target.checked ? "yes" : "")} /> ${say("Alerts of my tables alone")}</label>`}
    <label class="check"><input type="checkbox" checked=${Boolean(kept("sound"))}
      onChange=${(event) => (prepareSound(), set("sound", event.target.checked ? "yes" : ""))} /> ${say("A sound for new alerts")}</label>
    <label class="check"><input type="checkbox" checked=${Boolean(kept("buzz"))}
      onChange=${(event) => set("buzz", event.target.checked ? "yes" : "")} /> ${say("Vibrate for new alerts")}</label>
    ${!hall.me?.login && html`<label>${say("Your name, for the record")} <input value=${kept("name") ?? ""} maxlength="80" autocomplete="name"
      onChange=${(event) => set("name", event.target.value.trim())} /></label>`}
    <details><summary>${say("Keys")}</summary><${Keys} hall=${hall} /></details>
  </dialog>`;
}

function Keys({ hall }) {
  const keys = [
    ["j k", say("next, previous alert")],
    ...(hall.may("confirm") ? [["c", say("confirm the alert")]] : []), ...(hall.may("dismiss") ? [["d", say("dismiss it")]] : []),
    ["o", say("open its table")], ["h Esc", say("back to the hall")], ["← →", say("step through the moves (once in the list)")],
    ["?", say("this page")],
  ];
  return html`<dl class="keys">${keys.map(([key, does]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>`;
}
