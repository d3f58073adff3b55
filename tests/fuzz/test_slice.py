"""A short slice of the fuzzing: what is kept, and a few hundred changes of it by seed."""

from __future__ import annotations

from random import Random

import pytest

from fuzz.targets import TARGETS, corpus

CHANGED = 150
"""Inputs a target; the long runs are `./test --fuzz`."""


@pytest.mark.parametrize("name", TARGETS)
def test_what_fuzzing_kept_is_refused_or_read(name: str) -> None:
    for data in corpus(name):
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_no_change_of_it_raises_hangs_or_is_taken_for_what_it_is_not(name: str) -> None:
    dice, kept = Random(f"fuzz {name}"), corpus(name)
    assert kept, (
        f"nothing to change: {name} needs a recording, or a file in tests/fuzz/corpus/{name}"
    )
    for _ in range(CHANGED):
        TARGETS[name](changed(dice, dice.choice(kept), dice.choice(kept)))


def changed(dice: Random, data: bytes, other: bytes) -> bytes:
    """A few bytes flipped, lost, doubled or taken from another input."""
    said = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(said) + 1)
        match dice.randrange(5):
            case 0 if said:
                said[place % len(said)] ^= 1 << dice.randrange(8)
            case 1:
                del said[place : place + dice.randint(1, 8)]
            case 2:
                said[place:place] = said[place : place + dice.randint(1, 40)]
            case 3:
                said[place:place] = dice.randbytes(dice.randint(1, 4))
            case _:
                begin = dice.randrange(len(other) + 1)
                said[place:place] = other[begin : begin + dice.randint(1, 60)]
    return bytes(said[:4096])
