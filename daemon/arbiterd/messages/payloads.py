"""The payloads of the contract, one type a topic. Field names are the contract's own.

Clock times are integer milliseconds; times are RFC 3339 (see `times`). `seq` of a snapshot is
that of the last event it includes; events number a table without gaps.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

ColourName = Literal["white", "black"]
FlagName = Literal["white", "black", "both"]
HowName = Literal["pressed", "settled", "replied", "inferred", "recovered", "arbiter"]
PlyCertaintyName = Literal["certain", "likely"]
ResultName = Literal[
    "1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "1-0F", "0-1F", "0-0F", "replay"
]
CertaintyName = Literal["fact", "probable", "human"]
TableName = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,20}$")]
HallName = Annotated[str, Meta(pattern="^[a-z0-9-]{1,40}$")]
Time = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]


class Clock(Struct, frozen=True, kw_only=True):
    """Both clocks; null where a time is not known."""

    white_ms: int | None
    black_ms: int | None
    running: ColourName | None
    flag: FlagName | None


class Payload(Struct, frozen=True, kw_only=True):
    """What every payload has."""

    v: Literal[1] = 1
    hall: HallName
    at: Time
    simulated: bool


class TablePayload(Payload, frozen=True, kw_only=True):
    """What every payload of a table has."""

    table: TableName
    game: str
    seq: int


class JournalEnd(Struct, frozen=True, kw_only=True):
    """Where the journal ends: kept elsewhere, it shows that nothing was cut off since."""

    inputs: int
    outputs: int
    seal: str
    """For `arbiterd journal verify --seal`."""


class Status(Payload, frozen=True, kw_only=True):
    """`status`: is the service there."""

    state: Literal["online", "offline"]
    version: str
    started: Time
    tables: int
    ill: str = ""
    """What keeps the service from its work, in a sentence; empty: nothing does."""
    notes: list[str] = []
    """What the last start found in its journal, a sentence each."""
    journal: JournalEnd | UnsetType = UNSET


class State(TablePayload, frozen=True, kw_only=True):
    """`tables/<t>/state`: the whole live state of a table."""

    ruleset: str
    label: str | UnsetType = UNSET
    white: str
    black: str
    round: int | None
    fen: str
    placement: str
    ply: int
    turn: ColourName
    last_move: str | None
    clock: Clock | None
    status: Literal["waiting", "playing", "paused", "ended"]
    attention: bool
    device: Literal["ok", "degraded", "lost", "none"]
    result: ResultName | None
    open_rulings: list[str]
    muted: bool = False
    extras: dict[str, str] = {}
    """What a diagram shows beside the board: hands, planks, who owes a transformation."""
    standing: str | UnsetType = UNSET
    """Why the table does not follow its board at present, in a sentence; what is told of the game
    besides is then not to be believed. Absent where it does."""
    comes_back: bool | UnsetType = UNSET
    """Beside `standing`: it is being made again and follows by itself; else the service has to be
    started again."""


class Move(TablePayload, frozen=True, kw_only=True):
    """`tables/<t>/moves`: one entry of the record; with `replaces`, and `san` and `uci` null, it
    is withdrawn."""

    prev: int | None
    replaces: int | UnsetType = UNSET
    irregular: Literal[True] | UnsetType = UNSET
    """It stands though no legal move made it: `san` is null, `uci` as far as it is known."""
    start: str | UnsetType = UNSET
    """With the first entry: where the game began, if not where the set-up says."""
    ply: int
    color: ColourName
    san: str | None
    uci: str | None
    fen: str
    made_at: Time
    completed_at: Time | None
    clock: Clock | None
    how: HowName
    certainty: PlyCertaintyName
    probability: Annotated[float, Meta(ge=0, le=1)] = 1.0
    """That it was this move: its share of all that explains the board. Journals of older versions
    have none."""
    alternatives: list[str]


class TouchSeen(Struct, frozen=True, kw_only=True):
    """A piece that left its square; `down_ms` null where the time off it is not known."""

    square: str
    piece: str
    lifted_at: Time
    down_ms: int | None


class RulingProposal(Struct, frozen=True, kw_only=True):
    """What the arbiter may confirm, in order."""

    actions: list[
        Literal["pause", "restore", "enforce-move", "add-time", "declare-result", "ask", "log"]
    ]
    clock_delta_ms: dict[ColourName, int]
    restore: str | None
    result: ResultName | None


class RulingWindow(Struct, frozen=True, kw_only=True):
    """When the right that a ruling speaks of runs out."""

    closes_on: Literal["opponent-touches", "opponent-moves", "never"]


class Words(Struct, frozen=True, kw_only=True):
    """One line for the list, one paragraph for the detail."""

    line: str
    detail: str


class RulingAck(Struct, frozen=True, kw_only=True):
    """Who decided, and how."""

    by: str
    at: Time
    decision: Literal["confirmed", "dismissed"]
    reason: str


class RulingComing(Struct, frozen=True, kw_only=True):
    """Who is on the way to the table."""

    by: str
    at: Time


class Ruling(TablePayload, frozen=True, kw_only=True):
    """`tables/<t>/rulings` and, while open, `tables/<t>/rulings/<id>`."""

    prev: int | None
    id: str
    kind: str
    state: Literal["open", "confirmed", "dismissed", "expired", "superseded"]
    revision: int
    articles: list[str]
    laws: str
    rate: str
    supervised: bool
    certainty: CertaintyName
    urgency: Annotated[int, Meta(ge=1, le=3)]
    against: ColourName | None
    ply: int
    position: str
    placement: str
    facts: dict[str, Any]
    """Always `certainty`, `touched`, `obligation`; more by kind."""
    proposal: RulingProposal
    window: RulingWindow
    text: dict[str, Words]
    """By language: en, es."""
    evidence: dict[Literal["from", "to"], int]
    ack: RulingAck | None
    coming: RulingComing | UnsetType = UNSET
    shelved_until: Time | UnsetType = UNSET
    """It calls nobody before."""


class Result(TablePayload, frozen=True, kw_only=True):
    """`tables/<t>/result`: how the game ended; `result` null while it is open again."""

    prev: int | None
    result: ResultName | None
    reason: str
    article: str
    certainty: CertaintyName


class Sensor(Struct, frozen=True, kw_only=True):
    """A coil, or the chip in a kind of piece, that was read wrongly in the games on this board."""

    square: str | None
    """The coil's, as White sees the board; null: it is the piece's chip."""
    piece: str | None
    """The kind of piece, as in a FEN; null: it is the coil."""
    times: int
    hours: float
    """So long the board was watched."""
    weak: bool
    """What rests on this coil alone is believed less."""
    words: str


class Device(TablePayload, frozen=True, kw_only=True):
    """`tables/<t>/device`: the board and clock of a table."""

    driver: str
    identity: str
    port: str
    firmware: str
    battery: int | None
    state: Literal["ok", "degraded", "lost"]
    since: Time
    faults: list[str]
    sensors: list[Sensor] | UnsetType = UNSET
    """What is read wrongly, the worst first; left out where nothing is."""


class PreviewMove(Struct, frozen=True, kw_only=True):
    """An entry of the record; `number` is the move's."""

    ply: int
    number: int
    color: ColourName
    san: str | None
    uci: str | None


