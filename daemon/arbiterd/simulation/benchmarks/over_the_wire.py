"""A real game over a family's wire: hands, board, wire, codec and the whole table."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Final

from arbiterd.messages.times import from_rfc3339
from arbiterd.simulation.benchmarks.played_out import PlayedOut
from arbiterd.simulation.benchmarks.recall import Called, judged
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.wires import KINDS, LEAD_NS
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import StagedGame, follow
from arbiterd.simulation.hands.handplayed import HandPlayed
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import CLEAN, CLUB, HALL, MS, SECOND, Pace, Profile
from eboards.certabo.codec import CertaboCodec
from eboards.codec import Codec
from eboards.events import Fault
from eboards.registry import family

PACE: Final = Pace(6 * SECOND, 700 * MS, 500 * MS, 500 * MS, published=False)
BRISK: Final = replace(CLEAN, pace=PACE)
"""Hands that take what they capture in one stroke; the hardest there is to see."""


def _restless(day: Profile) -> Profile:
    """The same hands at this pace; what is illegal, and the next game, belong to other benches."""
    episodes = tuple(pair for pair in day.episodes if pair[0] != "illegal-pressed")
    return replace(day, pace=PACE, episodes=episodes, set_up=0.0)


HANDS: Final = {"brisk": BRISK, "club": _restless(CLUB), "hall": _restless(HALL)}
"""By the name that `arbiterd bench boards --hands` has for them."""
AFTER_NS: Final = 10 * SECOND
GAP: Final = "tech-gap"


class WiredGame(PlayedOut):
    """One game on one kind of board."""

    def __init__(self, game: StagedGame, kind: str, seed: str, hands: Profile = BRISK) -> None:
        self.game = game
        self.story = play(follow(game), hands, dice(seed), LEAD_NS)
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
        return wrong is None or wrong in doubted or any(c.kind == GAP for c in self._called)

    @property
    def _called(self) -> list[Called]:
        """A message says in which millisecond it was told: by the end of it at the latest."""
        return [
            Called(from_rfc3339(said["at"]) + MS, said["kind"], said["ply"], said["urgency"])
            for said in self.told("rulings")
            if said["state"] == "open" and said["revision"] == 1
        ]

    @property
    def false(self) -> list[str]:
        """What somebody would have been called for, and should not have been."""
        vain = judged(self.story, self._called, "").vain
        return [call.kind for call in vain if call.kind != GAP or self.exact]

    @property
    def faults(self) -> int:
        return sum(isinstance(event, Fault) for event in self.events)
