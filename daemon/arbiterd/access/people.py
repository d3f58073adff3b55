"""The people of `[[people]]`, with their secrets read from their files, and what they may."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from pathlib import Path

from arbiterd.access.rights import CHIEF, ROLES, Role, role_of
from arbiterd.config.model import Config, Person


class SecretError(Exception):
    """A password file cannot be used; the message names it and the mend."""


@dataclass(frozen=True, slots=True)
class Account:
    """One login."""

    name: str
    role: str
    """A name in `rights.ROLES`."""
    secret: str = field(repr=False)


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

    def role(self, name: str) -> Role | None:
        """What the login of this name may; None: there is none."""
        roles = {account.name: account.role for account in self.accounts}
        has_chief = CHIEF.name in roles.values()
        return role_of(roles[name], has_chief=has_chief) if name in roles else None


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
    return People(tuple(read_account(person, folder) for person in config.people))


def read_account(person: Person, folder: Path) -> Account:
    """One of them. Raises SecretError."""
    assert person.role in ROLES, "the configuration was checked"
    return Account(person.name, person.role, read_secret(folder / person.password_file))
