"""A program that tells an engine the game, as it is played on it."""

from __future__ import annotations


class UsiProgram:
    """One game. Moves are given in USI and sent on as the protocol wants: all of them each time."""

    def __init__(self, start: str = "startpos") -> None:
        self._start = start
        self._moves: list[str] = []
        self._said = b"usi\nisready\n"

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
        self._said += b"go btime 0 wtime 0 byoyomi 10000\n"

    def said(self) -> bytes:
        """What has gone out since the last call."""
        out, self._said = self._said, b""
        return out
