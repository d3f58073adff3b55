"""Shogi: public counts, an independent library's move lists, every prohibition, repetition."""

from __future__ import annotations

from random import Random

import pytest

from arbiterd.rules.ruleset import Colour, GameEnd, Reason, board_field, read_board_field
from arbiterd.rules.shogi import ShogiRules
from arbiterd.rules.shogi_choices import JSA, SEED, ShogiChoices
from arbiterd.rules.shogi_points import agreed, declare, points
from arbiterd.rules.shogi_position import START_SFEN, ShogiPosition
from eboards.events import SHOGI_BOARD

RULES = ShogiRules()
MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"


def nodes(position: ShogiPosition, depth: int) -> int:
    moves = RULES.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(nodes(RULES.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("sfen", "counts"),
    [(START_SFEN, [30, 900, 25470]), (MATSURI, [207, 28684]), (MOST_MOVES, [593])],
    ids=["start", "matsuri", "most moves"],
)
def test_as_many_positions_as_are_published(sfen: str, counts: list[int]) -> None:
    position = RULES.start(sfen)

    assert [nodes(position, depth) for depth in range(1, len(counts) + 1)] == counts


def test_random_play_has_the_moves_an_independent_library_finds() -> None:
    core = pytest.importorskip("rsshogi.core", reason="the shogi extra is not installed")
    dice = Random(11)
    for _ in range(12):
        position, board = RULES.start(), core.Board()
        for _ in range(150):
            ours = sorted(RULES.wire(position, move) for move in RULES.legal_moves(position))
            theirs = sorted(move.to_usi() for move in board.legal_moves())
            assert ours == theirs, RULES.fen(position)
            assert RULES.in_check(position, RULES.turn(position)) == board.is_in_check()
            if not ours:
                break
            text = dice.choice(ours)
            position = RULES.play(position, RULES.parse(position, text))
            board.apply_usi(text)
            assert RULES.fen(position) == board.to_sfen()


def attempt(sfen: str, **squares: str) -> Reason | None:
    """Squares are written as files and ranks with an f before: f7f."""
    position = RULES.start(sfen)
    pieces = list(RULES.placement(position))
    for name, piece in squares.items():
        pieces[SHOGI_BOARD.square(name[1:])] = piece
    found = RULES.read_attempt(position, tuple(pieces), RULES.turn(position))
    return None if found is None else found.reason


EMPTY_BOARD = "4k4/9/9/9/9/9/9/9/4K4"


PROHIBITED = {
    "a second pawn on the file": (
        "4k4/9/9/9/9/9/4P4/9/4K4 b P 1", {"f5e": "P"}, Reason.TWO_PAWNS),
    "a pawn dropped on the last rank": (f"{EMPTY_BOARD} b P 1", {"f1a": "P"}, Reason.DEAD_END_DROP),
    "a lance dropped on the last rank": (
        f"{EMPTY_BOARD} b L 1", {"f1a": "L"}, Reason.DEAD_END_DROP),
    "a knight dropped on the last but one": (
        f"{EMPTY_BOARD} b N 1", {"f1b": "N"}, Reason.DEAD_END_DROP),
    "a pawn drop that mates": (
        "7nk/9/7G1/9/9/9/9/9/4K4 b P 1", {"f1b": "P"}, Reason.DROP_MATE),
    "a promoted face dropped": (f"{EMPTY_BOARD} b P 1", {"f5e": "+P"}, Reason.DROP_PROMOTED),
    "a piece that is not in hand": (f"{EMPTY_BOARD} b - 1", {"f5e": "G"}, Reason.NOT_IN_HAND),
    "a drop on a piece of the other side": (
        "4k4/9/9/9/4p4/9/9/9/4K4 b G 1", {"f5e": "G"}, Reason.OCCUPIED),
    "a drop that leaves the king in check": (
        "4k4/9/9/9/4r4/9/9/9/4K4 b G 1", {"f1e": "G"}, Reason.KING_LEFT_IN_CHECK),
    "a lance left unturned on the last rank": (
        "k8/4L4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f5a": "L"}, Reason.MUST_PROMOTE),
    "a knight left unturned on the last but one": (
        "k8/9/9/4N4/9/9/9/9/4K4 b - 1", {"f5d": ".", "f4b": "N"}, Reason.MUST_PROMOTE),
    "a knight dropped on the last rank": (
        f"{EMPTY_BOARD} b N 1", {"f1a": "N"}, Reason.DEAD_END_DROP),
    "the king taken": (
        "4k4/4G4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f5a": "G"}, Reason.KING_CAPTURED),
    "a pawn left unturned on the last rank": (
        "k8/4P4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f5a": "P"}, Reason.MUST_PROMOTE),
    "turned outside the zone": (
        "4k4/9/9/9/9/9/4P4/9/4K4 b - 1", {"f5g": ".", "f5f": "+P"}, Reason.CANNOT_PROMOTE),
    "turned back": (
        "k8/4+P4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f4b": "P"}, Reason.CANNOT_PROMOTE),
    "turned back where it stands": (
        "k8/4+P4/9/9/9/9/9/9/4K4 b - 1", {"f5b": "P"}, Reason.CANNOT_PROMOTE),
    "a gold turned": (
        "k8/4G4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f5a": "+S"}, Reason.CANNOT_PROMOTE),
    "a pawn sideways": (
        "4k4/9/9/9/9/9/4P4/9/4K4 b - 1", {"f5g": ".", "f4g": "P"}, Reason.CANNOT_MOVE_SO),
    "a rook through a pawn": (
        "4k4/9/9/9/4P4/9/4R4/9/3K5 b - 1", {"f5g": ".", "f5c": "R"}, Reason.BLOCKED),
    "onto an own piece": (
        "4k4/9/9/9/4P4/9/4R4/9/3K5 b - 1", {"f5g": ".", "f5e": "R"}, Reason.OWN_PIECE_THERE),
    "the king left in check": (
        "4k4/9/9/9/4r4/9/9/9/4K3L b - 1", {"f1i": ".", "f1h": "L"}, Reason.KING_LEFT_IN_CHECK),
    "the king into check": (
        "4k4/9/9/9/3r5/9/9/9/4K4 b - 1", {"f5i": ".", "f6i": "K"}, Reason.KING_INTO_CHECK),
    "a pinned piece": (
        "4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", {"f5h": ".", "f4h": "G"}, Reason.PINNED),
}  # fmt: skip


