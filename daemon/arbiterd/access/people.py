"""The people of `[[people]]`, with their secrets read from their files.

An arbiter reads everything and commands under his own login; a viewer reads.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from pathlib import Path

from arbiterd.config.model import Config


class SecretError(Exception):
    """A password file cannot be used; the message names it and the mend."""


@dataclass(frozen=True, slots=True)
class Account:
    """One login."""

    name: str
    role: str
    """`arbiter` or `viewer`."""
    secret: str = field(repr=False)

    @property
    def commands(self) -> bool:
        return self.role == "arbiter"


@dataclass(frozen=True, slots=True)
class People:
    """All logins. None at all: every listener is on loopback, and nobody is asked."""

    accounts: tuple[Account, ...] = ()

    def find(self, name: str, secret: str) -> Account | None:
        """Who this is; None for a wrong name or secret."""
        found = None
        for account in self.accounts:
            fits = hmac.compare_digest(account.secret.encode(), secret.encode())
            if account.name == name and fits:
                found = account
        return found


def read_secret(file: Path) -> str:
    """The first line of a password file. Raises SecretError."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SecretError(f"the password file {file} cannot be read: {error}") from None
    if not lines or not lines[0].strip():
        raise SecretError(f"the password file {file} is empty; write the password into it")
    return lines[0].strip()


def read_people(config: Config, folder: Path) -> People:
    """The configuration's people; relative paths count from its folder. Raises SecretError."""
    return People(
        tuple(
            Account(person.name, person.role, read_secret(folder / person.password_file))
            for person in config.people
        )
    )
