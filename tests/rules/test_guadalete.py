"""The river game: counts, the balance duty row by row, what the river forbids, its dead ends."""

from __future__ import annotations

from random import Random

import pytest

from arbiterd.rules.guadalete import GuadaleteRules
from arbiterd.rules.guadalete_dead import can_mate, is_dead
from arbiterd.rules.guadalete_position import Choices, GuadaletePosition
from arbiterd.rules.ruleset import Colour, GameEnd, Reason

RULES = GuadaleteRules()


def after(*moves: str, rules: GuadaleteRules = RULES, start: str = "") -> GuadaletePosition:
    position = rules.start(start)
    for text in moves:
        position = rules.play(position, rules.parse(position, text))
    return position


def nodes(position: GuadaletePosition, depth: int) -> int:
    moves = RULES.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(nodes(RULES.play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(("depth", "expected"), [(1, 20), (2, 304), (3, 4987)])
def test_as_many_positions_as_were_counted_elsewhere(depth: int, expected: int) -> None:
    assert nodes(RULES.start(), depth) == expected


def test_a_double_step_from_home_ends_on_the_river_and_the_pawn_becomes_a_plank() -> None:
    position = after("d4=T")

    assert RULES.fen(position) == (
        "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1 d4 1/0"
    )
    assert RULES.start(RULES.fen(position)) == position


OWED = [
    # White leads, Black is to move: transformed by White, by Black, does Black owe one?
    (0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True), (2, 2, False), (3, 2, False),
    (4, 2, True), (3, 3, False), (4, 3, False), (5, 3, False), (6, 3, True), (4, 4, False),
    (7, 4, False), (8, 4, True), (8, 5, False), (8, 8, False),
]  # fmt: skip


@pytest.mark.parametrize(("leader", "other", "owed"), OWED)
def test_who_lags_behind_by_half_owes_a_transformation(leader: int, other: int, owed: bool) -> None:
    position = RULES.start(f"4k3/p6p/8/8/8/8/8/4K2R b K - 0 1 - {leader}/{other}")

    transforms = [move.transforms for move in RULES.legal_moves(position)]

    assert (RULES.facts(position)["owes"] == "black") is owed
    assert all(transforms) is owed
    assert any(transforms)


def test_nothing_is_owed_without_pawns() -> None:
    position = RULES.start("4k3/8/8/8/8/8/8/4K2R b K - 0 1 d4 1/0")

    assert RULES.facts(position)["owes"] == ""
    assert len(RULES.legal_moves(position)) == 5


def test_a_duty_that_cannot_be_met_waits_and_is_no_stalemate() -> None:
    blocked = "4k3/p7/n7/8/8/8/8/4K3 b - - 0 1 d4 1/0"

    position = RULES.start(blocked)

    assert RULES.facts(position)["owes"] == "black"
    assert RULES.legal_moves(position)
    strict = GuadaleteRules(Choices(duty_impossible="strict"))
    assert strict.legal_moves(strict.start(blocked)) == ()


def test_in_check_the_duty_must_parry_it_where_it_can() -> None:
    """Only a7-a5 is a transformation, and it does not parry: any other parry is legal."""
    position = RULES.start("4k3/p7/8/8/4R3/8/8/4K3 b - - 0 1 e4,e5 2/1")

    assert RULES.in_check(position, Colour.BLACK)
    assert RULES.legal_moves(position)
    assert not any(move.transforms for move in RULES.legal_moves(position))


@pytest.mark.parametrize(("leader", "other", "owed"), OWED)
def test_the_same_is_owed_by_white(leader: int, other: int, owed: bool) -> None:
    position = RULES.start(f"4k2r/8/8/8/8/8/P6P/4K3 w k - 0 1 - {other}/{leader}")

    assert (RULES.facts(position)["owes"] == "white") is owed
    assert all(move.transforms for move in RULES.legal_moves(position)) is owed


def test_who_leads_may_transform_again() -> None:
    position = RULES.start("4k3/p7/8/8/8/8/P6P/4K3 w - - 0 1 d4,e4,f4,d5,e5 3/2")

    transforms = [move.transforms for move in RULES.legal_moves(position)]

    assert any(transforms)
    assert not all(transforms)


def test_the_duty_ends_with_the_last_pawn_taken() -> None:
    """White has led by 1 to 0; the rook takes the pawn that owed."""
    owed = RULES.start("4k3/p7/n7/8/8/8/8/R3K3 b - - 0 1 d4 1/0")
    assert RULES.facts(owed)["owes"] == "black"

    taken = RULES.start("4k3/p7/R7/8/8/8/8/4K3 w - - 0 1 a4,a5 1/0")
    after_it = RULES.play(taken, RULES.parse(taken, "a6a7"))

    assert RULES.facts(after_it)["owes"] == ""
    assert len(RULES.legal_moves(after_it)) > 1


def test_a_duty_of_several_is_worked_off_one_a_move() -> None:
    """It could not be met, and White went on to 4; Black has none."""
    position = RULES.start("4k3/p6p/8/8/8/8/8/4K3 b - - 0 1 b4,c4,d4,f4 4/0")
    owed = []
    for reply in ("e1d1", "d1e1"):
        owed.append(RULES.facts(position)["owes"])
        assert all(move.transforms for move in RULES.legal_moves(position))
        position = RULES.play(position, RULES.legal_moves(position)[0])
        position = RULES.play(position, RULES.parse(position, reply))

    assert owed == ["black", "black"]
    assert RULES.facts(position)["owes"] == ""


def test_a_transformation_that_uncovers_the_own_king_meets_no_duty() -> None:
    """The pawn is pinned along its rank: it may not leave, and the duty waits."""
    position = RULES.start("8/k5pR/8/8/8/8/8/4K3 b - - 0 1 d4 1/0")

    assert RULES.facts(position)["owes"] == "black"
    assert RULES.legal_moves(position)
    assert not any(move.transforms for move in RULES.legal_moves(position))


def test_no_transformation_ever_parries_a_check() -> None:
    """A pawn that leaves the board stands in no line, so this row of the duty cannot arise."""
    dice, checks = Random(7), 0
    for _ in range(60):
        position = RULES.start()
        for _ in range(80):
            moves = RULES.legal_moves(position)
            if not moves:
                break
            if RULES.in_check(position, RULES.turn(position)):
                checks += 1
                assert not any(move.transforms for move in moves)
            position = RULES.play(position, dice.choice(moves))
    assert checks > 40


def placed(position: GuadaletePosition, **squares: str) -> tuple[str, ...]:
    pieces = list(position.board)
    for name, piece in squares.items():
        pieces[RULES.geometry.square(name)] = piece
    return tuple(pieces)


FORBIDDEN = [
    ("knight into the water", "start", {"b1": ".", "c4": "N"}, Reason.WATER),
    ("rook stops in the water", "rook", {"a1": ".", "a4": "R"}, Reason.WATER),
    ("rook slides over the water", "rook", {"a1": ".", "a7": "R"}, Reason.WATER_IN_THE_WAY),
    ("king on a plank", "king", {"e3": ".", "e4": "K"}, Reason.KING_ON_RIVER),
    ("pawn captures", "pawn", {"e2": ".", "d3": "P"}, Reason.PAWN_CAPTURES_NOT),
    ("pawn left on the river", "start", {"e2": ".", "e4": "P"}, Reason.NOT_PLANKED),
    ("three steps into the river", "start", {"e2": ".", "e5": "P"}, Reason.CANNOT_MOVE_SO),
    ("duty ignored", "duty", {"g1": ".", "f3": "N"}, Reason.DUTY),
    ("duty ignored by a pawn", "duty", {"e2": ".", "e3": "P"}, Reason.DUTY),
    ("two steps from the third rank", "behind", {"b3": ".", "b5": "P"}, Reason.CANNOT_MOVE_SO),
    ("pawn that shields the king", "shield", {"e2": ".", "e3": "P"}, Reason.PINNED),
    ("pawn while the king is in check", "check", {"a2": ".", "a3": "P"}, Reason.KING_LEFT_IN_CHECK),
]
FENS = {
    "start": "",
    "rook": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 - 0/0",
    "king": "4k3/8/8/8/8/4K3/8/8 w - - 0 1 e4 1/1",
    "pawn": "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1 - 0/0",
    "duty": "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2 d5 0/1",
    "behind": "4k3/8/8/8/8/1P6/8/4K3 w - - 0 2 b4,b5,d5 0/1",
    "shield": "4k3/8/8/8/8/8/r3P2K/8 w - - 0 1 - 0/0",
    "check": "4k3/8/8/8/8/8/P7/r3K3 w - - 0 1 - 0/0",
}


@pytest.mark.parametrize(("fen", "squares", "reason"), [row[1:] for row in FORBIDDEN],
                         ids=[row[0] for row in FORBIDDEN])  # fmt: skip
def test_what_the_river_forbids_is_named(fen: str, squares: dict[str, str], reason: Reason) -> None:
    position = RULES.start(FENS[fen])

    attempt = RULES.read_attempt(position, placed(position, **squares), Colour.WHITE)

    assert attempt is not None
    assert attempt.reason is reason


def test_on_a_plank_all_but_the_king_stand_and_pass() -> None:
    position = RULES.start("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a4,a5 1/1")

    targets = {RULES.wire(position, move) for move in RULES.legal_moves(position)}

    assert {"a1a4", "a1a5", "a1a8"} <= targets


def test_a_king_guards_no_plank() -> None:
    """The rook on e4 gives check and the king beside it may not take it."""
    position = RULES.start("8/8/8/8/4r3/4K3/8/7k w - - 0 1 e4 1/1")

    assert RULES.in_check(position, Colour.WHITE)
    assert "e3e4" not in {RULES.wire(position, m) for m in RULES.legal_moves(position)}


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 a4,a5 1/1", False, False),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1 a4,a5 1/1", True, False),
        ("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1 - 0/0", False, False),
        ("4k3/8/8/8/8/8/4P3/RR2K3 w - - 0 1 - 0/0", True, False),
        ("4k3/3p4/8/8/8/8/8/Q3K3 w - - 0 1 d4,d5 1/1", True, False),
    ],
    ids=["rook alone", "two rooks, a bridge", "no bridge ever", "a pawn may bridge", "not bare"],
)
def test_mating_force_must_be_able_to_cross(fen: str, white: bool, black: bool) -> None:
    position = RULES.start(fen)

    assert can_mate(RULES.waters, position, True) is white
    assert can_mate(RULES.waters, position, False) is black
    assert is_dead(RULES.waters, position) is (not white and not black)


