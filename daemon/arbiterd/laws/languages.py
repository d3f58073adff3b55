"""The languages in which rulings are told."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "es": "Español"})
"""By code, each by its own name. A code is a folder in `texts/` and a key of `text` on MQTT."""
