"""Shogi records in the KIF form: for people, in Japanese. Text here; the file's encoding (UTF-8 in
`.kifu`, Shift-JIS in `.kif`) is the caller's.

    手合割：平手                          even game, or a board drawn rank by rank
    先手：name   後手：name                sente, gote
    1 ７六歩(77)   ( 0:16/00:00:16)        to, piece before the move, from; time of the move, all
    2 同　歩(83)                           the same square as the move before
    5 ４五桂打                             a drop; 成 turned over
    43 封じ手                              adjourned; the next line has the move
    76 投了                                the end
"""

from __future__ import annotations

import re

from arbiterd.rules.shogi_csa import RecordError, ShogiGame
from arbiterd.rules.shogi_moves import ShogiMove, legal_moves, play
from arbiterd.rules.shogi_position import (
    HAND,
    HANDICAPS,
    PiecesInHand,
    ShogiPosition,
    hand_with,
    read_sfen,
)

PIECES = {
    "P": "歩", "L": "香", "N": "桂", "S": "銀", "G": "金", "B": "角", "R": "飛", "K": "玉",
    "T": "と", "M": "成香", "J": "成桂", "Z": "成銀", "H": "馬", "D": "龍",
}  # fmt: skip
ON_BOARD = PIECES | {"M": "杏", "J": "圭", "Z": "全"}
"""One sign a square where the board is drawn."""
_LETTERS = {name: letter for letter, name in PIECES.items()}
_LETTERS |= {"王": "K", "竜": "D", "杏": "M", "圭": "J", "全": "Z"}

FILES = "０１２３４５６７８９"
RANKS = "〇一二三四五六七八九"
_TENS = ("", "十")

ENDS = {
    "投了": "TORYO", "中断": "CHUDAN", "千日手": "SENNICHITE", "持将棋": "JISHOGI",
    "詰み": "TSUMI", "切れ負け": "TIME_UP", "反則負け": "ILLEGAL_MOVE", "入玉勝ち": "KACHI",
    "引き分け": "HIKIWAKE",
}  # fmt: skip
_END_WORDS = {word: name for name, word in ENDS.items()}
SEALED = "封じ手"
"""Play is adjourned: the next move is in an envelope. Opened, it stands on the next line, under the
same number or the next one."""
ADJOURNED = "CHUDAN"
WON_BY_FOUL = "反則勝ち"
"""The side that has the move wins: CSA names the culprit, who is the other one."""

_MOVE = re.compile(
    r"\s*(\d+)\s+(同|[１-９][一二三四五六七八九])[\s　]*"
    r"(成香|成桂|成銀|[歩香桂銀金角飛玉王と杏圭全馬龍竜])(成|不成|打)?(?:\((\d\d)\))?"
    r"\s*(?:\(\s*(?:(\d+):)?(\d+):(\d\d)\s*(?:/.*|\)))?\+?\s*"
)
_END = re.compile(r"\s*(\d+)\s+(\S+?)\s*(?:\(.*)?")


def write_kif(game: ShogiGame) -> str:
    """The whole record, lines ended by LF."""
    names = {read_sfen(sfen): name for name, sfen in HANDICAPS.items()}
    handicap = names.get(game.start._replace(number=1))
    lines = [f"手合割：{handicap}"] if handicap else []
    if not handicap:
        lines += _drawn(game.start)
    lines += [f"先手：{game.black}", f"後手：{game.white}", "手数----指手---------消費時間--"]
    position, last, spent_in_all = game.start, -1, [0, 0]
    seconds = (*game.seconds, *[None] * (len(game.moves) - len(game.seconds)))
    for number, (move, spent) in enumerate(zip(game.moves, seconds, strict=True), 1):
        line = f"{number:4} {move_text(position, move, last)}"
        if spent is not None:
            side = 0 if position.black else 1
            spent_in_all[side] += spent
            line += f"   ({spent // 60:2}:{spent % 60:02}/{_clock(spent_in_all[side])})"
        lines.append(line)
        position, last = play(position, move), move.target
    if game.end:
        lines.append(f"{len(game.moves) + 1:4} {_end_word(game.end, position.black)}")
    return "\n".join(lines) + "\n"


def _end_word(end: str, black_to_move: bool) -> str:
    if end.endswith("ILLEGAL_ACTION"):
        own = (end[0] == "+") is black_to_move
        return _END_WORDS["ILLEGAL_MOVE"] if own else WON_BY_FOUL
    return _END_WORDS.get(end, "中断")


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def move_text(position: ShogiPosition, move: ShogiMove, last: int = -1) -> str:
    """`７六歩(77)`; `last` is the square of the move before."""
    file, rank = 9 - move.target % 9, move.target // 9 + 1
    where = "同　" if move.target == last and not move.drop else FILES[file] + RANKS[rank]
    if move.drop:
        return f"{where}{PIECES[move.drop]}打"
    piece = PIECES[position.board[move.origin].upper()]
    turned = "成" if move.promotes else ""
    return f"{where}{piece}{turned}({9 - move.origin % 9}{move.origin // 9 + 1})"


def _drawn(position: ShogiPosition) -> list[str]:
    """The board as KIF draws it, hands above and below."""
    black, white = position.hands
    lines = [f"後手の持駒：{_hand_text(white)}", "  ９ ８ ７ ６ ５ ４ ３ ２ １",
             "+---------------------------+"]  # fmt: skip
    for rank in range(9):
        pieces = position.board[rank * 9 : rank * 9 + 9]
        lines.append("|" + "".join(_square_text(piece) for piece in pieces) + "|" + RANKS[rank + 1])
    lines += ["+---------------------------+", f"先手の持駒：{_hand_text(black)}"]
    return lines if position.black else [*lines, "後手番"]


