"""The wall before the arbiter's pages, once there are accounts: a login, and what it may do.

A viewer reads. An arbiter also acts, under his own name. Without accounts every listener is on
loopback (`arbiterd check` sees to it) and nobody is asked.
"""

from __future__ import annotations

import json

import msgspec
from aiohttp import BasicAuth, web
from aiohttp.typedefs import Handler, Middleware

from arbiterd.access.people import Account, People

OPEN = frozenset({"/healthz"})
"""What a watchdog may ask without a login."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})


class _By(msgspec.Struct):
    by: str = ""


def login_wall(people: People) -> Middleware:
    """Asks for a name and a password (HTTP Basic), and refuses what the role does not allow."""

    @web.middleware
    async def wall(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not people.accounts or request.path in OPEN:
            return await handler(request)
        account = _who(request, people)
        if account is None:
            raise web.HTTPUnauthorized(
                headers={"WWW-Authenticate": 'Basic realm="arbiterd", charset="UTF-8"'},
                text="Log in with the name and the password of [[people]].\n",
            )
        if request.method not in READING:
            _may_act(account, await request.read())
        return await handler(request)

    return wall


def _who(request: web.Request, people: People) -> Account | None:
    try:
        said = BasicAuth.decode(request.headers.get("Authorization", ""), encoding="utf-8")
    except ValueError:
        return None
    return people.find(said.login, said.password)


def _may_act(account: Account, body: bytes) -> None:
    """Raises 403 for a viewer, and for an act under another name."""
    if not account.commands:
        _refuse(f"{account.name!r} may look and not act; log in as an arbiter")
    try:
        by = msgspec.json.decode(body, type=_By).by
    except msgspec.DecodeError:
        return  # Whoever reads the command says what is wrong with it.
    if by != account.name:
        _refuse(f"'by' is {by!r}, but the login is {account.name!r}; they must be the same")


def _refuse(sentence: str) -> None:
    raise web.HTTPForbidden(
        text=json.dumps({"ok": False, "error": sentence}), content_type="application/json"
    )
