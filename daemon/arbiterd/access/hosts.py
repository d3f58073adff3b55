"""By which names this machine may be asked: those that nobody else can let point here."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def host_is_ours(host: str, names: frozenset[str]) -> bool:
    """An address, localhost or a known name; only names can be made to point elsewhere."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if not name:
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
