"""The certificate of the listeners, read anew at a reload: one that ends in mid-event is replaced
while the connections that are open stay open."""

from __future__ import annotations

from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

from arbiterd.access.authority import authority_of, names_of
from arbiterd.outlets.http.server import ListenError


class Certificate:
    """As `[http]` names it; without one nothing is encrypted and `context` is None."""

    def __init__(self, folder: Path, certificate: str, key: str) -> None:
        """Raises ListenError."""
        self._certificate, self._key = folder / certificate, folder / key
        self.context: SSLContext | None = None
        self.names: frozenset[str] = frozenset()
        """What the certificate calls this machine."""
        self.authority: bytes | None = None
        """Who has signed it, where that is the hall's own authority: for tablets to keep."""
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
