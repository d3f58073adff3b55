"""An act and its answer. The same `id` is done once; what is only asked for is not done at all.

A preview is the act on a copy of the table, of which nothing stays: no number is taken, no `id` is
remembered, and its own `id` may be used for the act afterwards.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from arbiterd.laws.act import Act, Answer
from arbiterd.messages import payloads, topics
from arbiterd.messages.step import Output
from arbiterd.table.effects import Effects, KeepAnswer, NoDeed, PutOut
from arbiterd.table.previewing import difference
from arbiterd.table.state import TableState


def answered(view: TableState, act: Act, answer: Answer) -> Effects:
    """The act was done, or refused: it is said, and kept for when it comes again."""
    output = _reply(view, act, answer)
    said = PutOut(output), KeepAnswer(act, output)
    return said if answer.ok else (NoDeed(act), *said)


def previewed(view: TableState, then: TableState, act: Act, answer: Answer) -> Effects:
    """What the act would do; `then`: the copy on which it was done."""
    preview = difference(view, then) if answer.ok else UNSET
    # What the act would open has no number yet.
    return (PutOut(_reply(view, act, replace(answer, ruling=""), preview)),)


def _reply(
    view: TableState, act: Act, answer: Answer, preview: payloads.Preview | UnsetType = UNSET
) -> Output:
    reply = payloads.Reply(
        **view.announcer.head(view.at_ns),
        ok=answer.ok,
        id=act.id,
        action=act.action,
        ruling=answer.ruling or UNSET,
        error=answer.error or UNSET,
        preview=preview,
    )
    return Output(topics.reply(act.user), msgspec.json.encode(reply))
