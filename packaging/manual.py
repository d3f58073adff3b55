"""The manual page arbiterd(1), from what the commands say of themselves."""

from __future__ import annotations

import click

from arbiterd.cli import COMMANDS, arbiterd

FILES = {
    "/etc/arbiterd/arbiterd.toml": "The configuration of the service that systemd starts.",
    "/var/lib/arbiterd/journal.db": "The journal: all that was heard, decided and told.",
    "/usr/share/arbiterd/arbiterd.toml": "A configuration to begin with.",
    "/usr/share/doc/arbiterd/docs": "Pages for technicians, arbiters, organisers and programs.",
}
STATUS = {"0": "Done.", "1": "Failed while running.", "2": "Wrong use or a wrong configuration."}


def manual() -> str:
    """The page as troff."""
    ctx = click.Context(arbiterd, info_name="arbiterd")
    lines = [
        ".TH ARBITERD 1",
        ".SH NAME",
        r"arbiterd \- reads chess boards and clocks, and tells the arbiter",
        ".SH SYNOPSIS",
        r".B arbiterd",
        r"[\-\-debug] COMMAND [ARGUMENTS]",
        ".SH DESCRIPTION",
        _text(arbiterd.help or ""),
        "Errors are one sentence that names the thing and the mend.",
        ".SH COMMANDS",
    ]
    for name, says in COMMANDS.items():
        command = arbiterd.get_command(ctx, name)
        assert command is not None, f"{name} is a command"
        lines += [".SS", _text(f"arbiterd {name}"), _text(command.help or says)]
        lines += _options(command, click.Context(command, ctx, name))
    for title, entries in (("EXIT STATUS", STATUS), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for term, says in entries.items():
            lines += [".TP", f".B {_text(term)}", _text(says)]
    return "\n".join(lines) + "\n"


def _options(command: click.Command, ctx: click.Context) -> list[str]:
    lines = []
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            under = command.get_command(ctx, name)
            if under is not None:
                lines += [".TP", f".B {_text(name)}", _text(under.get_short_help_str(200))]
    for option in command.get_params(ctx):
        record = option.get_help_record(ctx)
        if record is not None:
            lines += [".TP", f".B {_text(record[0])}", _text(record[1] or " ")]
    return lines


def _text(text: str) -> str:
    r"""Plain text as troff reads it: no line begins with a dot, `-` is a hyphen to be copied."""
    plain = " ".join(text.replace("\b", "").split())
    escaped = plain.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped[:1] in (".", "'") else escaped
