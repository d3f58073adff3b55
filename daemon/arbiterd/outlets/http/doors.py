"""Who may ask at all.

A web page from elsewhere that a browser on this machine has open must neither read the hall nor
act in it: not by a request of its own (Origin), nor by a name that it lets point here (Host).
Pages of others that the configuration names are let in, and their browser is told so (CORS).
Whoever asks for what is no route, or sends what cannot be read, is told so as routes tell.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from aiohttp.web_protocol import RequestPayloadError

from arbiterd.access.hosts import host_is_ours
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.outlets.http.reading import bad_request, refusal

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " font-src 'self'; connect-src 'self'; manifest-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


LET_IN = web.RequestKey("let-in", str)
"""The origin of others that a request came from, where the configuration names it."""
PREFLIGHT_S = 600


def doorkeeper(names: frozenset[str], origins: frozenset[str] = frozenset()) -> Middleware:
    """Refuses foreign Hosts and Origins.

    `names`: what this machine is called, in lower case. `origins`: of others that may ask too.
    """

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not host_is_ours(request.headers.get("Host", ""), names):
            raise web.HTTPForbidden(
                text="This name is not one of this service; use its address, or localhost.\n"
            )
        origin = request.headers.get("Origin")
        if origin is not None and origin in origins:
            request[LET_IN] = origin
            if request.method == "OPTIONS":
                return web.Response(status=204)
        elif origin is not None and _place_of(origin) != request.headers["Host"]:
            raise web.HTTPForbidden(
                text="Only this service's own pages may ask, and those of 'origins' in its"
                " configuration; open the page from its address.\n"
            )
        try:
            return await handler(request)
        except RequestPayloadError:
            bad_request("what was sent cannot be read; send it whole, and without an encoding")
        except web.HTTPException as wrong:
            # Those of the library are a line of plain text.
            said = _said_of(request, wrong)
            if said:
                wrong.text, wrong.content_type = refusal(said), "application/json"
            raise

    return keep


def _said_of(request: web.Request, wrong: web.HTTPException) -> str:
    """Of a request that reached no route, or was too long for it; empty of any other."""
    match wrong:
        case web.HTTPRequestEntityTooLarge():
            return f"what was sent has more than {BYTES_MAX} bytes; send less at once"
        case web.HTTPMethodNotAllowed():
            allowed = " and ".join(sorted(wrong.allowed_methods))
            return f"{request.path!r:.80} takes {allowed}, and not {wrong.method}"
        case web.HTTPNotFound() if wrong is request.match_info.http_exception:
            return f"there is no {request.path!r:.80} here; docs/integrators.md lists what there is"
        case _:
            return ""


def _place_of(origin: str) -> str | None:
    """Host and port; None where it is no origin at all."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """For `on_response_prepare`: what every answer carries."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    origin = request.get(LET_IN)
    if origin is not None:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Vary"] = "Origin"
        response.headers["Access-Control-Allow-Credentials"] = "true"
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = "GET, POST"
            asked = "Authorization, Content-Type, Last-Event-ID"
            response.headers["Access-Control-Allow-Headers"] = asked
            response.headers["Access-Control-Max-Age"] = f"{PREFLIGHT_S}"
