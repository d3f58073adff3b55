"""All laws, in the order of the articles. A new module of laws adds its line here."""

from __future__ import annotations

from arbiterd.laws.register import LAWS, REPLIES

# Importing a module enters its laws; the order here is the order in which they are asked.
from arbiterd.laws import (  # isort: skip
    art_04_touch,
    art_07_4_displaced,
    art_07_5_illegal,
)

__all__ = ["LAWS", "REPLIES", "art_04_touch"]
