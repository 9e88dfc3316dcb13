"""The lock files of deploy/: the packages to install, with versions and hashes."""

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DEPLOY = Path(__file__).parents[2] / "deploy"
LOCK, BUILD_LOCK = DEPLOY / "requirements.txt", DEPLOY / "build-requirements.txt"


@dataclass(frozen=True)
class Locked:
    """A package of a lock. asked: the line without hashes. hashes: of every acceptable file."""

    name: str
    version: str
    asked: Requirement
    hashes: tuple[str, ...]

    def wanted_here(self) -> bool:
        """Return whether the package is needed on this system."""
        return self.asked.marker is None or self.asked.marker.evaluate()


def locked_packages(lock: Path) -> list[Locked]:
    """Return every package in a lock, in its order."""
    joined = re.sub(r"\\\n", "", lock.read_text())
    return [_read(line) for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _read(line: str) -> Locked:
    words, *hashes = re.split(r"\s+--hash=", line.strip())
    asked = Requirement(words)
    (pin,) = asked.specifier
    assert pin.operator == "==", line
    return Locked(canonicalize_name(asked.name), pin.version, asked, tuple(hashes))
