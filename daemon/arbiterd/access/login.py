"""The wall before the arbiter's pages, once there are accounts: a login, and what it may do.

A viewer reads. An arbiter also acts, under his own name. Without accounts every listener is on
loopback (`arbiterd check` sees to it) and nobody is asked.
"""

from __future__ import annotations

import json

from aiohttp import BasicAuth, web
from aiohttp.typedefs import Handler, Middleware

from arbiterd.access.brake import Brake, TooManyGuessesError
from arbiterd.access.people import Account, People
from arbiterd.edges import Clock
from arbiterd.messages.reading import MessageError, read_json

OPEN = frozenset({"/healthz", "/authority.pem"})
"""What a watchdog, and a tablet that is being enrolled, may ask without a login."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})

ACCOUNT = web.RequestKey("account", Account)
"""Where a request carries who it is from; it does not where nobody is asked."""


def signed_in(request: web.Request) -> Account | None:
    """Who is asking. None: nobody was asked to log in."""
    return request.get(ACCOUNT)


def login_of(request: web.Request) -> str:
    """Who asks: the login, or the address where nobody has to log in."""
    account = signed_in(request)
    return account.name if account else request.remote or ""


def login_wall(people: People, clock: Clock) -> Middleware:
    """Asks for a name and a password (HTTP Basic), and refuses what the role does not allow."""
    brake = Brake(people, clock)

    @web.middleware
    async def wall(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not people.accounts or request.path in OPEN:
            return await handler(request)
        account = _who(request, brake)
        if account is None:
            raise web.HTTPUnauthorized(
                headers={"WWW-Authenticate": 'Basic realm="arbiterd", charset="UTF-8"'},
                text="Log in with the name and the password of [[people]].\n",
            )
        request[ACCOUNT] = account
        if request.method not in READING:
            _may_act(account, await request.read())
        return await handler(request)

    return wall


def _who(request: web.Request, brake: Brake) -> Account | None:
    """Nothing said is no guess. Raises 429."""
    try:
        said = BasicAuth.decode(request.headers.get("Authorization", ""), encoding="utf-8")
        return brake.find(request.remote or "", said.login, said.password)
    except ValueError:
        return None
    except TooManyGuessesError:
        raise web.HTTPTooManyRequests(
            text="Too many wrong passwords came from here; wait a few seconds.\n",
            headers={"Retry-After": "2"},
        ) from None


def _may_act(account: Account, body: bytes) -> None:
    """Raises 403 for a viewer, and for an act under another name."""
    if not account.commands:
        _refuse(f"{account.name!r} may look and not act; log in as an arbiter")
    try:
        said = read_json(body)
    except MessageError:
        return  # Whoever reads the command says what is wrong with it.
    by = said.get("by", "") if isinstance(said, dict) else ""
    if by != account.name:
        _refuse(f"'by' is {by!r:.80}, but the login is {account.name!r}; they must be the same")


def _refuse(sentence: str) -> None:
    raise web.HTTPForbidden(
        text=json.dumps({"ok": False, "error": sentence}), content_type="application/json"
    )
