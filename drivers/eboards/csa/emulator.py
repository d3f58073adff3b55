"""A server that sends a game's lines as it is played on it."""

from __future__ import annotations

from typing import Final

CODES: Final = dict(zip("PLNSGBRK", ("FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU"), strict=True))
TURNED: Final = dict(zip("PLNSBR", ("TO", "NY", "NK", "NG", "UM", "RY"), strict=True))
FILES_APART: Final = "123456789"


class CsaServer:
    """One game. Moves are given in USI; the pieces are kept in a table by their CSA squares."""

    def __init__(self, *, watched: str = "", times_apart: bool = False) -> None:
        self._head = f"##[MONITOR2][{watched}] " if watched else ""
        self._times_apart = times_apart
        self._said = b""
        self._pieces: dict[str, str] = {}
        self._black = True

    def begin(self, *lines: str) -> None:
        """A new game; without lines, the even one."""
        self._pieces, self._black = _even(), True
        for line in ("V2.2", "N+sente", "N-gote", *(lines or ("PI", "+"))):
            self._say(line)

    def play(self, usi: str, seconds: int = 1) -> None:
        """`7g7f`, `8h2b+`, `G*5b`."""
        sign, target = "+" if self._black else "-", _place(usi[2:4])
        if usi[1] == "*":
            origin, code = "00", CODES[usi[0]]
        else:
            origin = _place(usi[:2])
            kind = self._pieces.pop(origin)
            code = TURNED[kind] if usi.endswith("+") else CODES.get(kind, kind)
        self._pieces[target] = next((k for k, c in CODES.items() if c == code), code)
        self._black = not self._black
        self._say(f"{sign}{origin}{target}{code}" + f",T{seconds}" * (not self._times_apart))
        if self._times_apart:
            self._say(f"T{seconds}")

    def end(self, word: str = "%TORYO") -> None:
        self._say(word)

    def said(self) -> bytes:
        """What has gone out since the last call."""
        out, self._said = self._said, b""
        return out

    def _say(self, line: str) -> None:
        self._said += f"{self._head}{line}\n".encode()


def _place(usi: str) -> str:
    return usi[0] + FILES_APART["abcdefghi".index(usi[1])]


def _even() -> dict[str, str]:
    pieces = {f"{file}{rank}": "P" for file in FILES_APART for rank in "37"}
    for rank in "19":
        pieces |= {
            f"{file}{rank}": kind for file, kind in zip(FILES_APART, "LNSGKGSNL", strict=True)
        }
    return pieces | {"82": "R", "22": "B", "88": "B", "28": "R"}
