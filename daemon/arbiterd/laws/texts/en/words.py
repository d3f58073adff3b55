"""Words that facts are written with."""

from __future__ import annotations

WORDS = {
    "white": "White",
    "black": "Black",
    "a player": "a player",
    "the opponent": "the opponent",
    "nothing": "nothing",
    "any legal move": "any legal move",
    "yes": "yes",
    "no": "no",
}
