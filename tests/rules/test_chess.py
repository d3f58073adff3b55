"""Chess as a rule set: beside an independent library's moves, and in the words of the Laws."""

from __future__ import annotations

from random import Random

import chess
import pytest

from arbiterd.rules.chess import CHESS, CHESS960
from arbiterd.rules.chess_moves import legal_moves, play
from arbiterd.rules.chess_position import ChessPosition
from arbiterd.rules.ruleset import Colour, GameEnd, Narrowing, Reason, read_board_field
from eboards.events import CHESS_BOARD

# Positions and counts as published on the Chess Programming Wiki, "Perft Results".
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039, 97862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
]


def perft(position: ChessPosition, depth: int) -> int:
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), depth - 1) for move in moves)


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_as_many_lines_as_everyone_counts(fen: str, counts: list[int]) -> None:
    position = CHESS.start(fen)
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("seed", range(6))
def test_random_games_go_as_in_an_independent_library(seed: int) -> None:
    dice = Random(seed)
    rules = CHESS960 if seed % 2 else CHESS
    board = chess.Board.from_chess960_pos(dice.randrange(960)) if seed % 2 else chess.Board()
    position = rules.start(board.fen())
    for _ in range(150):
        if not board.legal_moves:
            break
        wires = {rules.wire(position, move): move for move in rules.legal_moves(position)}
        assert sorted(wires) == sorted(board.uci(move) for move in board.legal_moves)
        peer = dice.choice(list(board.legal_moves))
        move = wires[board.uci(peer)]
        assert rules.san(position, move) == board.san(peer)
        assert rules.parse(position, board.san(peer)) == move
        after = rules.play(position, move)
        written = dict(rules.footprint(position, move))
        for square, piece in enumerate(rules.placement(after)):
            before = rules.placement(position)[square]
            assert piece == written.get(square, before)
            assert square not in written or written[square] != before
        assert isinstance(rules, Narrowing)
        assert move in rules.moves_among(position, list(written))
        board.push(peer)
        position = after
        assert chess.Board(rules.fen(position), chess960=True).fen() == board.fen()
        assert rules.start(rules.fen(position)) == position


