"""The certificate of the listeners, read anew when its files change: one that ends in mid-event is
replaced while the connections that are open stay open."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

from arbiterd.access.authority import authority_of, ending, ends, names_of
from arbiterd.outlets.http.server import ListenError

log = logging.getLogger(__name__)


class Certificate:
    """As `[http]` names it; without one nothing is encrypted and `context` is None."""

    def __init__(self, folder: Path, certificate: str, key: str) -> None:
        """Raises ListenError."""
        self._certificate, self._key = folder / certificate, folder / key
        self.context: SSLContext | None = None
        self._chain = b""
        self.names: frozenset[str] = frozenset()
        """What the certificate calls this machine."""
        self.authority: bytes | None = None
        """Who has signed it, where that is the hall's own authority: for tablets to keep."""
        self._seen = self._sign()
        if certificate:
            self.context = SSLContext(PROTOCOL_TLS_SERVER)
            self.renew()

    def renew(self) -> None:
        """Whoever connects from now on is shown what the files hold. Raises ListenError."""
        if self.context is None:
            return
        try:
            # Into a context of its own first: what is wrong must not spoil the one in use.
            SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(self._certificate, self._key)
            self.context.load_cert_chain(self._certificate, self._key)
            chain = self._certificate.read_bytes()
        except OSError as error:
            raise ListenError(
                f"{self._certificate} and {self._key} are no certificate and key: {error}"
            ) from None
        self.authority = authority_of(chain)
        self.names = names_of(chain)
        self._chain = chain

    def look(self) -> None:
        """Renews it when its files are others than before. Files that do not fit are left."""
        sign = self._sign()
        if self.context is None or sign == self._seen:
            return
        self._seen = sign
        try:
            self.renew()
            log.warning("a new certificate is shown; it ends %s", f"{ends(self._chain):%Y-%m-%d}")
        except ListenError as error:
            log.error("%s; the one before is shown on", error)

    @property
    def ending_at(self) -> datetime | None:
        return ends(self._chain) if self._chain else None

    def ending(self, now: datetime) -> str:
        """What to do about it, in a sentence; empty: it does not end soon."""
        return ending(self._chain, now) if self._chain else ""

    def _sign(self) -> tuple[tuple[int, int], ...]:
        """What tells that the files are others."""
        found = []
        for file in (self._certificate, self._key):
            with suppress(OSError):
                stat = file.stat()
                found.append((stat.st_ino, stat.st_mtime_ns))
        return tuple(found)
