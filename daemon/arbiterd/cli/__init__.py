"""The commands, one thin room each. A command's module is imported when it is called."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from types import TracebackType

import click

from arbiterd import __version__

COMMANDS: Mapping[str, str] = {
    "run": "Run the service in the foreground.",
    "check": "Read a configuration and name each fault in it.",
    "devices": "List boards and clocks, and what is wrong with them.",
    "calibrate": "Teach a board with tags which tag is which piece.",
    "test-board": "Check a board before the round: every coil, every chip, the clock.",
    "doctor": "Check the whole chain from udev to broker.",
    "top": "Show the hall in a terminal.",
    "simulate": "Play real games on emulated boards.",
    "rehearse": "The whole service under virtual time, with everything failing.",
    "record": "Record a wire into a file.",
    "replay": "Feed a recording, a scenario or a journal through the same code.",
    "journal": "The evidence: verify, show, export, backup, restore.",
    "pgn": "Print the games of a round.",
    "round": "Check, begin, change and end a round, and its results.",
    "trust": "Certificates of the hall's own, logins, and the way of a tablet to the page.",
    "shogi": "Read a record of shogi; print it as KIF or CSA, or enter it at a table.",
    "laws": "What the service does under an article.",
    "can-mate": "Can each side still mate in a position?",
    "perft": "Count positions by the rules.",
    "bench": "Measure.",
}
"""What each command does. It is in the module of its name, hyphens as underscores, and has that
name there or, with commands of its own, may be called `group`."""


CONFIG_OF = "ARBITERD_CONFIG"
"""Whose configuration a command takes that is told none: the package's program names that of the
service it has installed."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def called() -> str:
    """How to call this program from where it was called: `./arbiterd` in a checkout."""
    return os.environ.get("ARBITERD_CALLED", "arbiterd")


class CommandGroup(click.Group):
    """Finds a command by name, and imports no other."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"{__name__}.{name}")
        command = getattr(module, "group", None) or getattr(module, name)
        assert isinstance(command, click.Command), f"{cmd_name} is a command"
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


class FailedError(click.ClickException):
    """It could not be done: exit status 1. The message is a sentence that names the mend."""

    exit_code = 1


class WrongError(click.ClickException):
    """What was asked, or configured, is wrong: exit status 2."""

    exit_code = 2


@click.command(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arbiterd")
@click.option("--debug", is_flag=True, help="Log everything; show tracebacks.")
@click.pass_context
def arbiterd(ctx: click.Context, debug: bool) -> None:
    """Reads chess boards and clocks, rebuilds every move, and tells the arbiter."""
    ctx.obj = debug


def _in_one_sentence(
    kind: type[BaseException], error: BaseException, _traceback: TracebackType | None
) -> None:
    print(
        f"arbiterd: an error of the program itself ({kind.__name__}: {error});"
        " run it again with arbiterd --debug and report what it prints",
        file=sys.stderr,
    )


def _misused(error: click.UsageError) -> str:
    """What is wrong with the words of a call and where the right ones are, in one sentence."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    words = "" if error.ctx is None else error.ctx.command_path.removeprefix("arbiterd")
    sentence = error.format_message().replace(". Did you", "; did you").rstrip(".?")
    return f"{sentence}; {called()}{words} --help says what it takes"


def main() -> None:
    """The `arbiterd` program. `--debug` may stand anywhere."""
    asked = [word for word in sys.argv[1:] if word != "--debug"]
    if len(asked) < len(sys.argv) - 1:
        asked.insert(0, "--debug")
    else:
        sys.excepthook = _in_one_sentence
    try:
        status = arbiterd.main(asked, prog_name="arbiterd", standalone_mode=False)
    except click.Abort:
        sys.exit(1)
    except click.UsageError as error:
        print(_misused(error), file=sys.stderr)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        print(error.format_message(), file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        where = error.filename or "what it prints"
        sentence = f"{where} cannot be written ({error.strerror}); make room, or name another place"
        print(sentence, file=sys.stderr)
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)