def test_a_capture_in_passing_is_found_by_the_square_it_goes_to_and_the_one_it_takes_on() -> None:
    """Neither is the pawn's own, and both are asked for."""
    position = CHESS.start("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    square = CHESS.geometry.square

    moves = CHESS.moves_touching(position, [square("e3"), square("e4")])

    assert "d4e3" in {CHESS.wire(position, move) for move in moves}


@pytest.mark.parametrize("seed", range(6))
def test_narrowed_moves_are_the_legal_ones_of_those_squares_in_their_order(seed: int) -> None:
    dice = Random(seed)
    rules = CHESS960 if seed % 2 else CHESS
    position = rules.start(str(dice.randrange(960)) if seed % 2 else "")
    while moves := rules.legal_moves(position):
        written = {
            move: {square for square, _ in rules.footprint(position, move)} for move in moves
        }
        for squares in (written[dice.choice(moves)], set(dice.sample(range(64), 4))):
            among = rules.moves_among(position, sorted(squares))
            touching = rules.moves_touching(position, sorted(squares))
            assert {move for move in moves if written[move] <= squares} <= set(among)
            assert {move for move in moves if written[move] & squares} <= set(touching)
            assert list(among) == [move for move in moves if move in among]
            assert list(touching) == [move for move in moves if move in touching]
        position = rules.play(position, dice.choice(moves))
        if position.number > 100:
            break


@pytest.mark.parametrize("seed", range(6))
def test_no_half_move_sets_down_two_or_takes_in_passing_where_it_is_said_that_none_can(
    seed: int,
) -> None:
    dice = Random(seed)
    rules = CHESS960 if seed % 2 else CHESS
    position = rules.start(str(dice.randrange(960)) if seed % 2 else "")
    while (moves := rules.legal_moves(position)) and position.number <= 100:
        for move in moves:
            written = rules.footprint(position, move)
            left = {square for square, piece in written if piece == "."}
            if len(written) - len(left) > 1:
                assert rules.may_bring_two(position, {move.origin, move.rook})
            vanished = left - {move.origin, move.rook}
            assert vanished <= {rules.taken_in_passing(position)}
        position = rules.play(position, dice.choice(moves))


def attempt(fen: str, board: str, mover: Colour = Colour.WHITE) -> tuple[str, Reason] | None:
    found = CHESS.read_attempt(CHESS.start(fen), read_board_field(CHESS_BOARD, board), mover)
    return None if found is None else (found.wire, found.reason)


ATTEMPTS = [
    ("a knight goes straight", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "4k3/8/8/8/8/6N1/8/4K3",
     "g1g3", Reason.CANNOT_MOVE_SO),
    ("a rook jumps", "4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", "4k3/8/8/8/R7/8/P7/4K3",
     "a1a4", Reason.BLOCKED),
    ("a pinned knight", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "4r1k1/8/8/8/8/2N5/8/4K3",
     "e2c3", Reason.PINNED),
    ("a check is overlooked", "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", "4r1k1/8/8/8/8/P7/8/4K3",
     "a2a3", Reason.KING_LEFT_IN_CHECK),
    ("a king walks into check", "5rk1/8/8/8/8/8/8/4K3 w - - 0 1", "5rk1/8/8/8/8/8/8/5K2",
     "e1f1", Reason.KING_INTO_CHECK),
    ("castling through check", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "4kr2/8/8/8/8/8/8/5RK1",
     "e1g1", Reason.CASTLING_THROUGH_CHECK),
    ("castling after the king has moved", "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
     "4k3/8/8/8/8/8/8/5RK1", "e1g1", Reason.CASTLING_LOST),
    ("castling in check", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "4r1k1/8/8/8/8/8/8/5RK1",
     "e1g1", Reason.CASTLING_IN_CHECK),
    ("castling over a bishop", "4k3/8/8/8/8/8/8/R1B1K3 w Q - 0 1", "4k3/8/8/8/8/8/8/2KR4",
     "e1c1", Reason.CASTLING_BLOCKED),
    ("a pawn stays a pawn", "7k/4P3/8/8/8/8/8/K7 w - - 0 1", "4P2k/8/8/8/8/8/8/K7",
     "e7e8p", Reason.NOT_PROMOTED),
    ("a pawn becomes a king", "7k/4P3/8/8/8/8/8/K7 w - - 0 1", "4K2k/8/8/8/8/8/8/K7",
     "e7e8k", Reason.WRONG_PROMOTION),
    ("en passant too late", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/3P4/8/8/8/8/4K3",
     "e5d6", Reason.EN_PASSANT_LATE),
    ("a king is captured", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "4R3/8/8/8/8/8/8/5K2",
     "e1e8", Reason.KING_CAPTURED),
    ("two pieces moved", "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/PP6/8/4K3",
     "", Reason.SEVERAL_CHANGES),
    ("a victim off, nothing moved", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "4k3/8/8/8/8/8/8/3RK3",
     "", Reason.NO_MOVE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fen", "board", "wire", "reason"),
    [row[1:] for row in ATTEMPTS],
    ids=[row[0] for row in ATTEMPTS],
)
def test_why_a_move_is_not_legal(fen: str, board: str, wire: str, reason: Reason) -> None:
    found = attempt(fen, board)
    assert found is not None
    assert found[1] is reason
    assert found[0].startswith(wire[:4])


def test_out_of_turn_and_what_is_no_attempt() -> None:
    fen = "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1"
    assert attempt(fen, "4k3/8/8/4p3/8/8/8/4K3", Colour.BLACK) == ("e7e5", Reason.OUT_OF_TURN)
    assert attempt(fen, "4k3/4p3/8/8/8/8/8/4K3") is None
    assert attempt(fen, "4k3/4p3/8/8/8/8/4K3/8") is None, "Ke2 is legal"


def test_positions_are_the_same_as_the_laws_have_it() -> None:
    """9.2.3: en passant counts where it is legal, and rights to castle count."""
    idle = CHESS.start("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")
    assert CHESS.key(idle) == CHESS.key(CHESS.start("4k3/8/8/8/4P3/8/8/4K3 b - - 7 9"))
    pinned = CHESS.start("4k3/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1".replace("4k3", "8"))
    assert pinned.en_passant == -1, "the capture would uncover the king"
    usable = CHESS.start("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    assert CHESS.key(usable) != CHESS.key(usable._replace(en_passant=-1))
    castling = CHESS.start("4k2r/8/8/8/8/8/8/4K3 b k - 0 1")
    assert CHESS.key(castling) != CHESS.key(castling._replace(castling=()))


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", (GameEnd.CHECKMATE, Colour.WHITE)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (GameEnd.STALEMATE, None)),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", (GameEnd.DEAD, None)),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", (GameEnd.DEAD, None)),
        ("7k/8/6K1/8/8/8/8/b3B3 b - - 0 1", (GameEnd.DEAD, None)),
        ("7k/8/6K1/8/8/8/8/b4B2 b - - 0 1", None),
        ("7k/8/6K1/8/8/8/8/6NN b - - 0 1", None),
    ],
)
def test_ends_on_the_board_itself(fen: str, end: tuple[GameEnd, Colour | None] | None) -> None:
    assert CHESS.end(CHESS.start(fen)) == end


