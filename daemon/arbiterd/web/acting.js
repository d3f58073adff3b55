// One act from the tap to its answer: who signs, what it would do, whether that is meant, done.

import { say } from "./language.js";
import { sameAnswer, withdrawnText } from "./preview.js";
import { signature } from "./signing.js";
import { textOf } from "./words.js";

// `preview`: of the same command, where one is shown (`usePreview`). What is done is what was shown: if
// the table has changed so that it would do something else, nothing is done. `then` is called with the
// answer once it is done. `before`: what the same tap has done already, at other tables; it is undone with
// this. Gives the error in a sentence, "" when it is done, null when the arbiter thought better of it.
export async function perform(hall, table, command, text, preview = null, then = () => {}, before = []) {
  const by = await signature(hall);
  if (!by) return null;
  const shown = preview?.shown;
  const previewed = shown && (await preview.now());
  if (shown && !previewed) return null;
  if (previewed?.ok && !sameAnswer(shown, previewed)) {
    return told(hall, say("The table has changed, and it would do something else now: look, and tap again."));
  }
  if (command.action === "confirm") {
    const ruling = hall.rulings.get(command.ruling);
    const would = previewed?.ok ? previewed : await hall.command(table, { ...command, by, preview: true });
    if (!would.ok) return refused(hall, would.error, text, by, before);
    const withdrawn = would.preview?.withdrawn ?? [];
    if (withdrawn.length) {
      const sure = await hall.ask({
        what: "sure",
        table,
        text: ruling ? textOf(ruling).line : text, // Nothing is confirmed yet.
        warning: say("Withdraws {moves}", { moves: withdrawnText(withdrawn) }),
        yes: say("Confirm, withdraw {count}", { count: withdrawn.length }),
      });
      if (!sure) return null;
    }
  }
  const answer = await hall.command(table, { ...command, by });
  if (!answer.ok) return refused(hall, answer.error, text, by, before);
  hall.done(table, answer, text, by, before);
  then(answer);
  return "";
}

// The same act at several tables. What was done can be undone, also where some tables refused.
export async function performAt(hall, tables, command, text) {
  const by = await signature(hall);
  if (!by) return null;
  const answer = await hall.command(null, { ...command, by, tables });
  if (answer.error) return told(hall, answer.error);
  const acts = answer.replies.filter(({ ok }) => ok).map(({ table, id }) => ({ table, id }));
  const against = answer.replies.filter(({ ok }) => !ok);
  if (against.length) return refused(hall, against.map(({ table, error }) => `${table}: ${error}`).join(" "), text, by, acts);
  const last = acts.pop();
  hall.done(last.table, last, text, by, acts);
  return "";
}

// Undoes what one tap did. One command at several tables is undone by one: a hall of them is not too many at once.
// Gives why not, in a sentence each; none where all is undone.
export async function undoneAll(hall, { acts, by }) {
  const commands = new Map();
  for (const { table, id } of acts) commands.set(id, [...(commands.get(id) ?? []), table]);
  const answers = await Promise.all([...commands].map(([of, tables]) => {
    const undo = { action: "undo", by, of };
    return tables.length > 1 ? hall.command(null, { ...undo, tables }) : hall.command(tables[0], undo);
  }));
  const refused = answers.flatMap((answer) => answer.replies ?? [answer]).filter(({ ok }) => !ok);
  return [...new Set(refused.map(({ error }) => error))];
}

// What the same tap did before this was refused is named, and can be undone.
function refused(hall, error, text, by, before) {
  if (!before.length) return told(hall, error);
  hall.fell(`${text} (${before.map(({ table }) => table).join(", ")}). ${error}`, before, by);
  return error;
}

function told(hall, error) {
  hall.tell(error, true);
  return error;
}
