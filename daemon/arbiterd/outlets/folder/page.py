"""The round as a page that needs no server and no script: games, last moves, clocks, results."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arbiterd.outlets.pgn.book import RoundBoard
from arbiterd.outlets.pgn.movetext import Stretch, hours, last_move
from arbiterd.outlets.pgn.tags import result_of
from arbiterd.rules.registry import ruleset
from arbiterd.table.player import Player

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.35rem .6rem;border-bottom:1px solid #8884;text-align:left}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
)
AGAIN_S = 30


def page(hall: str, number: int, rows: Sequence[str]) -> str:
    """A whole document of its boards' rows; it loads itself again from time to time."""
    title = escape(f"{hall}, round {number}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><meta http-equiv="refresh"'
        f' content="{AGAIN_S}"><style>{STYLE}</style><h1>{title}</h1><table><thead><tr>'
        '<th class="n">Board</th><th>White</th><th>Black</th><th>Last move</th>'
        '<th class="n">Clocks</th><th class="n">Result</th><th>PGN</th></tr></thead><tbody>'
        f'{"".join(rows)}</tbody></table><p><a href="games.pgn">All games</a></p></html>\n'
    )


def row(place: int, board: RoundBoard, parts: Sequence[Stretch]) -> str:
    """A board's line in the table of games; `parts` is what of its game can be played through."""
    match, score = board.match, board.score
    moves = [move for part in parts for move in part.moves]
    first = str(ruleset(match.ruleset).first)
    last = next((said for part in reversed(parts) if (said := last_move(part, first))), "")
    shown = {move.color: hours(move.clock_ms) for move in moves if move.clock_ms is not None}
    clocks = " – ".join(shown[side] for side in ("white", "black") if side in shown)
    cells = (
        ("n", escape(match.table)),
        ("", _who(match.white, match.white_player)),
        ("", _who(match.black, match.black_player)),
        ("", escape(last)),
        ("n", clocks),
        ("n", "*" if score is None else result_of(score)),
        ("", f'<a href="game-{place}.pgn">PGN</a>'),
    )
    return f"<tr>{''.join(_cell(kind, text) for kind, text in cells)}</tr>"


def _cell(kind: str, text: str) -> str:
    return f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>"


def _who(name: str, player: Player) -> str:
    title = f"{player.title} " if player.title else ""
    rating = f" ({player.rating})" if player.rating else ""
    team = f", {player.team}" if player.team else ""
    return escape(f"{title}{name or '?'}{rating}{team}")
