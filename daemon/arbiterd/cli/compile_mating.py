"""`python -m arbiterd.cli.compile_mating`: the compiled twin of the mating solver.

The same source with types beside it (`.pxd`), compiled by Cython: the extra `[compiled]` brings
it; a C compiler and the headers of Python are needed too. The extension modules go beside their
sources, where Python prefers them; deleting them brings the pure speed back. With `--into DIR` a
tree with only what the solver needs is made there instead, to put on PYTHONPATH.
"""

from __future__ import annotations

import shutil
import sys
from importlib import import_module
from pathlib import Path

import click

import arbiterd
from eboards import events

MODULES = (
    "arbiterd.rules.bitboard_attacks",
    "arbiterd.rules.bitboard",
    "arbiterd.rules.mating.dice",
    "arbiterd.rules.mating.material",
    "arbiterd.rules.mating.search",
    "arbiterd.rules.mating.mobility",
    "arbiterd.rules.mating.regions",
    "arbiterd.rules.mating.closure",
    "arbiterd.rules.mating.ladder",
)
"""What is compiled, in the order of their imports."""

DIRECTIVES = {
    # The annotations are for Python; the C types stand in the .pxd files alone.
    "annotation_typing": False,
    "boundscheck": False,
    "cdivision": True,
    "infer_types": False,
    "initializedcheck": False,
    "language_level": 3,
}


@click.command()
@click.option("--into", type=click.Path(path_type=Path), help="Make a tree of its own here.")
def main(into: Path | None) -> None:
    """Compile the mating solver: the same answers, many times faster."""
    root = Path(arbiterd.__file__).parents[1]
    if into is not None:
        root = copied(into)
    try:
        built = compiled(root)
    except ImportError as missing:
        raise click.ClickException(
            f"{missing.name} is missing; install arbiterd with its extra [compiled]"
        ) from None
    for path in built:
        click.echo(path)


def copied(into: Path) -> Path:
    """The packages the solver imports, as sources, in a new tree."""
    for source, parts in (
        (Path(arbiterd.__file__).parent, ("__init__.py", "rules")),
        (Path(events.__file__).parent, ("__init__.py", "events.py")),
    ):
        target = into / source.name
        target.mkdir(parents=True, exist_ok=True)
        for part in parts:
            if (source / part).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.c")
                shutil.copytree(source / part, target / part, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(source / part, target / part)
    return into


def compiled(root: Path) -> list[Path]:
    """Compile `MODULES` in the tree under `root`; the extension modules made.

    Raises ImportError where Cython or setuptools is missing.
    """
    cythonize = import_module("Cython.Build").cythonize
    setuptools = import_module("setuptools")

    extensions = [
        setuptools.Extension(name, [str(root / (name.replace(".", "/") + ".py"))])
        for name in MODULES
    ]
    work = root / "build-compiled"
    modules = cythonize(
        extensions,
        compiler_directives=DIRECTIVES,
        build_dir=str(work / "c"),
        include_path=[str(root)],
        quiet=True,
    )
    distribution = setuptools.Distribution({"name": "arbiterd-compiled", "ext_modules": modules})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = str(root)
    command.build_temp = str(work / "o")
    command.ensure_finalized()
    command.run()
    shutil.rmtree(work)
    return sorted(Path(path) for path in command.get_outputs())


if __name__ == "__main__":
    sys.exit(main())
