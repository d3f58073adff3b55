"""An act asked for, done and undone on a running service, over its broker; and after a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arbiterd.config import Config
from arbiterd.messages.commands import Command


def act(number: int, action: str, **said: Any) -> Command:
    return Command(action=action, by="ana", id=f"m{number}", **said)  # type: ignore[arg-type]


async def test_a_take_back_is_shown_done_and_undone(path: Path, running, config: Config) -> None:
    async with running(path, config) as house:

        async def ask(command: Command) -> dict[str, Any]:
            answer: dict[str, Any] = json.loads(await house.service.command("1", command, ""))
            return answer

        for number, move in enumerate(("e4", "e5", "Nf3")):
            assert (await ask(act(number, "set-move", op="insert", move=move)))["ok"]
        back = {"op": "take-back", "ply": 2}

        shown = await ask(act(9, "set-move", **back, preview=True))
        assert [one["san"] for one in shown["preview"]["withdrawn"]] == ["e5", "Nf3"]
        assert (await ask(act(9, "set-move", **back)))["ok"]

    async with running(path, config) as house:
        await house.until(lambda: house.broker.last("tables/1/state").get("ply") == 1)
        assert (await ask(act(10, "undo", of="m9")))["ok"]
        await house.until(lambda: house.broker.last("tables/1/state").get("ply") == 3)
        told = house.broker.of("tables/1/moves")[-2:]
        assert [one["san"] for one in told] == ["e5", "Nf3"]
