"""A table that the configuration does not name any more: what stood open there is shown nowhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.journal.live import LiveMessages
from arbiterd.messages.commands import Command


async def test_its_alerts_go_with_it_are_named_and_come_back_with_it(
    path: Path, running, config: Config, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(path, config) as house:
        for table in ("1", "2"):
            report = Command(
                action="report", by="ana", id=f"r{table}", kind="conduct-device", side="white"
            )
            assert json.loads(await house.service.command(table, report, ""))["ok"]
        await house.service.journal.synced()

    def shown(tables: tuple[str, ...]) -> set[str]:
        live = LiveMessages(house.service.journal, tables)
        return {topic.split("/")[1] for topic in live.retained() if "/rulings/" in topic}

    without = replace(config, tables=config.tables[:1])
    async with running(path, without) as house:
        assert shown(("1",)) == {"1"}
        (left,) = [said for said in caplog.messages if "not in the configuration any more" in said]
        assert left.startswith("table 2 is not in the configuration any more, and has undecided")
        assert "alerts (1): name it there again to see and decide them" in left

    async with running(path, config) as house:
        assert shown(("1", "2")) == {"1", "2"}
