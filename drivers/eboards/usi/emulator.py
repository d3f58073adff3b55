"""A program that tells an engine the game, as it is played on it."""

from __future__ import annotations


class UsiProgram:
    """One game. Moves are given in USI and sent on as the protocol wants: all of them each time."""

    def __init__(self, start: str = "startpos") -> None:
        self._start = start
        self._moves: list[str] = []
        self._said = b"usi\nisready\n"

        self.left_ms = [0, 0]
        """Sente's and gote's time, as it is told with each position."""

    def begin(self) -> None:
        self._moves.clear()
        self._said += b"usinewgame\n"

    def play(self, usi: str) -> None:
        self._moves.append(usi)
        self._tell()

    def take_back(self, plies: int) -> None:
        """The next move is another one."""
        del self._moves[-plies:]
        self._tell()

    def _tell(self) -> None:
        moves = " ".join(["moves", *self._moves] if self._moves else [])
        self._said += f"position {self._start} {moves}\n".encode()
        sente, gote = self.left_ms
        self._said += f"go btime {sente} wtime {gote} byoyomi 10000\n".encode()

    def ponder(self, usi: str) -> None:
        """The engine is to think about a reply that nobody has made yet, and then no more."""
        moves = " ".join(["moves", *self._moves, usi])
        self._said += f"position {self._start} {moves}\ngo ponder btime 1 wtime 1\n".encode()
        self._said += b"stop\nbestmove 9a9b\n"

    def answer(self, word: str) -> None:
        """The engine's side: a move, `resign` or `win`."""
        self._said += f"bestmove {word}\n".encode()

    def said(self) -> bytes:
        """What has gone out since the last call."""
        out, self._said = self._said, b""
        return out
