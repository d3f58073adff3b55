// What the service knows under an article of the Laws, a tap away.

import { html, useState } from "./vendor/htm-preact.js";
import { language, say } from "./language.js";

const what = (row) => (language() === "en" ? row.what : row.line[language()] ?? row.what);

export function Article({ hall, article, kind }) {
  const [rows, setRows] = useState(null);
  const [open, setOpen] = useState(false);
  const show = async () => {
    setOpen(!open);
    if (!rows) setRows((await hall.catalogue()).filter(({ articles }) => articles.includes(article)));
  };
  return html`<span class="article"><button class="quiet" aria-expanded=${open} onClick=${show}>${say("Article {articles}", { articles: article })}</button>
    ${open && html`<span class="article-text" role="note">${rows === null ? "…" : rows.length
      ? html`<b>${rows.filter((row) => row.id === kind).map(what)}</b>
        <details><summary>${say("All that is known under it: {count}", { count: rows.length })}</summary>
          <ul>${rows.map((row) => html`<li key=${row.id}>${what(row)}</li>`)}</ul></details>`
      : say("The service has no more about it.")}</span>`}</span>`;
}
