"""A configuration that is read again while the service runs."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from arbiterd.cli.run import serving
from arbiterd.config import Config
from arbiterd.outlets.http.server import ListenError


class Running:
    """Takes over what it is given, or refuses."""

    def __init__(self, refusal: Exception | None = None) -> None:
        self.taken: list[Config] = []
        self._refusal = refusal

    def reload(self, config: Config) -> tuple[str, ...]:
        if self._refusal is not None:
            raise self._refusal
        self.taken.append(config)
        return ()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "arbiterd.toml"
    file.write_text('[hall]\nname = "main"\n')
    return file


def test_what_is_read_again_has_the_time_of_this_place_too(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "wall_zone", lambda: "Europe/Madrid")
    service = Running()
    serving._reload(service, file)
    assert service.taken[0].settings["time_zone"] == "Europe/Madrid"


def test_a_certificate_that_does_not_fit_is_said_and_nothing_is_taken_over(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        serving._reload(Running(ListenError("a.pem and a.key are no certificate and key")), file)
    assert "is not taken over: a.pem and a.key are no certificate" in caplog.text
