"""One command of each kind stands in the documents, and is one that the service takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from arbiterd.access.rights import DEEDS, deed_of
from arbiterd.messages.commands import Command, CommandError, read_command, signed
from arbiterd.messages.payloads import PublicResult, RoundReply
from arbiterd.messages.samples import SAMPLES, page, sample
from arbiterd.messages.schema import CHANNELS, asyncapi

PAGE = Path(__file__).parents[2] / "docs" / "integrators.md"
BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"


def test_there_is_one_of_each() -> None:
    assert set(SAMPLES) == set(DEEDS)


def test_every_field_is_in_some_sample() -> None:
    shown = {field for deed in SAMPLES for field in sample(deed)}
    assert set(Command.__struct_fields__) - shown == {"by", "v", "preview"}


@pytest.mark.parametrize("deed", SAMPLES)
def test_each_is_read(deed: str) -> None:
    assert deed_of(read_command({**sample(deed), "by": "ana"})) == deed


def test_the_page_shows_them(bless: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    shown = f"{BEGIN}```json\n{page()}```\n{END}"
    if bless:
        PAGE.write_text(before + shown + after, encoding="utf-8")

    assert shown in PAGE.read_text(encoding="utf-8")


def is_taken(said: dict[str, Any]) -> bool:
    """By the service, from a login."""
    try:
        read_command(signed(said, "ana"))
    except CommandError:
        return False
    return True


def changed(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command with one thing about it made another, wrong as a rule."""
    yield said
    yield {**said, "spelling": "mistake"}
    for field in Command.__struct_fields__:
        yield {name: value for name, value in said.items() if name != field}
        for value in (None, "", "x" * 2000, -7, [], {}, True, "begin", "insert", "round"):
            yield {**said, field: value}


def test_what_a_client_forgot_to_name_takes_no_result_back_and_stops_no_clock() -> None:
    """It was answered `ok`, and a result that was public already was gone."""
    for left_out in ({"action": "set-result", "reason": "agreed"}, {"action": "set-clock"}):
        assert not is_taken({**left_out, "id": "t-1"})

    assert is_taken({"action": "set-result", "result": None}), "the game is open again"
    assert is_taken({"action": "set-clock", "running": None}), "both stand"
    assert is_taken({"action": "set-clock", "black_ms": 60_000})


@pytest.mark.parametrize("deed", SAMPLES)
def test_the_document_and_the_service_mean_the_same_commands(deed: str) -> None:
    """asyncapi.json takes what the service takes, and refuses what it refuses."""
    document = asyncapi()
    command = {"$ref": "#/components/schemas/Command", "components": document["components"]}
    validator = jsonschema.Draft202012Validator(command)
    for said in changed(sample(deed)):
        assert validator.is_valid(said) is is_taken(said), said


def test_its_samples_are_commands_by_its_own_word() -> None:
    document = asyncapi()
    for name, address in (("command", "tables/{table}/"), ("hallCommand", "")):
        channel = document["channels"][name]
        assert channel["address"] == f"arbiterd/{{hall}}/{address}command/{{user}}"
        (message,) = channel["messages"].values()
        schema = {**message["payload"], "components": document["components"]}
        for example in message["examples"]:
            jsonschema.Draft202012Validator(schema).validate(example["payload"])


SHOWN = re.compile(r"^(arbiterd/main/\S+) (\{.*\})$", re.MULTILINE)


def test_every_payload_is_shown_as_it_comes() -> None:
    """One of each kind stands on the page, whole, and is what the types say."""
    unseen = {kind for _, _, kind, _ in CHANNELS}
    for topic, text in SHOWN.findall(PAGE.read_text(encoding="utf-8")):
        (kind,) = (kind for _, address, kind, _ in CHANNELS if fits(address, topic))
        unseen.discard(kind)
        assert set(json.loads(text)) <= {
            field.encode_name for field in msgspec.structs.fields(kind)
        }
        msgspec.json.decode(text, type=kind)
    # Fields of the public's side have their fellows' names; `RoundReply` is told with its commands.
    assert unseen == {PublicResult, RoundReply}


def fits(address: str, topic: str) -> bool:
    pattern = re.sub(r"\{[a-z]+\}", "[^/]+", address)
    return re.fullmatch(pattern, topic) is not None
