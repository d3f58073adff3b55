"""A real game over a family's wire: hands, board, wire, codec and the whole table."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Final

from arbiterd.simulation.benchmarks.played_out import PlayedOut
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.wires import KINDS, LEAD_NS
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.handplayed import HandPlayed
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace
from eboards.certabo.codec import CertaboCodec
from eboards.codec import Codec
from eboards.events import Fault
from eboards.registry import family

BRISK: Final = replace(CLEAN, pace=Pace(6 * SECOND, 700 * MS, 500 * MS, 500 * MS, published=False))
"""Hands that take what they capture in one stroke; the hardest there is to see."""
AFTER_NS: Final = 10 * SECOND
CLOSING: Final = frozenset(("result-missing", "clock-paused-by-player"))
"""What the end of a game may raise by itself, beside what the board itself says."""


class WiredGame(PlayedOut):
    """One game on one kind of board."""

    def __init__(self, game: StagedGame, kind: str, seed: str) -> None:
        self._line = follow(game)
        self.game = game
        self.story = play(self._line, BRISK, dice(seed), LEAD_NS)
        board = KINDS[kind]
        device = board.device(self.story.before, dice(f"{seed}/device"), STANDARD)
        wire = board.wire(HandPlayed(device, self.story), dice(f"{seed}/wire"))
        super().__init__(board.codec(device), wire, STANDARD, self.story.end_ns + AFTER_NS)

    def fresh_codec(self) -> Codec:
        """One that has heard nothing yet, with the pieces that this game's codec was taught."""
        if isinstance(self._codec, CertaboCodec):
            return CertaboCodec(self._codec.tags)
        return family(self._codec.driver).codec()

    # What came out.

    @property
    def moves(self) -> tuple[str, ...]:
        """The record as its reader has it in the end."""
        record: list[str] = []
        for move in self.told("moves"):
            record[move["ply"] - 1 : move["ply"]] = [move["uci"]] if move["uci"] else []
        return tuple(record)

    @property
    def exact(self) -> bool:
        return self.moves == self.game.moves

    @property
    def said_so(self) -> bool:
        """Where the record is not the game it is told as likely, or the board as lost."""
        plies = enumerate(zip_longest(self.game.moves, self.moves), start=1)
        wrong = next((ply for ply, (true, told) in plies if true != told), None)
        doubted = {move["ply"] for move in self.told("moves") if move["certainty"] == "likely"}
        return wrong is None or wrong in doubted or "tech-gap" in self._alarms

    @property
    def _alarms(self) -> list[str]:
        rulings = self.told("rulings")
        return [r["kind"] for r in rulings if r["state"] == "open" and r["urgency"] in (1, 2)]

    @property
    def false(self) -> list[str]:
        """What somebody would have been called for, and should not have been."""
        true = set(CLOSING)
        if self._line.rules.end(self._line.positions[-1]) is not None:
            true |= {"end-checkmate", "end-stalemate", "end-dead"}
        if not self.exact:
            true.add("tech-gap")
        return [kind for kind in self._alarms if kind not in true]

    @property
    def faults(self) -> int:
        return sum(isinstance(event, Fault) for event in self.events)
