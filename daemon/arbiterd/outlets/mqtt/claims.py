"""Signed claims as nats-server takes them: JSON Web Tokens, signed with Ed25519.

Keys are written as NATS writes them: a letter for their use, base 32, and a check sum (CRC-16 as
in XMODEM).
"""

from __future__ import annotations

from base64 import b32encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import crc_hqx
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ACCOUNT = 0
"""The use of a key that signs users: it begins with A."""
HEAD = {"typ": "JWT", "alg": "ed25519-nkey"}


def said_in(token: bytes) -> bytes:
    """The claims of a token, as JSON. Raises ValueError."""
    _, said, _ = token.split(b".")
    return urlsafe_b64decode(said + b"=" * (-len(said) % 4))


class Issuer:
    """A key of its own, for as long as the service runs."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        named = bytes([ACCOUNT]) + self._key.public_key().public_bytes_raw()
        check = crc_hqx(named, 0).to_bytes(2, "little")
        self.name = b32encode(named + check).rstrip(b"=").decode()

    def token(self, claims: dict[str, Any]) -> str:
        """The claims, in our name."""
        claims = {"iss": self.name, **claims}
        claims["jti"] = b32encode(sha256(msgspec.json.encode(claims)).digest()).decode().rstrip("=")
        signed = f"{_written(HEAD)}.{_written(claims)}"
        return f"{signed}.{_plain(self._key.sign(signed.encode()))}"


def _written(value: object) -> str:
    return _plain(msgspec.json.encode(value))


def _plain(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
