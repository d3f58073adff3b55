"""An act and its answer. The same `id` is done once; what is only asked for is not done at all.

A preview is the act on a copy of the table, of which nothing stays: no number is taken, no `id` is
remembered, and its own `id` may be used for the act afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.register import Looked
from arbiterd.messages import payloads, topics
from arbiterd.messages.step import Output
from arbiterd.table.acts import perform
from arbiterd.table.inputs import ActPreviewed
from arbiterd.table.previewing import difference

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def act_answered(table: Table, act: Act) -> None:
    """Does it, once, and says so."""
    known = table.books.answer_to(act)
    if known is not None:
        table.put(known)
        return
    answer = _done(table, act)
    if not answer.ok:
        table.recent.refused(act)
    output = _reply(table, act, answer)
    table.put(output)
    table.books.keep_answer(act, output)


def preview_answered(table: Table, asked: ActPreviewed) -> None:
    """Says what the act would do."""
    act, copy = replace(asked.act, at_ns=asked.at_ns), table.copied()
    answer = _done(copy, act)
    preview = difference(table, copy) if answer.ok else UNSET
    # What the act would open has no number yet.
    table.put(_reply(table, act, replace(answer, ruling=""), preview))


def _done(table: Table, act: Act) -> Answer:
    table.acting = True
    answer = perform(table, act)
    table.acting = False
    table.hear(Looked(table.at_ns))
    return answer


def _reply(
    table: Table, act: Act, answer: Answer, preview: payloads.Preview | UnsetType = UNSET
) -> Output:
    reply = payloads.Reply(
        **table.announcer.head(table.at_ns),
        ok=answer.ok,
        id=act.id,
        action=act.action,
        ruling=answer.ruling or UNSET,
        error=answer.error or UNSET,
        preview=preview,
    )
    return Output(topics.reply(act.user), msgspec.json.encode(reply))
