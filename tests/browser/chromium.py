"""Debian's Chromium as the tests start it: the one that has no windows of its own, and draws a page
for two thirds of the work."""

from __future__ import annotations

import shutil

# A container has no user namespaces and a small /dev/shm.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]


def program() -> str:
    """Its path. Raises FileNotFoundError with the mend."""
    found = shutil.which("chromium-headless-shell")
    if found is None:
        raise FileNotFoundError("chromium-headless-shell is not installed; ./test installs it")
    return found