def test_where_the_river_bends_one_queen_may_mate() -> None:
    """The king stands in a corner of its bank, a6, beside water it may not enter."""
    bent = tuple("a4 a5 b5 b6 c5 c6 d4 d5 e4 e5 f4 f5 g4 g5 h4 h5".split())
    rules = GuadaleteRules(Choices(river=bent))
    position = rules.start(f"8/8/k7/8/1Q6/8/8/4K3 w - - 0 60 {','.join(bent)} 8/8")

    mate = rules.parse(position, "Qb6#")

    assert rules.end(rules.play(position, mate)) == (GameEnd.CHECKMATE, Colour.WHITE)
    assert rules.end(position) is None


def few_pieces(dice: Random) -> str:
    """Kings on their banks, up to two more pieces a side anywhere beside the river, some planks."""
    banks = (*range(24), *range(40, 64))
    board = dict(zip((dice.randrange(40, 64), dice.randrange(24)), "Kk", strict=True))
    for letters in ("QRBN", "qrbn"):
        for square in dice.sample([s for s in banks if s not in board], dice.randrange(3)):
            board[square] = dice.choice(letters)
    rows = ("".join(board.get(8 * row + file, "1") for file in range(8)) for row in range(8))
    river = [file + rank for file in "abcdefgh" for rank in "45"]
    planks = dice.sample(river, dice.choice((0, 8, 12, 16)))
    return f"{'/'.join(rows)} w - - 0 60 {','.join(planks) or '-'} 8/8"


