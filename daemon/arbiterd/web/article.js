// What the service knows under an article of the Laws, a tap away.

import { html, useState } from "./vendor/htm-preact.js";
import { language, say } from "./language.js";

export function Article({ hall, article }) {
  const [rows, setRows] = useState(null);
  const [open, setOpen] = useState(false);
  const show = async () => {
    setOpen(!open);
    if (!rows) setRows((await hall.catalogue()).filter(({ articles }) => articles.includes(article)));
  };
  return html`<span class="article"><button class="quiet" aria-expanded=${open} onClick=${show}>${say("Article {articles}", { articles: article })}</button>
    ${open && html`<span class="article-text" role="note">${rows === null ? "…" : rows.length
      ? html`<ul>${rows.map((row) => html`<li key=${row.id}>${language() === "en" ? row.what : row.line[language()] ?? row.what}</li>`)}</ul>`
      : say("The service has no more about it.")}</span>`}</span>`;
}
