"""The workflow of .github: by its schema, and consistent about the supported Python versions."""

import os
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.deploy.conftest import PATIENCE, ROOT, SECONDS

WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
pytestmark = PATIENCE


@pytest.fixture(scope="module")
def job() -> dict[str, Any]:
    """The one job: its table of Pythons, and its steps."""
    (job,) = YAML(typ="safe").load(WORKFLOW.read_text())["jobs"].values()
    return job


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_it_is_a_workflow(schema: str) -> None:
    program = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(WORKFLOW)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout


def test_it_tries_every_python_that_the_package_names(job: dict[str, Any]) -> None:
    named = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    tried = [row["python"] for row in job["strategy"]["matrix"]["include"]]
    assert sorted(tried) == sorted(named)
    assert PROJECT["requires-python"] == f">={min(tried, key=release)}"


def test_it_tries_them_on_both_debians(job: dict[str, Any]) -> None:
    """Debian's own Python is asked for as python3, one of another image by its name."""
    rows = {row["image"]: (row["python"], row["command"]) for row in job["strategy"]["matrix"]["include"]}
    assert rows["debian:bookworm"] == ("3.11", "python3")
    assert rows["debian:trixie"] == ("3.13", "python3")
    for image, (python, command) in rows.items():
        if not image.startswith("debian:"):
            assert re.fullmatch(rf"python:{re.escape(python)}-(bookworm|trixie)", image)
            assert command == f"python{python}"


def test_it_runs_what_everybody_runs(job: dict[str, Any]) -> None:
    """Every check, with the Python of the row; `.ci/run` and what it calls hand it on."""
    last = job["steps"][-1]
    assert (last["run"], last["env"]) == (".ci/run", {"PYTHON": "${{ matrix.command }}"})
    assert (ROOT / last["run"]).stat().st_mode & 0o111
    # Without what a make that runs this test was told: that would stand before the environment.
    above = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    line, around = ["make", "--dry-run", "test"], above | {"PYTHON": "python3.99"}
    done = subprocess.run(line, cwd=ROOT, env=around, capture_output=True, text=True, check=True)
    assert "python3.99" in done.stdout


def release(version: str) -> tuple[int, ...]:
    """3.9 comes before 3.10."""
    return tuple(map(int, version.split(".")))
