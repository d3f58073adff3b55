"""Records of shogi in and out, as an organiser has them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner

from arbiterd.cli.shogi import shogi
from arbiterd.rules.shogi_csa import read_csa, write_csa
from arbiterd.rules.shogi_kif import read_kif, write_kif
from rules.test_shogi_records import random_game

GAME = random_game(3, plies=60)


def ran(*words: str | Path):
    return CliRunner().invoke(shogi, [str(word) for word in words])


def test_either_form_and_either_encoding_is_read_and_the_other_printed(tmp_path: Path) -> None:
    named = replace(GAME, black="甲", white="乙")
    files = {
        "a.kif": write_kif(named).encode("cp932"),
        "a.kifu": write_kif(named).encode("utf-8-sig"),
        "a.csa": write_csa(named).encode("utf-8"),
    }
    for name, data in files.items():
        file = tmp_path / name
        file.write_bytes(data)
        assert read_kif(ran(file).output) == named
        assert read_csa(ran(file, "--csa").output) == named


def test_a_line_at_fault_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.kif"
    file.write_text("手合割：平手\n   1 ７五歩(77)\n", "utf-8")
    found = ran(file)
    assert found.exit_code == 1
    assert "a.kif: line 2" in str(found.output) + str(found.exception)
