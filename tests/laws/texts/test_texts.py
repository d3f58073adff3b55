"""What the texts say with real facts reads as people write: every ruling of every situation."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from arbiterd.cli.laws.situations import packaged, tell
from arbiterd.cli.laws.texts import page, said
from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.texts import TEXTS, WORDS
from arbiterd.laws.texts.es.proofs import proved
from arbiterd.laws.texts.filling import UNKNOWN, Word, fill
from arbiterd.laws.texts.notation import Notation
from arbiterd.laws.texts.spoken import Speech
from arbiterd.rules.mating import can_mate
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from laws.talk import BLITZ, OPENING, act, clock, moved
from laws.talk import said as heard
from rules.mating.positions import composed

FAULTS = {
    "en": (
        r"\b1 (moves|half-moves|presses|times|replies|lines|men)\b",
        r"\b(he|his|him|men|man)\b",
        r"\ba (White|Black)\b",
    ),
    "es": (
        r"\b1 (jugadas|medias jugadas|pulsaciones|veces|respuestas|piezas)\b",
        r"(?<!de )[Ll]as (blancas|negras) (debe|tiene|tenía|puede|reclama|\w+ó)\b",
        r"\b(White|Black|yes|and|or|the)\b",
        r"\bde (blancas|negras)\b",
        r"\blas las\b",
    ),
}
"""Grammar that goes wrong where a fact is put into a sentence."""
EVERYWHERE = (
    r"[–{}\[\]]",
    r"\s\s|\s[,.;:)]|\(\)|(?<!\.)\.[,.](?!\.)|: *\.|,\.",
    r"[+-]0:00\b",
    r"\bs s\b|\b0[.,]0 s\b|\b\d{3,}[.,]\d s\b",
    r"\b([a-h][1-8]){2}[qrbnt]?\b|\b([1-9][a-i]){2}\b",
    r"\bNone\b|\bnull\b|\w_\w",
)
"""Lists and times with nothing in them, a unit twice, moves and names as the wire has them."""
IDS = re.compile(rf"\b({'|'.join(kind for kind in ROWS if '-' in kind)})\b")
NOTES = ("as told", "seen by the captain", "fire alarm", "talking")
"""What the situations' arbiter writes, in any language."""
MOVE = re.compile(r"\b([KQRBNP]|[RDTACP])?([a-h]?[1-8]?x?[a-h][1-8](?:-[a-h][1-8])?)(=[A-Z])?")


def test_every_language_has_its_faults_of_grammar() -> None:
    missing = sorted(set(LANGUAGES) - set(FAULTS))
    assert not missing, f"write in FAULTS above what goes wrong in {', '.join(missing)}"


@cache
def told() -> list[tuple[str, Any, dict[str, Any]]]:
    return [
        (f"{situation.name} {situation.number}", situation.head, ruling)
        for situation in packaged()
        for ruling in tell(situation).rulings
    ]


def _text(ruling: dict[str, Any], language: str) -> str:
    text = f"{ruling['text'][language]['line']}\n{ruling['text'][language]['detail']}"
    for note in NOTES:
        text = text.replace(note, "")
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_read_as_people_write(language: str) -> None:
    faults = [
        (where, ruling["kind"], found[0], _text(ruling, language))
        for where, _, ruling in told()
        for pattern in (*EVERYWHERE, *FAULTS.get(language, ()), IDS.pattern)
        if (found := re.search(pattern, _text(ruling, language)))
    ]
    assert faults == []


def test_pieces_have_the_letters_of_the_language() -> None:
    """R is a king in Spanish: the same moves stand in both texts, letter for letter."""
    letters = dict(zip(*(WORDS[it]["letters of pieces"] for it in ("en", "es")), strict=True))
    wrong = []
    for where, head, ruling in told():
        if not ruleset(head.get("ruleset", "chess")).letters:
            continue
        spanish = Counter(m.group() for m in MOVE.finditer(_text(ruling, "es")))
        english = Counter(
            letters.get(m[1], "") + m[2] + (m[3] or "").translate(str.maketrans(letters))
            for m in MOVE.finditer(_text(ruling, "en"))
        )
        if set(spanish) != set(english):
            wrong.append((where, ruling["kind"], set(spanish) ^ set(english)))
    assert wrong == []


def test_every_row_says_something_once_in_each_language() -> None:
    for language in LANGUAGES:
        lines = page(said(packaged(), language))
        for kind, row in ROWS.items():
            at = next(n for n, line in enumerate(lines) if line.split("  ")[1:2] == [kind])
            assert row.unplayed or lines[at + 1].strip(), kind


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("written", ["b", "Na2", "e4", "pause", "white", "no", "castle-ok"])
def test_what_people_write_stands_as_they_wrote_it(written: str, language: str) -> None:
    """Who signs as `b` is no bishop, and a note that says `pause` is nobody's clock."""
    report = act(1000, action="report", kind="appeal", side="white", by=written, note=written)
    said_of_it = _text(heard(report).last("appeal"), language)

    assert re.search(rf"(by|por) {written}\.", said_of_it)
    assert re.search(rf"Not[ea]: {written}$", said_of_it)


