"""A release: the same bytes from the same sources, and a complete bill of materials."""

import hashlib
import json
import os
import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from adjudicator import __version__
from tests.deploy.conftest import EPOCH, PATIENCE, ROOT, SECONDS, built
from tests.kit.locks import LOCK, locked_packages

SCRIPT = ROOT / ".ci" / "sbom.py"
ADVISED = runpy.run_path(str(ROOT / ".ci" / "advised.py"))["judged"]
SPDX = re.compile(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")
pytestmark = PATIENCE


def printed(wheel: Path) -> str:
    """Return the output of the script for a wheel and the lock file, at EPOCH."""
    around = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)}
    line = [sys.executable, str(SCRIPT), str(wheel), str(LOCK)]
    return subprocess.run(
        line, env=around, capture_output=True, text=True, timeout=SECONDS, check=True
    ).stdout


@pytest.fixture(scope="module")
def bill(wheel: Path) -> dict[str, Any]:
    return json.loads(printed(wheel))


def named(bill: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in bill["components"] if one["type"] == kind}


def test_it_has_the_shape_of_cyclonedx(bill: dict[str, Any]) -> None:
    """As its schema requires of these fields."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert bill["metadata"]["timestamp"] == "2026-09-21T14:13:20Z"
    every = [bill["metadata"]["component"], *bill["components"]]
    refs = [one["bom-ref"] for one in every]
    assert len(refs) == len(set(refs))
    for one in every:
        assert one["type"] in ("application", "library", "file")
        assert one["name"]
        assert one["type"] == "file" or one["version"]
        (said,) = one.get("licenses", [{"expression": "MIT"}])
        assert "expression" in said or said["license"]["name"]
        assert SPDX.fullmatch(said.get("expression", "MIT")), one["name"]
    assert {ref for one in bill["dependencies"] for ref in (one["ref"], *one["dependsOn"])} <= set(refs)


def test_every_package_of_the_lock_is_in_it(bill: dict[str, Any]) -> None:
    """With its version and the hash of every file that may be installed."""
    libraries = named(bill, "library")
    assert set(libraries) == {one.name for one in locked_packages(LOCK)}
    for one in locked_packages(LOCK):
        told = libraries[one.name]
        assert told["version"] == one.version
        assert told["purl"] == f"pkg:pypi/{one.name}@{one.version}"
        hashes = [each["value"] for each in told["properties"] if each["name"] == "turnpost:sha256"]
        assert [f"sha256:{each}" for each in hashes] == list(one.hashes)
    (ours,) = bill["dependencies"]
    assert set(ours["dependsOn"]) == {one["bom-ref"] for one in libraries.values()}


def test_licences_are_told_of_all_that_the_page_of_licences_names(bill: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "licences.md").read_text()
    libraries = named(bill, "library")
    rows = {name.lower().replace("_", "-") for name in re.findall(r"^\| ([\w.-]+) \|", page, re.MULTILINE)}
    assert [name for name in sorted(rows & set(libraries)) if not libraries[name].get("licenses")] == []
    assert libraries["psycopg"]["licenses"] == [{"expression": "LGPL-3.0-only"}]
    assert libraries["imapclient"]["licenses"] == [{"expression": "BSD-3-Clause"}]


def test_the_wheel_and_what_others_made_inside_are_in_it(wheel: Path, bill: dict[str, Any]) -> None:
    ours = bill["metadata"]["component"]
    assert (ours["name"], ours["version"]) == ("turnpost", __version__)
    assert ours["licenses"] == [{"expression": "MIT AND Bitstream-Vera AND Unicode-3.0"}]
    assert ours["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}]
    with zipfile.ZipFile(wheel) as opened:
        inside = {
            hashlib.sha256(opened.read(one)).hexdigest()
            for one in opened.namelist()
            if one.endswith((".ttf", "confusables.toml"))
        }
    told = named(bill, "file")
    assert {one["hashes"][0]["content"] for one in told.values()} == inside
    table = told.pop("confusables.toml")
    assert table["licenses"] == [{"expression": "Unicode-3.0"}]
    assert all(name.startswith("DejaVu") and one["version"] == "2.37" for name, one in told.items())
    assert all(one["licenses"] == [{"expression": "Bitstream-Vera"}] for one in told.values())


def test_the_same_sources_make_the_same_bytes(sources: Path, wheel: Path, tmp_path: Path) -> None:
    """Elsewhere, and at another time."""
    built(sources, tmp_path / "elsewhere", tmp_path / "out")
    (other,) = (tmp_path / "out").glob("*.whl")
    assert other.read_bytes() == wheel.read_bytes()
    assert printed(other) == printed(wheel)


ANSWER = json.dumps({"dependencies": [{"name": "rich", "version": "15.0.0", "vulns": []}]})
SKIPPED = json.dumps({"dependencies": [{"name": "rich", "skip_reason": "not found"}]})
HOLE = json.dumps(
    {
        "dependencies": [
            {
                "name": "rich",
                "version": "15.0.0",
                "vulns": [{"id": "PYSEC-1", "fix_versions": ["15.0.1"], "aliases": ["CVE-1"]}],
            }
        ]
    }
)


@pytest.mark.parametrize(
    ("answers", "code", "told"),
    [
        ([ANSWER, ANSWER], 0, "No holes are known in the 2 packages"),
        ([ANSWER, HOLE], 1, "CVE-1; mended in 15.0.1"),
        ([HOLE, SKIPPED], 1, "rich 15.0.0"),
        ([SKIPPED, SKIPPED], 2, "could not be reached"),
        ([ANSWER, SKIPPED], 2, "Nobody could answer for: rich"),
        ([ANSWER], 2, "one of the locks"),
        ([], 2, "could not be reached"),
    ],
)
def test_an_audit_says_well_only_where_somebody_answered(answers: list[str], code: int, told: str) -> None:
    """pip-audit itself ends well where a service knows none of the packages."""
    ended, text = ADVISED(answers, ["No known vulnerabilities found", "no route", "no route"])
    assert ended == code
    assert told in text
    assert text.count("no route") == ("could not be reached" in told)
    assert "No known" not in text
