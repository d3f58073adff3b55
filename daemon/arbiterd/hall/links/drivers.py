"""Which codec reads which device, by the names a configuration has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eboards.certabo.family import FAMILY as CERTABO
from eboards.codec import Codec
from eboards.registry import FAMILIES

DRIVERS: Mapping[str, Callable[[], Codec]] = {family.name: family.codec for family in FAMILIES}

DEFAULT = FAMILIES[0].name
"""Where nothing tells: a wire of its own without USB ids, a recording."""

TAGGED = CERTABO.name
"""Its pieces are known by tags that have to be learnt."""


def new_codec(driver: str) -> Codec:
    """A codec for one session of a link; no name: the default."""
    return DRIVERS[driver or DEFAULT]()
