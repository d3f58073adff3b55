"""The way to Lichess: one request at a time, its failures as answers."""

from __future__ import annotations

from collections.abc import Callable

import aiohttp

from arbiterd.access.people import SecretError
from arbiterd.outlets.lichess.push import HttpAnswer

ADDRESS = "https://lichess.org"
TIMEOUT_S = 30.0
ANSWER_MAX = 1024 * 1024
"""Bytes; of a longer answer the rest is not read."""


class HttpSender:
    """A new connection each time: pushes are seconds apart. The token is asked for each time too:
    whoever puts a new one in its file has not to start the service anew."""

    def __init__(self, token: Callable[[], str], address: str = ADDRESS) -> None:
        self._token, self._address = token, address

    async def push(self, round_id: str, pgn: str) -> HttpAnswer:
        """Sends; whatever goes wrong is an answer too."""
        url = f"{self._address}/api/broadcast/round/{round_id}/push"
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
        try:
            headers = {"Authorization": f"Bearer {self._token()}", "Content-Type": "text/plain"}
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(url, data=pgn.encode(), headers=headers) as answer,
            ):
                return HttpAnswer(answer.status, await _body(answer.content))
        except (aiohttp.ClientError, TimeoutError, OSError, SecretError) as error:
            return HttpAnswer(0, (str(error) or type(error).__name__).encode())


async def _body(content: aiohttp.StreamReader) -> bytes:
    """To its end: a read gives what has come so far."""
    body = b""
    while len(body) < ANSWER_MAX and (part := await content.read(ANSWER_MAX - len(body))):
        body += part
    return body
