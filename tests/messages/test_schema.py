"""The contract for machines: made from the types, and the copy in docs is the newest."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from arbiterd.messages.schema import CHANNELS, asyncapi, schema, schemas

COPY = Path(__file__).parents[2] / "docs" / "asyncapi.json"


def test_the_copy_in_docs_is_what_the_types_say(bless: bool) -> None:
    made = json.dumps(asyncapi(), indent=1, ensure_ascii=False) + "\n"
    if bless:
        COPY.write_text(made, encoding="utf-8")

    assert COPY.read_text(encoding="utf-8") == made


@pytest.mark.parametrize(("name", "payload"), [(name, kind) for name, _, kind, _ in CHANNELS])
def test_every_payload_has_a_schema_that_is_one(name: str, payload: type) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(payload))
    assert payload.__name__ in schemas(), name


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = asyncapi()

    def references(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [found for each in value.values() for found in references(each)]
        if isinstance(value, list):
            return [found for each in value for found in references(each)]
        return []

    for reference in references(document):
        target: object = document
        for step in reference.removeprefix("#/").split("/"):
            assert isinstance(target, dict)
            target = target[step]
