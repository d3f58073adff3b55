"""The other halls of an event as a terminal knows them: fed by their stream. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from arbiterd.cli.top.hall import TopHall


@dataclass
class TopEvent:
    """Each other hall by its name, in the order in which they are told."""

    halls: dict[str, TopHall] = field(default_factory=dict)
    _hello: str = ""

    def take(self, kind: str, data: str, here_ns: int) -> None:
        """One message of the stream. Raises msgspec.ValidationError for what is no payload."""
        if kind == "hello":
            self.halls, self._hello = {}, data
            return
        for hall in self.halls.values():
            hall.take("time" if kind == "time" else "", data, here_ns)  # The stream is heard.
        said = json.loads(data)
        if kind == "cleared":
            name, _, topic = said["topic"].partition("/")
            if name in self.halls:
                self.halls[name].take(kind, json.dumps({"topic": topic}), here_ns)
        elif kind == "heard":
            hall = self._known(said["hall"], here_ns)
            hall.link, hall.heard = said["link"], said["heard"] or ""
        elif "hall" in said:
            self._known(said["hall"], here_ns).take(kind, data, here_ns)

    def _known(self, name: str, here_ns: int) -> TopHall:
        if name not in self.halls:
            self.halls[name] = TopHall()
            self.halls[name].take("hello", self._hello, here_ns)
        return self.halls[name]
