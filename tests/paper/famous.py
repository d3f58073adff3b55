"""A hall in mid-round: famous openings, an illegal move, a touched piece, a lost board."""

from __future__ import annotations

from typing import Any

import chess

from paper.hall import PaperReader, head, move, ruling, state

LINES = {
    "1": ("Morphy", "Duke of Brunswick", "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7"),
    "2": ("Anderssen", "Kieseritzky", "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5"),
    "3": ("Byrne", "Fischer", "Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7"),
    "4": ("Réti", "Tartakower", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5"),
    "5": ("Steinitz", "von Bardeleben", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 d5"),
    "6": ("Rotlewi", "Rubinstein", ""),
}


def played(reader: PaperReader, table: str, sans: str) -> tuple[chess.Board, int]:
    """Tell the moves of a game, thirty seconds each; gives the board and the last `seq`."""
    board, seq, left = chess.Board(), 0, [5_400_000, 5_400_000]
    for san in sans.split():
        mover = 0 if board.turn else 1
        made = board.push_san(san)
        seq += 1
        left[mover] -= 17_000 * seq % 61_000
        clock = {"white_ms": left[0], "black_ms": left[1], "running": None, "flag": None}
        reader.tell(
            f"tables/{table}/moves",
            move(table, seq, seq, san, made.uci(), board.fen(), clock=clock),
        )
    return board, seq


def fill(reader: PaperReader) -> None:
    """Everything the page shows of such a hall."""
    reader.retain("status", head("", 0, state="online", version="1.0.0", tables=len(LINES)))
    for table, (white, black, sans) in LINES.items():
        board, seq = played(reader, table, sans)
        said: dict[str, Any] = {"white": white, "black": black}
        if seq:
            side = "white" if board.turn else "black"
            clock = {"white_ms": 4_912_000, "black_ms": 1_234_000, "running": side, "flag": None}
            said |= {
                "fen": board.fen(), "placement": board.board_fen(), "ply": seq, "turn": side,
                "last_move": board.peek().uci(), "status": "playing",
                "clock": clock,
            }  # fmt: skip
        reader.retain(f"tables/{table}/state", state(table, seq, **said))
        reader.retain(
            f"tables/{table}/device",
            head(table, seq, driver="dgt", identity=f"300{table}", port="/dev/ttyACM0",
                 firmware="1.7", battery=None, state="ok", since="2026-11-21T13:58:00.000Z",
                 faults=[]),
        )  # fmt: skip
    _irregular(reader)


def _irregular(reader: PaperReader) -> None:
    board = chess.Board()
    for san in LINES["3"][2].split():
        board.push_san(san)
    shown = board.copy()
    shown.remove_piece_at(chess.F1)
    shown.set_piece_at(chess.E3, chess.Piece.from_symbol("B"))
    illegal = ruling(
        "3", 17, "illegal-move", 1, "Illegal move by White: Bf1–e3, a bishop cannot move so.",
        articles=["7.5.1", "7.5.5"], certainty="fact", ply=17, position=board.fen(),
        placement=shown.board_fen(), facts={"certainty": "fact", "touched": [], "obligation":
        ["f1e2", "f1d3"], "reason": "the path is blocked"},
        proposal={"actions": ["pause", "restore", "enforce-move", "add-time"],
                  "clock_delta_ms": {"black": 120_000}, "restore": board.fen(), "result": None},
    )  # fmt: skip
    touched = ruling(
        "5", 15, "touch-own-then-other", 1, "White touched the knight c3 and moved the queen.",
        facts={"certainty": "fact", "obligation": ["c3e4", "c3b5"], "touched": [
            {"square": "c3", "piece": "N", "lifted_at": "2026-11-21T14:02:50.000Z", "down_ms": 2140}
        ]}, at="2026-11-21T14:02:55.000Z",
    )  # fmt: skip
    note = ruling(
        "2", 15, "move-corrected-before-press", 3, "White took a move back before the press.",
        articles=["4.7"], proposal={"actions": ["log"], "clock_delta_ms": {}, "restore": None,
                                    "result": None}, certainty="fact",
    )  # fmt: skip
    for said in (illegal, touched, note):
        table = said["table"]
        reader.tell(f"tables/{table}/rulings", said)
        reader.retain(f"tables/{table}/rulings/{said['id']}", said)
        shown_now = {"attention": said["urgency"] < 3, "open_rulings": [said["id"]]}
        if table == "3":
            shown_now["placement"] = said["placement"]
        _restate(reader, table, shown_now | {"seq": said["seq"]})
    _restate(reader, "4", {"device": "lost"})


def _restate(reader: PaperReader, table: str, more: dict[str, Any]) -> None:
    topic = f"tables/{table}/state"
    reader.retain(topic, reader.decoded(topic) | more)
