"""Names in logs, exports, backups and databases stay the same, even if Python's names change."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "stored_names.txt"


def test_stored_names_stay(request: pytest.FixtureRequest) -> None:
    """Listed in a process of its own, which has loaded our code and nothing else."""
    command = [sys.executable, "-m", "tests.kit.stored_names"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    if request.config.getoption("--write-golden", default=False):
        GOLDEN.write_text(listed, encoding="utf-8")
    assert listed.splitlines() == GOLDEN.read_text(encoding="utf-8").splitlines()