def test_the_fifth_time_and_seventy_five_moves() -> None:
    position = CHESS.start()
    seen = [position]
    for wire in ("g1f3", "g8f6", "f3g1", "f6g8") * 4:
        assert CHESS.end_by_history(tuple(seen)) is None
        position = CHESS.play(position, CHESS.parse(position, wire))
        seen.append(position)
    assert CHESS.end_by_history(tuple(seen)) == (GameEnd.FIVEFOLD, None)
    long = CHESS.start("4k3/8/8/8/8/8/8/4K2R w - - 150 120")
    assert CHESS.end_by_history((long,)) == (GameEnd.SEVENTY_FIVE, None)


def test_a_placement_is_taken_as_it_stands() -> None:
    position = CHESS.start("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9")
    board = read_board_field(CHESS_BOARD, "r3k2r/8/8/8/8/R7/8/4K2R")
    taken = CHESS.taken_as_played(position, board, Colour.BLACK)
    assert taken is not None
    assert CHESS.fen(taken) == "r3k2r/8/8/8/8/R7/8/4K2R b Kkq - 6 9"
    kingless = read_board_field(CHESS_BOARD, "r3k2r/8/8/8/8/8/8/R6R")
    assert CHESS.taken_as_played(position, kingless, Colour.BLACK) is None


@pytest.mark.parametrize(
    "fen",
    ["", "x", "8/8 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 x - - 0 1",
     "8/8/8/8/8/8/8/7x w - - 0 1", "8/8/8/8/8/8/8/8 w - z9 0 1", "8/8/8/8/8/8/8/8 w - - a b"],
)  # fmt: skip
def test_what_is_no_fen_is_named(fen: str) -> None:
    if not fen:
        assert CHESS.fen(CHESS.start(fen)).startswith("rnbqkbnr/")
        return
    with pytest.raises(ValueError, match="write "):
        CHESS.start(fen)


@pytest.mark.parametrize("fen", ["8/8/8/8/8/8/8/8 w - - 0 1", "k1K1K3/8/8/8/8/8/8/8 w - - 0 1"])
def test_positions_no_game_can_reach_have_answers_too(fen: str) -> None:
    position = CHESS.start(fen)
    moves = CHESS.legal_moves(position)
    assert all(CHESS.play(position, move) for move in moves)
    assert CHESS.in_check(position, Colour.WHITE) in (True, False)


@pytest.mark.parametrize("text", ["--", "Z0", "0000", "@@@@", "P@e4", "", "e2e5"])
def test_what_is_no_move_is_refused_with_a_sentence(text: str) -> None:
    """The library behind the notation reads a move of nobody, which no game has."""
    for rules in (CHESS, CHESS960):
        with pytest.raises(ValueError, match=r"the position is|write UCI or SAN"):
            rules.parse(rules.start(), text)
