from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import ClientSession
from prometheus_client import CollectorRegistry

from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.http.server import serving
from paper.hall import (
    PaperClock,
    PaperDesk,
    PaperEvidence,
    PaperReader,
    PaperScores,
    state,
)

NAMED = "https://tablet.example"
"""Pages of others from there are let in."""


@dataclass
class Hall:
    """Both sides of a hall on their listeners, and what a test moves them by."""

    live: PaperReader = field(default_factory=PaperReader)
    gate: PaperReader = field(default_factory=PaperReader)
    desk: PaperDesk = field(default_factory=PaperDesk)
    metrics: CollectorRegistry = field(default_factory=CollectorRegistry)
    ill: str = ""
    listens: str = ""
    """The public's side, as it says itself."""
    address: str = ""
    public_address: str = ""


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = Hall()
    hall.live.retain("tables/1/state", state("1"))
    live = Live(
        reader=hall.live,
        desk=hall.desk,
        evidence=PaperEvidence(),
        scores=PaperScores("1. e4 e5 2. Nf3"),
        games=PaperScores("1. e4 e5 2. Nf3"),
        delayed=PaperScores("1. e4"),
        clock=PaperClock(),
        metrics=hall.metrics,
        ill=lambda: hall.ill,
        names=frozenset({"hall-laptop"}),
        origins=frozenset({NAMED}),
        public=lambda: hall.listens,
    )
    public = Public(
        hall.gate,
        PaperScores("1. e4"),
        PaperClock(),
        ill=lambda: hall.ill,
        origins=frozenset({NAMED}),
    )
    async with (
        serving(live_app(live), "127.0.0.1", 0) as hall.address,
        serving(public_app(public), "127.0.0.1", 0) as hall.public_address,
    ):
        yield hall


@pytest.fixture
async def http() -> AsyncIterator[ClientSession]:
    async with ClientSession() as session:
        yield session
