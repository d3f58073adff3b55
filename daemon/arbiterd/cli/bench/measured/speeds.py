"""The two speeds of the mating solver, each measured in a process that loads only its modules."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import arbiterd
from arbiterd.cli import FailedError
from arbiterd.rules import bitboard

SPEEDS = ("pure", "compiled")
PURE = """
import sys
from importlib.machinery import FileFinder, SourceFileLoader
def sources_only(path):
    if not path.startswith(root):
        raise ImportError
    return FileFinder(path, (SourceFileLoader, [".py"]))
sys.path_hooks.insert(0, sources_only)
"""
"""Makes a Python prefer our sources to extension modules: the pure speed, whatever is there."""


def run_apart(speed: str, module: str, function: str, lines: str) -> list[dict[str, object]]:
    """What `function` of `module` prints in JSON, given these lines on its standard input.

    Empty where that speed is not installed.
    """
    root = str(Path(arbiterd.__file__).parents[1])
    code = f"import sys\nroot = {root!r}\nsys.path.insert(0, root)\n"
    code += PURE if speed == "pure" else ""
    code += "from arbiterd.cli.bench.measured import speeds\n"
    code += f"speeds.run_here({speed!r}, {module!r}, {function!r})\n"
    child = subprocess.run(
        [sys.executable, "-c", code], input=lines, stdout=subprocess.PIPE, text=True, check=False
    )
    if child.returncode:
        raise FailedError(f"the {speed} run ended with status {child.returncode}")
    return [json.loads(line) for line in child.stdout.splitlines()]


def run_here(speed: str, module: str, function: str) -> None:
    """The child's part."""
    is_compiled = not str(bitboard.__file__).endswith(".py")
    assert speed == "compiled" or not is_compiled, "the pure run loads no extension module"
    if (speed == "compiled") == is_compiled:
        getattr(import_module(module), function)()