@pytest.mark.parametrize(
    ("kind", "english", "spanish"),
    [
        ("take-time", "time off", "menos tiempo"),
        ("loss-of-game", "loss of the game", "pérdida de la partida"),
        ("exclusion", "exclusion from the round", "exclusión de la ronda"),
        ("a word of one's own", "a word of one's own", "a word of one's own"),
    ],
)
def test_a_penalty_has_its_name(kind: str, english: str, spanish: str) -> None:
    given = act(1000, action="penalty", kind=kind, side="white")
    ruling = heard(given).last("penalty-12-9")

    assert ruling["text"]["en"]["line"] == f"Penalty for White: {english}"
    assert ruling["text"]["es"]["line"] == f"Sanción para las blancas: {spanish}"


def test_a_clause_falls_away_with_its_fact() -> None:
    facts = {"side": Word("las negras"), "n": Word("1"), "late": UNKNOWN}
    assert fill("{Side} hicieron {n:jugada|jugadas}[ en {late}].", facts) == (
        "Las negras hicieron 1 jugada."
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "5. White pressed; the board fits no move"),
        ("es", "5. Las blancas pulsaron; el tablero no encaja con ninguna jugada"),
    ],
)
def test_a_press_that_fits_no_move_is_told_though_no_square_is_named(
    language: str, said: str
) -> None:
    line, _ = TEXTS[language]["move-unexplained-press"]
    side = Word(WORDS[language]["white"])
    assert fill(line, {"move": Word("5."), "side": side}).lower() == said.lower()
    named = fill(line, {"move": Word("5."), "side": side, "squares": Word("a1")})
    assert named.lower() == f"{said}: a1".lower()


def test_times_of_the_day_are_those_of_the_hall() -> None:
    """Summer and winter, and a hall that was told no zone."""
    rules = ruleset("chess")
    notation = Notation(rules, rules.fen(rules.start()), "RDTACP")

    def at(stamp: str, zone: str) -> str:
        return Speech(WORDS["es"], notation, zone).fact("flag_at", stamp)

    assert at("2026-07-21T14:03:22.118Z", "Europe/Madrid") == "16:03:22,1"
    assert at("2026-11-21T14:03:22.118Z", "Europe/Madrid") == "15:03:22,1"
    assert at("2026-11-21T14:03:22.118Z", "UTC") == "14:03:22,1 UTC"


CLOSED = (
    "Only 12 positions that matter can still arise, and in none is Black checkmated.",
    (
        "Only 7 positions that matter can still arise, and in none is White checkmated; 2 walls"
        " that arise hold for ever."
    ),
)
"""Proofs by a closed set, which only search gives."""


def test_every_proof_is_said_in_spanish() -> None:
    """Those of the composed positions, each as `rules/mating` words it."""
    proofs = [
        verdict.proof
        for fen, _, _ in composed()
        for side in Colour
        for verdict in (can_mate(fen, side, 3000),)
        if verdict.proof is not None
    ]
    assert len({proof.kind for proof in proofs}) >= 4
    for text in (*(proof.text for proof in proofs), *CLOSED):
        said = proved(text)
        assert said, text
        assert not re.search(r"\b(White|Black|king|pawns?|and|the|is|mate by)\b", said), said


def test_a_proof_that_spanish_does_not_know_is_left_out() -> None:
    assert proved("Nobody has thought of this.") == ""


def _written_out(*lines: dict[str, Any], **head: Any) -> list[str]:
    """Every sentence of what was told, in all languages."""
    told_of = heard(*lines, **head)
    return [
        sentence
        for ruling in (*told_of.rulings, *told_of.log)
        for language in LANGUAGES
        if language in ruling.get("text", {})
        for sentence in ruling["text"][language].values()
    ]


UNSEEN: list[tuple[list[dict[str, Any]], dict[str, Any]]] = [
    ([act(1000, action="report", kind="end-false-mate", side="white")], {}),
    ([*moved(1000, "g1", "g3", "N", "white")], {"moves": OPENING}),
    (
        [
            *moved(1000, "g1", "g3", "N"),
            {"t": 1900, "press": "white", "clock": clock(1500, 9000, "black")},
        ],
        {"moves": OPENING, "clock": clock(1500, 9000), "rate": BLITZ},
    ),
    (
        [
            act(2000, action="report", kind="claim-withdrawn"),
            {"t": 3000, "flag": "white"},
        ],
        {"moves": OPENING, "clock": clock(2000, 600_000)},
    ),
    (
        [act(1000, action="resign", side="black"), act(2000, action="set-result", result="0-1")],
        {"fen": "8/8/8/4k3/8/3q4/4K3/6N1 b - - 0 60", "clock": clock(9000, 9000, "black")},
    ),
]


@pytest.mark.parametrize(("lines", "head"), UNSEEN)
def test_what_nobody_knows_is_left_out(lines: list[dict[str, Any]], head: dict[str, Any]) -> None:
    """No replies counted, no clock heard, less time than goes off, nobody's claim, no move."""
    sentences = _written_out(*lines, **head)

    assert sentences
    assert [text for text in sentences if "–" in text or "-0:00" in text] == []
