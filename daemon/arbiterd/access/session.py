"""A browser keeps a password until it is closed; a session says when it has to be given again.

The first page that somebody opens begins it, in a cookie that only this process can make. When it
is over, one answer says so, and the browser asks its user anew. Programs have no sessions: each of
their requests says who it is from.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from aiohttp import web

from arbiterd.access.people import Account

COOKIE = "arbiterd-session"
KEY_BYTES = 32
SESSION_NS = 12 * 3600 * 1_000_000_000
"""A day of play."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """Those of one service; a start of the service begins them anew."""

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False)

    def begun_ns(self, request: web.Request, account: Account) -> int | None:
        """When this login's session began; None: the request is of none."""
        said = request.cookies.get(COOKIE, "")
        begun, _, mark = said.partition(".")
        known = said.isascii() and begun.isdigit() and len(begun) < 20
        if not known or not hmac.compare_digest(mark, self._mark(account, begun)):
            return None
        return int(begun)

    def begin(self, request: web.Request, response: web.StreamResponse, value: str) -> None:
        """With this answer."""
        response.set_cookie(
            COOKIE, value, httponly=True, samesite="Strict", secure=request.secure, path="/"
        )

    def value(self, account: Account, now_ns: int) -> str:
        """What the cookie holds. Another password makes another one, so the old one ends."""
        return f"{now_ns}.{self._mark(account, f'{now_ns}')}"

    def _mark(self, account: Account, begun: str) -> str:
        said = f"{account.name}\0{begun}\0{account.secret}".encode()
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()