@pytest.mark.parametrize(("sfen", "squares", "reason"), PROHIBITED.values(), ids=PROHIBITED)
def test_what_is_prohibited_is_named(sfen: str, squares: dict[str, str], reason: Reason) -> None:
    assert attempt(sfen, **squares) is reason


def turned_round(sfen: str, squares: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The same for the other side: the board turned by half, colours and hands exchanged."""
    board, side, hands, number = sfen.split()
    pieces = list(read_board_field(SHOGI_BOARD, board))[::-1]
    field = board_field(SHOGI_BOARD, [piece.swapcase() for piece in pieces])
    names = SHOGI_BOARD.names
    there = {f"f{names[80 - names.index(n[1:])]}": m.swapcase() for n, m in squares.items()}
    return f"{field} {'w' if side == 'b' else 'b'} {hands.swapcase()} {number}", there


@pytest.mark.parametrize(("sfen", "squares", "reason"), PROHIBITED.values(), ids=PROHIBITED)
def test_what_is_prohibited_is_so_for_gote(
    sfen: str, squares: dict[str, str], reason: Reason
) -> None:
    other, there = turned_round(sfen, squares)

    assert attempt(other, **there) is reason


LEGAL = {
    "a pawn beside a tokin": ("4k4/9/9/9/9/4+P4/9/9/4K4 b P 1", {"f5e": "P"}),
    "a lance on the last but one": (f"{EMPTY_BOARD} b L 1", {"f1b": "L"}),
    "a knight on the third": (f"{EMPTY_BOARD} b N 1", {"f1c": "N"}),
    "a pawn drop that only checks": (f"{EMPTY_BOARD} b P 1", {"f5b": "P"}),
    "a pawn pushed to mate": (
        "7nk/9/7GP/9/9/9/9/9/4K4 b - 1", {"f1c": ".", "f1b": "P"}),
    "a gold dropped to mate": ("7nk/9/7G1/9/9/9/9/9/4K4 b G 1", {"f1b": "G"}),
    "turned on leaving the zone": (
        "4k4/9/7S1/9/9/9/9/9/4K4 b - 1", {"f2c": ".", "f1d": "+S"}),
    "a drop on an empty square beside one": ("4k4/9/9/9/4p4/9/9/9/4K4 b G 1", {"f4e": "G"}),
    "a drop that parries check": ("4k4/9/9/9/4r4/9/9/9/4K4 b G 1", {"f5g": "G"}),
    "a rook up to a pawn": (
        "4k4/9/9/9/4P4/9/4R4/9/3K5 b - 1", {"f5g": ".", "f5f": "R"}),
    "a pinned piece along the line": (
        "4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1", {"f5h": ".", "f5g": "G"}),
    "the king out of check": (
        "4k4/9/9/9/4r4/9/9/9/4K4 b - 1", {"f5i": ".", "f6i": "K"}),
    "a knight unturned on the third": (
        "k8/9/9/9/4N4/9/9/9/4K4 b - 1", {"f5e": ".", "f4c": "N"}),
    "a pawn drop that the king can take": ("8k/9/9/9/9/9/9/9/4K4 b P 1", {"f1b": "P"}),
    "a pawn drop that a free piece can take": (
        "7nk/9/7Gr/9/9/9/9/9/4K4 b P 1", {"f1b": "P"}),
    "a pawn turned on the last rank": (
        "k8/4P4/9/9/9/9/9/9/4K4 b - 1", {"f5b": ".", "f5a": "+P"}),
}  # fmt: skip


@pytest.mark.parametrize(("sfen", "squares"), LEGAL.values(), ids=LEGAL)
def test_what_only_looks_prohibited_is_no_offence(sfen: str, squares: dict[str, str]) -> None:
    for position, shown in ((sfen, squares), turned_round(sfen, squares)):
        start = RULES.start(position)
        pieces = list(RULES.placement(start))
        for name, piece in shown.items():
            pieces[SHOGI_BOARD.square(name[1:])] = piece
        played = {RULES.placement(RULES.play(start, move)) for move in RULES.legal_moves(start)}

        assert tuple(pieces) in played
        assert attempt(position, **shown) is None


def history(sfen: str, *moves: str) -> tuple[ShogiPosition, ...]:
    positions = [RULES.start(sfen)]
    for text in moves:
        positions.append(RULES.play(positions[-1], RULES.parse(positions[-1], text)))
    return tuple(positions)


SHUFFLE = ("2h3h", "8b7b", "3h2h", "7b8b")


def test_the_fourth_occurrence_is_sennichite_and_the_third_is_not() -> None:
    start = history(START_SFEN, *SHUFFLE * 2)
    assert RULES.end_by_history(start) is None

    assert RULES.end_by_history(history(START_SFEN, *SHUFFLE * 3)) == (GameEnd.REPETITION, None)


@pytest.mark.parametrize("first", ["2h3h", "8b7b"], ids=["black closes", "white closes"])
def test_a_repetition_counts_whoever_closes_the_cycle(first: str) -> None:
    side = "b" if first == "2h3h" else "w"
    start = START_SFEN.replace(" b ", f" {side} ")
    cycle = SHUFFLE if side == "b" else ("8b7b", "2h3h", "7b8b", "3h2h")

    closed_by_the_reply = history(start, *cycle * 3)
    closed_by_the_mover = history(start, *cycle * 3, cycle[0])

    assert RULES.end_by_history(closed_by_the_reply) == (GameEnd.REPETITION, None)
    assert RULES.end_by_history(closed_by_the_mover) == (GameEnd.REPETITION, None)
    assert RULES.end_by_history(closed_by_the_reply[:-1]) is None


def test_other_pieces_in_hand_are_another_position() -> None:
    """The same board for the fourth time, but a pawn more has changed hands each time."""
    positions = history(START_SFEN, *SHUFFLE * 3)
    richer = [p._replace(hands=((0, 0, 0, 0, 0, 0, n // 4), p.hands[1])) for n, p in
              enumerate(positions)]  # fmt: skip

    assert RULES.end_by_history(tuple(richer)) is None


def test_perpetual_check_by_gote_loses_for_gote() -> None:
    start = "4k4/1r7/9/9/9/9/9/9/K8 w - 1"
    checks = ("8b9b", "9i8i", "9b8b", "8i9i")

    assert RULES.end_by_history(history(start, *checks * 3)) == (
        GameEnd.PERPETUAL_CHECK, Colour.BLACK,
    )  # fmt: skip


CHASE = "8k/9/9/9/9/9/9/R8/4K4 b - 1"


def test_perpetual_check_loses_when_the_cycle_closes_on_the_evading_move() -> None:
    start = "8k/9/9/9/9/9/9/7R1/4K4 b - 1"

    positions = history(start, *("2h1h", "1a2a", "1h2h", "2a1a") * 3)

    assert RULES.end_by_history(positions) == (GameEnd.PERPETUAL_CHECK, Colour.WHITE)


def test_perpetual_check_loses_when_the_cycle_closes_on_the_checking_move() -> None:
    positions = history(CHASE, "9h1h", *("1a2a", "1h2h", "2a1a", "2h1h") * 3)

    assert RULES.end_by_history(positions) == (GameEnd.PERPETUAL_CHECK, Colour.WHITE)


def test_one_quiet_move_in_the_cycle_makes_it_an_ordinary_sennichite() -> None:
    start = "8k/9/9/9/9/9/9/7R1/4K4 b - 1"
    checked_once = ("2h1h", "1a2a", "1h3h", "2a1a")

    positions = history(start, *checked_once, *("3h4h", "1a1b", "4h3h", "1b1a") * 3)

    assert RULES.end_by_history(positions) == (GameEnd.REPETITION, None)


def test_where_both_give_nothing_but_checks_no_side_loses_by_it() -> None:
    """Whether play can bring it about is not asked: the rule names no loser."""
    both = (
        RULES.start("4k4/9/9/9/4R4/9/9/9/4K4 w - 1"),
        RULES.start("4k4/9/9/9/4r4/9/9/9/4K4 b - 2"),
    )

    assert RULES.end_by_history((*both * 3, both[0])) == (GameEnd.REPETITION, None)


def test_mate_and_no_move_differ_by_edition() -> None:
    mated = RULES.start("7nk/8P/7G1/9/9/9/9/9/4K4 w - 1")
    assert RULES.end(mated) == (GameEnd.CHECKMATE, Colour.BLACK)

    stuck = RULES.start("8k/9/6NG1/9/9/9/9/9/4K4 w - 1")
    assert RULES.end(stuck) == (GameEnd.NO_MOVE, Colour.BLACK)
    assert ShogiRules(SEED).end(stuck) == (GameEnd.NO_MOVE, None)


def test_points_of_the_even_game() -> None:
    start = RULES.start()

    assert points(start, True) == points(start, False) == 27


ENTERED = "+R+B1K+P+P+P+P+P/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b RB4G 1"


@pytest.mark.parametrize(
    ("sfen", "choices", "result"),
    [
        (ENTERED, JSA, "0-1"),
        (ENTERED, ShogiChoices(declaration="24"), "0-1"),
        (ENTERED.replace("RB4G", "4G"), JSA, "1-0"),
        (ENTERED.replace("RB4G", "4G"), ShogiChoices(declaration="24"), "replay"),
        ("4k4/9/9/9/9/9/9/9/4K4 b RB4G 1", JSA, "1-0"),
    ],
    ids=["27 wins", "24: 31 wins", "27 too few", "24: no decision", "king not entered"],
)
def test_a_declaration_is_counted_by_its_rule(
    sfen: str, choices: ShogiChoices, result: str
) -> None:
    position = RULES.start(sfen)

    assert declare(position, RULES.start(), choices).result == result


def test_an_agreed_impasse_needs_an_entered_king_and_counts_all_pieces() -> None:
    assert agreed(RULES.start(), RULES.start(), JSA) is None
    assert agreed(RULES.start(ENTERED), RULES.start(), JSA) == "0-1"
    only_one = RULES.start("+R+B1K+P+P+P+P+P/+P+P+P+P+P4/9/9/4k4/9/9/9/9 b RB4G 1")
    assert agreed(RULES.start(ENTERED), RULES.start(), SEED) == "0-1"
    assert agreed(only_one, RULES.start(), SEED) is None


def test_where_points_alone_decide_equal_ones_are_gotes() -> None:
    by_count = ShogiChoices(agreed_points="27", impasse="none_entered")

    assert agreed(RULES.start(), RULES.start(), by_count) == "1-0"
    assert agreed(RULES.start(ENTERED), RULES.start(), by_count) == "0-1"


def test_text_forms_are_read_as_they_are_written() -> None:
    dice, position = Random(2), RULES.start()
    for _ in range(120):
        moves = RULES.legal_moves(position)
        if not moves:
            break
        assert RULES.start(RULES.fen(position)) == position
        for move in moves[::3]:
            assert RULES.parse(position, RULES.wire(position, move)) == move
            assert RULES.parse(position, RULES.san(position, move)) == move
            pieces = list(RULES.placement(position))
            for square, piece in RULES.footprint(position, move):
                pieces[square] = piece
            assert tuple(pieces) == RULES.placement(RULES.play(position, move))
        position = RULES.play(position, dice.choice(moves))


@pytest.mark.parametrize("sfen", ["", "9/9 b - 1", f"{EMPTY_BOARD} x - 1", f"{EMPTY_BOARD} b Q 1"])
def test_a_bad_sfen_is_refused_with_a_sentence(sfen: str) -> None:
    if not sfen:
        assert RULES.start(sfen) == RULES.start(START_SFEN)
        return
    with pytest.raises(ValueError, match="write"):
        RULES.start(sfen)


def test_a_piece_thrown_back_onto_the_board_goes_where_it_was_taken_from() -> None:
    position = RULES.start("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1")
    seen = read_board_field(SHOGI_BOARD, "4k4/9/9/9/4P4/9/9/9/4K4")

    taken = RULES.taken_as_played(position, seen, Colour.WHITE)

    assert taken is not None
    assert RULES.fen(taken) == "4k4/9/9/9/4P4/9/9/9/4K4 w P 2"


def test_every_piece_of_the_start_is_its_own_sides() -> None:
    """Gote's bishop is no sign of Black, which other boards write as `b`."""
    owners = [RULES.owner(piece) for piece in RULES.placement(RULES.start())]

    assert set(owners[:27]) == {Colour.WHITE, None}
    assert set(owners[54:]) == {Colour.BLACK, None}
    assert (owners.count(Colour.WHITE), owners.count(Colour.BLACK)) == (20, 20)
