"""The wall before the arbiter's pages, once there are accounts: a login, and what it may do.

What a role reads and does stands in `rights`. Without accounts every listener is on loopback
(`arbiterd check` sees to it) and nobody is asked.
"""

from __future__ import annotations

import json

from aiohttp import BasicAuth, web
from aiohttp.typedefs import Handler, Middleware

from arbiterd.access.admission import Admission
from arbiterd.access.brake import Brake, TooManyGuessesError
from arbiterd.access.people import Account, People
from arbiterd.access.rights import ROUTES, Role, reads_of_route, refusal
from arbiterd.access.session import COOKIE, SESSION_NS, Sessions
from arbiterd.edges import ServiceClock
from arbiterd.messages.commands import Command
from arbiterd.messages.reading import MessageError, read_json

OPEN = frozenset(path for path, reads in ROUTES.items() if reads is None)
"""What a watchdog, and a tablet that is being enrolled, may ask without a login."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
NS = 1_000_000_000

ACCOUNT = web.RequestKey("account", Account)
"""Where a request carries who it is from; it does not where nobody is asked."""
ROLE = web.RequestKey("role", Role)


def signed_in(request: web.Request) -> Account | None:
    """Who is asking. None: nobody was asked to log in."""
    return request.get(ACCOUNT)


def role_here(request: web.Request) -> Role | None:
    """What whoever asks may. None: nobody was asked to log in, and everybody may everything."""
    return request.get(ROLE)


def login_of(request: web.Request) -> str:
    """Who asks: the login, or the address where nobody has to log in."""
    account = signed_in(request)
    return account.name if account else request.remote or ""


def login_wall(
    people: People | Admission, clock: ServiceClock, session_ns: int = SESSION_NS
) -> Middleware:
    """Asks for a name and a password (HTTP Basic), and refuses what the role does not allow."""
    admission = people if isinstance(people, Admission) else Admission(people)
    brake = Brake(admission, clock)
    sessions = Sessions()

    @web.middleware
    async def wall(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not admission.asked or request.path in OPEN:
            return await handler(request)
        account = _who(request, brake)
        if account is None:
            raise _unauthorized("Log in with the name and the password of [[people]].\n")
        now_ns = clock.now_ns()
        begun_ns = sessions.begun_ns(request, account)
        left_ns = session_ns if begun_ns is None else begun_ns + session_ns - now_ns
        if left_ns <= 0:
            over = _unauthorized("The session is over; log in again.\n")
            over.del_cookie(COOKIE, path="/")
            raise over
        role = admission.role(account)
        request[ACCOUNT], request[ROLE] = account, role
        with admission.staying(account.name, left_ns / NS / clock.speed):
            if request.method in READING:
                _may_read(account, role, request)
            else:
                _may_act(account, role, await request.read())
            response = await handler(request)
        if begun_ns is None and not response.prepared and _is_a_page(request):
            sessions.begin(request, response, sessions.value(account, now_ns))
        return response

    return wall


def may_do(request: web.Request, command: Command) -> None:
    """Raises 403 for a command that is not of the role's."""
    account, role = signed_in(request), role_here(request)
    if account is None or role is None:
        return
    why = refusal(account.name, role, command)
    if why:
        _refuse(why)


def _unauthorized(words: str) -> web.HTTPUnauthorized:
    return web.HTTPUnauthorized(
        headers={"WWW-Authenticate": 'Basic realm="arbiterd", charset="UTF-8"'}, text=words
    )


def _is_a_page(request: web.Request) -> bool:
    return request.method == "GET" and "text/html" in request.headers.get("Accept", "")


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


def _may_read(account: Account, role: Role, request: web.Request) -> None:
    """Raises 403 for a route that shows what the role may not know."""
    resource = request.match_info.route.resource
    reads = reads_of_route(request.path if resource is None else resource.canonical)
    if reads is not None and reads not in role.reads:
        _refuse(f"{account.name!r} is {role.name} and may not read {reads} here")


def _may_act(account: Account, role: Role, body: bytes) -> None:
    """Raises 403 for a role that only looks, and for an act under another name."""
    if not role.does:
        _refuse(f"{account.name!r} may look and not act; log in as an arbiter")
    try:
        said = read_json(body)
    except MessageError:
        return  # Whoever reads the command says what is wrong with it.
    by = said.get("by", account.name) if isinstance(said, dict) else account.name
    if by != account.name:
        _refuse(f"'by' is {by!r:.80}, but the login is {account.name!r}; they must be the same")


def _refuse(sentence: str) -> None:
    raise web.HTTPForbidden(
        text=json.dumps({"ok": False, "error": sentence}), content_type="application/json"
    )
