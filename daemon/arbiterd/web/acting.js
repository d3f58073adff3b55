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

// The same act at several tables. Gives the tables that refused, with their sentences.
export async function performAt(hall, tables, command, text) {
  const by = await signature(hall);
  if (!by) return null;
  const answer = await hall.command(null, { ...command, by, tables });
  const against = (answer.replies ?? []).filter(({ ok }) => !ok);
  if (answer.error) return told(hall, answer.error);
  if (against.length) return told(hall, against.map(({ table, error }) => `${table}: ${error}`).join(" "));
  hall.tell(text);
  return "";
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
