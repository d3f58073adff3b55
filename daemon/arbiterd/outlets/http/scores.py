"""PGN files: `round-<r>.pgn` and `<t>.pgn` under the path they are given."""

from __future__ import annotations

from aiohttp import web

from arbiterd.outlets.http.reading import not_found
from arbiterd.outlets.http.source import Scores


def score_routes(path: str, scores: Scores) -> list[web.RouteDef]:
    """Routes of one audience's games."""

    async def of_round(request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        return _pgn(await scores.of_round(number), f"there are no games of round {number} here")

    async def of_table(request: web.Request) -> web.Response:
        table = request.match_info["table"]
        return _pgn(await scores.of_table(table), f"there is no game of table {table} here")

    return [
        web.get(path + r"/round-{number:\d{1,6}}.pgn", of_round),
        web.get(path + "/{table:[A-Za-z0-9_-]{1,20}}.pgn", of_table),
    ]


def _pgn(text: str | None, otherwise: str) -> web.Response:
    if text is None:
        not_found(otherwise)
    return web.Response(
        text=text,
        content_type="application/x-chess-pgn",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )
