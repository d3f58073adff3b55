"""Debian's Chromium as the tests start it: the one that has no windows of its own, and draws a page
for two thirds of the work."""

from __future__ import annotations

import shutil

PROGRAM = shutil.which("chromium-headless-shell")
MISSING = "Debian's chromium-headless-shell is not installed; ./test installs it"
# A container has no user namespaces and a small /dev/shm.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
