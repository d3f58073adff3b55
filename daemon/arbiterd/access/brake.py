"""Wrong passwords: from one address for one login a few at once, then one in two seconds.

Whoever has logged in from an address before is let in from there all the same, so that nobody
locks others out by guessing. Names that are nobody's count as one login.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Protocol

from arbiterd.access.pace import RateLimit
from arbiterd.access.people import Account
from arbiterd.edges import ServiceClock
from arbiterd.messages.limits import Limit

log = logging.getLogger(__name__)

GUESSES_AT_ONCE, GUESSES_PER_S = 10, 0.5
SLOWED = "; too many: further ones from there are looked at every two seconds"
KNOWN_MAX = 1024
SAID_MAX = 200
"""A name or a password that is longer belongs to nobody."""

LIMITS = (
    Limit("logins, HTTP and our own broker", "wrong passwords of an address for a login",
          "a second", f"{GUESSES_PER_S}, {GUESSES_AT_ONCE} at once",
          "not looked at: 429, or no answer from the broker; a line in the log"),
    Limit("logins, HTTP and our own broker", "name, password", "text", f"{SAID_MAX} characters",
          "refused"),
)  # fmt: skip


class KnownPeople(Protocol):
    """The people who have a login at this moment."""

    @property
    def accounts(self) -> tuple[Account, ...]: ...

    def find(self, name: str, secret: str) -> Account | None:
        """Who this is; None for a wrong name or secret."""
        ...


class TooManyGuessesError(Exception):
    """This address has guessed at this login too often."""


@dataclass(slots=True)
class Brake:
    """Between a login that is asked for and the people who have one."""

    people: KnownPeople
    clock: ServiceClock
    _pace: RateLimit = field(default_factory=lambda: RateLimit(GUESSES_PER_S, GUESSES_AT_ONCE))
    _known: dict[tuple[str, Account], None] = field(default_factory=dict)

    def find(self, address: str, name: str, secret: str) -> Account | None:
        """Who this is; None for a wrong name or password. Raises TooManyGuessesError."""
        now_ns = self.clock.now_ns()
        named = next((each for each in self.people.accounts if each.name == name), None)
        ours = named is not None
        guessing = f"{address} {name if ours else ''}"
        was_in = named is not None and (address, named) in self._known  # By today's password.
        if self._pace.left(guessing, now_ns) < 1 and not was_in:
            raise TooManyGuessesError
        account = self.people.find(name[:SAID_MAX], secret[:SAID_MAX])
        if account is None or len(secret) > SAID_MAX:
            if not self._pace.allows(guessing, now_ns):
                raise TooManyGuessesError  # Beside somebody who was in; the log has said so.
            braked = self._pace.left(guessing, now_ns) < 1
            # Only names of accounts are written down: people type passwords into the wrong field.
            log.warning(
                "a wrong password for %s from %s%s",
                f"login {name!r}" if ours else "a login that is none of ours",
                address,
                SLOWED if braked else "",
            )
            return None
        self._known[address, account] = None
        if len(self._known) > KNOWN_MAX:
            del self._known[next(iter(self._known))]
        return account
