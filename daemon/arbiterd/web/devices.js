// Boards and clocks of the hall: which are not well first.

import { html } from "./vendor/htm-preact.js";
import { age } from "./clocks.js";
import { say } from "./language.js";
import { faultsSaid } from "./sensors.js";
import { inOrder } from "./tables.js";
import { deviceWord, tableName } from "./words.js";

const RANK = { lost: 0, degraded: 1, none: 2, ok: 3 };

export function Devices({ hall }) {
  const rows = [...hall.tables.values()].filter(({ state }) => state)
    .sort((a, b) => RANK[a.state.device] - RANK[b.state.device] || inOrder(a.state, b.state));
  return html`<div id="main" tabindex="-1" class="view list"><h1>${say("Boards")}</h1>
    <div class="scrolls" tabindex="0" role="region" aria-label=${say("Boards")}><table><thead><tr><th>${say("Table")}</th><th>${say("State")}</th><th>${say("Board")}</th>
      <th>${say("Port")}</th><th>${say("Battery")}</th><th>${say("Faults")}</th></tr></thead>
    <tbody>${rows.map(({ state, device }) => html`<tr key=${state.table} class=${state.device}>
      <th scope="row"><a href="#/table/${state.table}">${tableName(state)}</a></th>
      <td><span class="sign ${state.device}" aria-hidden="true"></span> ${deviceWord(state.device) || say("well")}
        ${device && state.device !== "ok" && html`<small>${say("{age} ago", { age: age(hall, device.since) })}</small>`}</td>
      <td>${[device?.driver, device?.identity].filter(Boolean).join(" ")}</td><td>${device?.port}</td>
      <td>${device?.battery === null || device?.battery === undefined ? "–" : `${device.battery} %`}</td><td>${faultsSaid(device)}</td></tr>`)}</tbody></table></div></div>`;
}
