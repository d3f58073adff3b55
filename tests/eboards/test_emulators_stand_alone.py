"""An emulator is written from the wire: what it shared with its codec, both would misread alike."""

from __future__ import annotations

import grimp
import pytest

GRAPH = grimp.build_graph("eboards")
EMULATORS = sorted(
    name for name in GRAPH.modules if "emulat" in name.rpartition(".")[2] and "." in name
)


@pytest.mark.parametrize("emulator", EMULATORS)
def test_an_emulator_takes_events_and_other_emulators_alone(emulator: str) -> None:
    taken = GRAPH.find_modules_directly_imported_by(emulator)
    assert taken - set(EMULATORS) <= {"eboards.events"}


def test_each_codec_has_an_emulator() -> None:
    codecs = {name.rpartition(".")[0] for name in GRAPH.modules if name.endswith(".codec")}
    emulated = {name.rpartition(".")[0] for name in EMULATORS}
    assert codecs == emulated
