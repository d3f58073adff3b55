"""How a law is entered beside its article, and what it may answer.

    @law(Pressed)
    def no_move_made(fact: Pressed, scene: Scene) -> Iterator[Opinion]:
        yield Finding(draft("press-no-move", scene, fact.turn, ...), cause=...)

A law is a pure function of a fact and a scene. It is asked each time the fact it names is told,
in the order of the chapters in `docket/book.py`, where its game follows what the chapter is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.casefile import ArbiterOrder, Crossing
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.decisions import Ordered, ResultChanged
from arbiterd.laws.ruling import JsonValue, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.mating import MatingAnswer


class Finding(Struct, frozen=True, gc=False):
    """A ruling that holds. The docket decides what becomes of it.

    One cause has one open ruling: the same kind again is a revision, a kind that is at least as
    urgent supersedes, a less urgent one is dropped. Urgency 0 is told once and never held.
    """

    ruling: Ruling
    cause: str
    """What happened, by a name that stays the same while it is the same: `ply:31`, `flag:white`."""
    in_place: bool = False
    """The open ruling of this cause is revised even where its kind becomes another."""
    deed_ns: int | None = None
    """When it was done, where it can be done again: what was decided before is no answer to it."""


class Close(Struct, frozen=True, gc=False):
    """An open ruling of this cause does not hold any more; `kinds` empty: whatever it is.

    Dismissed it is not raised again for this cause; else it may be.
    """

    cause: str
    kinds: tuple[str, ...] = ()
    state: RulingState = RulingState.EXPIRED


class Remember(Struct, frozen=True, gc=False):
    """Keep this in the file of the game under `name`; None forgets it.

    For the article that asks for it alone: what another one reads is a `Crossing`.
    """

    name: str
    value: JsonValue


class Wake(Struct, frozen=True, gc=False):
    """Ask again at this time: laws registered for `Woken` hear it by its name. None: no more."""

    name: str
    at_ns: int | None


class Watch(Struct, frozen=True, gc=False):
    """As `Wake`, where the answer hangs on what the board shows until then.

    While nobody hears the board (its cable is pulled, or the service is not there) its time stands
    still: kings held up for castling when the power went laid nobody down.
    """

    name: str
    at_ns: int | None


class Fulfilled(Struct, frozen=True, gc=False):
    """The order of the file is carried out or done with: it is not watched any more."""


class Woken(Struct, frozen=True, gc=False):
    """The time that a law asked for has come."""

    at_ns: int
    name: str


class Looked(Struct, frozen=True, gc=False):
    """Something changed at the table that is no fact by itself: a touch, what the clock says."""

    at_ns: int


class Ticked(Struct, frozen=True, gc=False):
    """The clock spoke, and nothing is new but its times."""

    at_ns: int


class Confirmed(Struct, frozen=True, gc=False):
    """An arbiter confirmed this ruling. Told after its consequences."""

    at_ns: int
    ruling: Ruling
    act: Act


class Dismissed(Struct, frozen=True, gc=False):
    """An arbiter dismissed this ruling."""

    at_ns: int
    ruling: Ruling
    act: Act


class TimesOrdered(Struct, frozen=True, gc=False):
    """An arbiter says what a clock that is heard is to show (6.10.2, 7.1)."""

    at_ns: int
    by: str
    white_ms: int | None
    """None: as it is."""
    black_ms: int | None


class Examined(Struct, frozen=True, gc=False):
    """A worker has answered whether a side can still mate."""

    at_ns: int
    answer: MatingAnswer


Opinion: TypeAlias = (
    Finding
    | Close
    | Remember
    | Crossing
    | Wake
    | Watch
    | ArbiterOrder
    | Fulfilled
    | ResultChanged
    | Ordered
)

Law: TypeAlias = Callable[[Any, Scene], Iterable[Opinion]]
ActReply: TypeAlias = Callable[[Act, Scene], tuple[Answer, Iterable[Opinion]]]

LAWS: dict[type, list[Law]] = {}
"""By the fact they hear."""
OF: dict[Law | ActReply, Custom] = {}
"""What is asked in games of this custom alone, whatever its chapter is about."""
UNLESS: dict[Law | ActReply, Custom] = {}
"""What games of this custom have their own for."""
REPLIES: dict[str, ActReply] = {}
"""By the action they answer, `claim:threefold` before `claim`."""

L = TypeVar("L", bound=Law)
R = TypeVar("R", bound=ActReply)


def law(*facts: type, of: Custom | None = None, unless: Custom | None = None) -> Callable[[L], L]:
    """Enters a law for these facts: for games that follow `of` alone, or `unless` they have
    their own for it."""

    def enter(function: L) -> L:
        if of is not None:
            OF[function] = of
        if unless is not None:
            UNLESS[function] = unless
        for fact in facts:
            LAWS.setdefault(fact, []).append(function)
        return function

    return enter


def answers(*actions: str, of: Custom | None = None) -> Callable[[R], R]:
    """Enters what an arbiter's act leads to; one function an action (or `claim:<claim>`)."""

    def enter(function: R) -> R:
        if of is not None:
            OF[function] = of
        for action in actions:
            assert action not in REPLIES, f"{action} is answered twice"
            REPLIES[action] = function
        return function

    return enter