def test_no_side_mates_that_was_said_never_to() -> None:
    """Random play, until one can mate: what was ruled out before was ruled out rightly."""
    dice, mates, ruled_out = Random(5), 0, 0
    for _ in range(150):
        position, never = RULES.start(few_pieces(dice)), set[Colour]()
        for _ in range(20):
            moves = RULES.legal_moves(position)
            if not moves:
                break
            never |= {side for side in Colour if RULES.can_mate(position, side) is False}
            if any(RULES.san(position, move).endswith("#") for move in moves):
                assert RULES.turn(position) not in never, RULES.fen(position)
                mates += 1
                break
            position = RULES.play(position, dice.choice(moves))
        ruled_out += len(never)
    assert mates > 10
    assert ruled_out > 100


def test_moves_are_read_in_every_form_they_are_written_in() -> None:
    dice, position = Random(8), RULES.start()
    for _ in range(120):
        moves = RULES.legal_moves(position)
        if not moves:
            break
        for move in moves:
            assert RULES.parse(position, RULES.wire(position, move)) == move
            assert RULES.parse(position, RULES.san(position, move)) == move
        position = RULES.play(position, dice.choice(moves))


def test_a_footprint_is_the_difference_of_two_placements() -> None:
    for rules in (RULES, GuadaleteRules(Choices(counters_sensed=True))):
        dice, position = Random(3), rules.start()
        for _ in range(80):
            moves = rules.legal_moves(position)
            if not moves:
                break
            move = dice.choice(moves)
            pieces = list(rules.placement(position))
            for square, piece in rules.footprint(position, move):
                assert pieces[square] != piece
                pieces[square] = piece
            position = rules.play(position, move)
            assert tuple(pieces) == rules.placement(position)


@pytest.mark.parametrize(
    "river", [("a2",), ("a4",), (*(f"{f}4" for f in "abcdefg"), "h5"), ("a9",)]
)
def test_a_river_that_is_none_is_refused_with_a_sentence(river: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="river"):
        Choices(river)
