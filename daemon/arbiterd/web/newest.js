// What can still be undone, kept while the page is read anew: a browser does that by itself, to a page that was out of
// sight, and a tap that went wrong would stand.

const NAME = "arbiterd.newest";
export const MINUTE_MS = 60000;

// The newest act of this hall's, with those before it; what was done at another hall goes with the page.
export function keepActs(hall, newest) {
  const acts = [];
  const zero = Date.now() - performance.now();
  for (let act = newest; act; act = act.before) {
    if (act.acts && act.hall === hall) acts.push({ acts: act.acts, text: act.text, by: act.by, wrong: act.wrong, at: zero + act.at });
  }
  if (acts.length) sessionStorage.setItem(NAME, JSON.stringify(acts));
  else sessionStorage.removeItem(NAME);
}

// They, once more, as long as their minute lasts and for whoever did them; `login` null: nobody is signed in. Null: none.
export function keptActs(hall, login) {
  const now = Date.now();
  const lasts = ({ at, by }) => at <= now && now < at + MINUTE_MS && (login ?? by) === by;
  const acts = JSON.parse(sessionStorage.getItem(NAME) ?? "[]").filter(lasts);
  return acts.reduceRight((before, act) => ({ ...act, hall, at: act.at - now + performance.now(), before }), null);
}