class PreviewTimes(Struct, frozen=True, kw_only=True):
    """What the clock shows, and what it is to show."""

    before: Clock | None
    after: Clock | None


class PreviewRuling(Struct, frozen=True, kw_only=True):
    """A ruling that would be closed, and how, or opened (`id` null)."""

    id: str | None
    kind: str
    state: Literal["open", "confirmed", "dismissed", "expired", "superseded"]
    line: dict[str, str]
    """By language."""


class Preview(Struct, frozen=True, kw_only=True):
    """What an act would do, were it sent without `preview`."""

    withdrawn: list[PreviewMove]
    """Entries that would go or become others, first to last."""
    entered: list[PreviewMove]
    """What would stand in their place."""
    times: PreviewTimes
    restore: str | None
    """The position that is to be put on the board; null: nothing is to be put back, as where the
    players did so and went on."""
    rulings_closed: list[PreviewRuling]
    rulings_opened: list[PreviewRuling]
    game: str
    """Another than now: a game would begin, and the present one stay as it is."""
    result: ResultName | None
    status: Literal["waiting", "playing", "paused", "ended"]


class Reply(TablePayload, frozen=True, kw_only=True):
    """The answer to a command."""

    ok: bool
    id: str
    action: str
    ruling: str | UnsetType = UNSET
    error: str | UnsetType = UNSET
    preview: Preview | UnsetType = UNSET
    """Nothing was done: this is what would be."""


class PublicState(Struct, frozen=True, kw_only=True):
    """`public/tables/<t>/state`: what the public sees, after the delay."""

    v: Literal[1] = 1
    hall: HallName
    at: Time
    simulated: bool
    table: TableName
    game: str
    seq: int
    white: str
    black: str
    fen: str
    ply: int
    turn: ColourName
    last_move: str | None
    clock: Clock | None
    result: ResultName | None
    status: Literal["waiting", "playing", "ended"]
    delay_s: int
    """So long ago this was so; another table may be further behind, or less."""


class PublicMove(Struct, frozen=True, kw_only=True):
    """`public/tables/<t>/moves`: a legal completed move, after the delay."""

    v: Literal[1] = 1
    hall: HallName
    at: Time
    simulated: bool
    table: TableName
    game: str
    seq: int
    prev: int | None
    replaces: int | UnsetType = UNSET
    irregular: Literal[True] | UnsetType = UNSET
    """Play went on from `fen`, which no move leads to; `san` and `uci` are null."""
    ply: int
    color: ColourName
    san: str | None
    uci: str | None
    fen: str
    clock: Clock | None


class PublicResult(Struct, frozen=True, kw_only=True):
    """`public/tables/<t>/result`."""

    v: Literal[1] = 1
    hall: HallName
    at: Time
    simulated: bool
    table: TableName
    game: str
    seq: int
    prev: int | None
    result: ResultName | None


class RoundReply(Payload, frozen=True, kw_only=True):
    """`reply/{user}`: the answer to a command about a round."""

    ok: bool
    id: str
    action: str
    op: str
    round: int | None
    findings: list[str]
    """What is to be looked at, one sentence each; empty: nothing."""
    error: str | UnsetType = UNSET
