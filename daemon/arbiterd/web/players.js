// Who sits where: found by a part of the name.

import { html, useState } from "./vendor/htm-preact.js";
import { say } from "./language.js";
import { statesOf } from "./tables.js";
import { sideWord, standing, tableName } from "./words.js";

export function Players({ hall }) {
  const [wanted, setWanted] = useState("");
  const seats = statesOf(hall).flatMap((state) => ["white", "black"].map((side) => ({ state, side, name: state[side] })))
    .filter(({ name }) => name && name.toLowerCase().includes(wanted.toLowerCase()))
    .sort((a, b) => a.name.localeCompare(b.name));
  return html`<div id="main" tabindex="-1" class="view list"><h1>${say("Players")}</h1>
    <label class="search">${say("Name")} <input type="search" value=${wanted} onInput=${(event) => setWanted(event.target.value)} /></label>
    <div class="scrolls" tabindex="0" role="region" aria-label=${say("Players")}><table><tbody>${seats.map(({ state, side, name }) => html`<tr key=${`${state.table}${side}`}>
      <th scope="row">${name}</th><td><span class="colour ${side}" role="img" aria-label=${sideWord(side)}></span></td>
      <td><a href="#/table/${state.table}">${tableName(state)}</a></td><td>${standing(state)}</td></tr>`)}</tbody></table></div>
    ${!seats.length && html`<p class="empty">${say("Nobody by that name.")}</p>`}</div>`;
}
