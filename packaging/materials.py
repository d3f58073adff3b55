"""The bill of materials: what the package carries of others, with versions and licences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

VENDORED = Path(__file__).parents[1] / "daemon/arbiterd/web/vendor/manifest.json"


def materials(sites: Iterable[Path], version: str) -> dict[str, Any]:
    """As CycloneDX 1.5. `sites` are folders of installed modules, one a Python."""
    found = {
        each.metadata["Name"].lower(): each
        for site in sites
        for each in distributions(path=[str(site)])
    }
    others = [found[name] for name in sorted(found) if name != "arbiterd"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "arbiterd",
                "version": version,
                "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
            }
        },
        "components": [*map(component, others), *_vendored()],
    }


def component(each: Distribution) -> dict[str, Any]:
    """What the bill says of one installed module."""
    name, version = each.metadata["Name"], each.version
    return {
        "type": "library",
        "name": name,
        "version": version,
        # In the spelling that databases of known holes are searched by.
        "purl": f"pkg:pypi/{re.sub('[-_.]+', '-', name).lower()}@{version}",
        "licenses": [{"license": {"name": _licence(each)}}],
    }


def _licence(each: Distribution) -> str:
    """What the module says of itself, in whichever of three places."""
    said = each.metadata.get("License-Expression") or ""
    marks = each.metadata.get_all("Classifier") or []
    named = [mark.rpartition(" :: ")[2] for mark in marks if mark.startswith("License ::")]
    first = (each.metadata.get("License") or "").strip().partition("\n")[0]
    found: str = said or ", ".join(named) or first
    assert found, f"{each.metadata['Name']} names its licence"
    return found


def _vendored() -> list[dict[str, Any]]:
    """Files of the page that others have written."""
    entries = json.loads(VENDORED.read_text())["modules"]
    return [
        {
            "type": "file",
            "name": f"{entry['package']}: {entry['file']}",
            "version": entry["version"],
            "licenses": [{"license": {"name": entry["licence"]}}],
        }
        for entry in entries
    ]
