"""The files of the page and the overlay, read once at the start and served from memory."""

from __future__ import annotations

import hashlib
import json
import mimetypes
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePath
from typing import Self

from aiohttp import web

from arbiterd.outlets.http.reading import not_found


@dataclass(frozen=True, slots=True)
class PageFile:
    body: bytes
    content_type: str
    etag: str


class Pages:
    """Files of `web/`. What is not there at the start cannot be asked for."""

    def __init__(self, found: dict[str, PageFile]) -> None:
        self._files = found

    @classmethod
    def read(cls, wanted: Callable[[str], bool] = lambda _: True) -> Self:
        """Those whose names are wanted."""
        found = dict(_walk(files("arbiterd") / "web", ""))
        return cls({name: file for name, file in found.items() if wanted(name)})

    def page(self, name: str, request: web.Request) -> web.Response:
        """One file, or 404; 304 where the browser has it already."""
        file = self._files.get(name)
        if file is None:
            not_found(f"there is no file {name!r:.80} here")
        headers = {"ETag": file.etag, "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == file.etag:
            return web.Response(status=304, headers=headers)
        return web.Response(body=file.body, headers={"Content-Type": file.content_type, **headers})

    def languages(self) -> dict[str, str]:
        """By its code, what each language of the page calls itself."""
        return {
            PurePath(name).stem: str(json.loads(file.body)["name"])
            for name, file in self._files.items()
            if name.startswith("languages/")
        }

    async def spoken(self, _request: web.Request) -> web.Response:
        """Which languages the page speaks, by the files there are."""
        return web.json_response({"languages": self.languages()})

    async def asset(self, request: web.Request) -> web.Response:
        return self.page(request.match_info["path"], request)


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, PageFile]]:
    found: list[tuple[str, PageFile]] = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        name = prefix + entry.name
        if entry.is_dir():
            found += _walk(entry, name + "/")
        else:
            found.append((name, _page_file(name, entry.read_bytes())))
    return found


def _page_file(name: str, body: bytes) -> PageFile:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    kind = {".js": "text/javascript", ".woff2": "font/woff2"}.get(PurePath(name).suffix, kind)
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return PageFile(body, kind, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