def _square_text(piece: str) -> str:
    return " ・" if piece == "." else (" " if piece.isupper() else "v") + ON_BOARD[piece.upper()]


def _hand_text(hand: PiecesInHand) -> str:
    held = [
        PIECES[kind] + (_number_text(count) if count > 1 else "")
        for kind, count in zip(HAND, hand, strict=True)
        if count
    ]
    return "　".join(held) or "なし"


def _number_text(count: int) -> str:
    ones = RANKS[count % 10] if count % 10 else ""
    return _TENS[count // 10] + ones


def read_kif(text: str) -> ShogiGame:
    """One game, variations left out. Raises RecordError with the number of the line at fault."""
    head: dict[str, str] = {}
    ranks: list[str] = []
    game: _Played | None = None
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if not line.strip() or line[0] in "#*&+" or line.startswith(("手数", "  ９")):
            continue
        if line.startswith("変化"):
            break
        if line.startswith("|"):
            ranks.append(line)
        elif line.strip() in ("後手番", "上手番"):
            head["手番"] = "後手"
        elif "：" in line and not _MOVE.fullmatch(line):
            name, _, value = line.partition("：")
            head[name.strip()] = value.strip()
        elif line.lstrip()[0].isdecimal():
            game = game or _Played(_start(head, ranks, number))
            game.line(number, line)
    game = game or _Played(_start(head, ranks, 1))
    return ShogiGame(
        game.start,
        tuple(game.moves),
        tuple(game.seconds),
        head.get("先手", head.get("下手", "")),
        head.get("後手", head.get("上手", "")),
        game.end,
    )


def _start(head: dict[str, str], ranks: list[str], number: int) -> ShogiPosition:
    if not ranks:
        name = head.get("手合割", "平手")
        if name not in HANDICAPS:
            raise RecordError(f"line {number}: the handicap {name!r} needs its board drawn")
        return read_sfen(HANDICAPS[name])
    pieces: list[str] = []
    for rank in ranks:
        squares = rank[1 : rank.rindex("|")]
        pairs = [squares[at : at + 2] for at in range(0, 18, 2)]
        for pair in pairs:
            letter = "." if pair[1:] == "・" else _LETTERS.get(pair[1:], "?")
            pieces.append(letter.lower() if pair[:1] in ("v", "V") else letter)
    if len(pieces) != 81 or "?" in pieces:
        raise RecordError(f"line {number}: the board drawn above is not nine by nine known pieces")
    hands = (_hand(head, ("先手", "下手")), _hand(head, ("後手", "上手")))
    return ShogiPosition("".join(pieces), head.get("手番") != "後手", hands, 1)


def _hand(head: dict[str, str], sides: tuple[str, str]) -> PiecesInHand:
    text = next((head[f"{s}の持駒"] for s in sides if f"{s}の持駒" in head), "なし")
    hand: PiecesInHand = (0, 0, 0, 0, 0, 0, 0)
    for held in re.split(r"[\s　]+", text):
        if not held or held == "なし":
            continue
        count = 10 * ("十" in held) + sum(RANKS.index(sign) for sign in held[1:] if sign in RANKS)
        hand = hand_with(hand, _LETTERS[held[0]], count or 1)
    return hand


class _Played:
    """The moves read so far."""

    def __init__(self, start: ShogiPosition) -> None:
        self.start = self._position = start
        self.moves: list[ShogiMove] = []
        self.seconds: list[int | None] = []
        self.end = ""

    def line(self, number: int, line: str) -> None:
        found = _MOVE.fullmatch(line)
        if found is None:
            word = _END.fullmatch(line)
            if word is not None and word[2] == WON_BY_FOUL:
                self.end = f"{'-' if self._position.black else '+'}ILLEGAL_ACTION"
            elif word is not None and word[2] in ENDS:
                self.end = ENDS[word[2]]
            elif word is not None and word[2] == SEALED:
                self.end = ADJOURNED
            else:
                raise RecordError(f"line {number}: {line.strip()!r} is no move; mend or remove it")
            return
        where, piece, how, origin = found[2], found[3], found[4], found[5]
        if where == "同":
            target = self.moves[-1].target if self.moves else -1
        else:
            target = (RANKS.index(where[1]) - 1) * 9 + 9 - FILES.index(where[0])
        self.end = ""  # Play has gone on: what was sealed is this move.
        self.moves.append(self._move(number, line, target, piece, how, origin))
        spent = [int(part or 0) for part in found.groups()[5:]]
        known = found[7] is not None
        self.seconds.append(spent[0] * 3600 + spent[1] * 60 + spent[2] if known else None)
        self._position = play(self._position, self.moves[-1])

    def _move(
        self, number: int, line: str, target: int, piece: str, how: str | None, origin: str | None
    ) -> ShogiMove:
        if how == "打" or origin is None:
            wanted = ShogiMove(-1, target, drop=_LETTERS[piece])
        else:
            square = (int(origin[1]) - 1) * 9 + 9 - int(origin[0])
            wanted = ShogiMove(square, target, how == "成")
        if wanted not in legal_moves(self._position):
            raise RecordError(f"line {number}: {line.strip()!r} is no legal move there")
        return wanted
