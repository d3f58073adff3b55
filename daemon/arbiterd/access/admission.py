"""Who may log in at this moment: people whose password is taken away are shut out at once.

password files ─▶ looked at each second ─▶ people ─▶ requests of a login that changed are ended
                                                 └─▶ whoever else is to hear of it (the broker)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arbiterd.access.people import Account, People, SecretError, read_account
from arbiterd.access.rights import Role, refusal
from arbiterd.config.model import Config, Person
from arbiterd.edges import ServiceClock
from arbiterd.messages.commands import Command

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How soon a changed password file is noticed."""
PeopleHeard = Callable[[People], Awaitable[None]]


class Admission:
    """The people, and what each of them has open."""

    def __init__(self, people: People, persons: tuple[Person, ...] = (), folder: Path = Path()):
        """`persons`: those of the configuration, whose files are looked at; none: nothing changes.

        Once people are asked who they are, that stays so, also when nobody has a password any more.
        """
        self.people = people
        self.asked = bool(people.accounts)
        self._persons, self._folder = persons, folder
        self._open: dict[str, set[asyncio.Task[object]]] = {}
        self._seen = self._signs()
        self.looks = 0
        """How often the files were looked at."""

    @classmethod
    def of(cls, config: Config, people: People, folder: Path) -> Admission:
        """Of a configuration, and its people as they were read at the start."""
        return cls(people, config.people, folder)

    @property
    def accounts(self) -> tuple[Account, ...]:
        return self.people.accounts

    def find(self, name: str, secret: str) -> Account | None:
        """Who this is; None for a wrong name or secret."""
        return self.people.find(name, secret)

    def named(self, name: str) -> Account | None:
        """The login of this name, as it stands now."""
        return next((account for account in self.people.accounts if account.name == name), None)

    def role(self, account: Account) -> Role:
        """What somebody who is in may."""
        role = self.people.role(account.name)
        assert role is not None, "whoever is in has an account"
        return role

    def refusal(self, user: str, command: Command) -> str:
        """Why a login may not do this, in a sentence; empty: it may.

        A login that the configuration does not name is one of a broker of others, whose own
        access list has let it send commands.
        """
        role = self.people.role(user)
        if role is not None:
            return refusal(user, role, command)
        if any(person.name == user for person in self._persons):
            return f"{user!r} is shut out; see 'arbiterd trust shut-out'"
        return ""

    @contextmanager
    def staying(self, name: str, seconds: float) -> Iterator[None]:
        """A request of this login: it is ended with its session, or when the login is shut out."""
        task = asyncio.current_task()
        assert task is not None, "requests are tasks"
        tasks = self._open.setdefault(name, set())
        tasks.add(task)
        ending = asyncio.get_running_loop().call_later(seconds, task.cancel)
        try:
            yield
        finally:
            ending.cancel()
            tasks.discard(task)

    async def keep(self, clock: ServiceClock, heard: PeopleHeard | None = None) -> None:
        """Looks at the files again and again."""
        while True:
            await clock.rest(LOOK_S)
            await self.look(heard)

    async def look(self, heard: PeopleHeard | None = None) -> None:
        """Once. `heard` is told of the people when somebody's password is another one, or gone."""
        self.looks += 1
        signs = self._signs()
        if signs == self._seen:
            return
        self._seen = signs
        before = {account.name: account for account in self.people.accounts}
        self.people = People(tuple(filter(None, map(self._account, self._persons))))
        now = {account.name: account for account in self.people.accounts}
        changed = [name for name in before.keys() | now.keys() if before.get(name) != now.get(name)]
        for name in sorted(changed):
            log.warning("login %r %s", name, "has a new password" if name in now else "is shut out")
            for task in tuple(self._open.get(name, ())):
                task.cancel()
        if changed and heard is not None:
            await heard(self.people)

    def _account(self, person: Person) -> Account | None:
        """None: the file is gone or empty, and nobody comes in by this login."""
        with suppress(SecretError):
            return read_account(person, self._folder)
        return None

    def _signs(self) -> tuple[tuple[int, int, int] | None, ...]:
        """What tells that a file is another one."""
        return tuple(self._sign(person) for person in self._persons)

    def _sign(self, person: Person) -> tuple[int, int, int] | None:
        try:
            found = (self._folder / person.password_file).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
