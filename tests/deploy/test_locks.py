"""The lock files agree with pyproject.toml: they have everything needed, and nothing else."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.conftest import ROOT, closure
from tests.kit.locks import BUILD_LOCK, LOCK, locked_packages

READ = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = READ["project"]
EXTRAS = ("dkim", "dns", "login", "apprise", "holidays")
"""All that a service may use: in a container and in the Debian package, nobody can add one."""

ASKED = {
    LOCK: [
        *PROJECT["dependencies"],
        *(one for extra in EXTRAS for one in PROJECT["optional-dependencies"][extra]),
    ],
    BUILD_LOCK: [*READ["build-system"]["requires"], "uv"],
}
LOCKS = pytest.mark.parametrize("lock", ASKED, ids=lambda lock: lock.stem)


@LOCKS
def test_whatever_is_asked_for_is_locked_within_its_range(lock: Path) -> None:
    versions = {one.name: one.version for one in locked_packages(lock)}
    asked = [Requirement(line) for line in ASKED[lock]]
    assert [one.name for one in asked if canonicalize_name(one.name) not in versions] == []
    wrong = [one for one in asked if not one.specifier.contains(versions[canonicalize_name(one.name)])]
    assert wrong == [], "make lock"


@LOCKS
def test_what_those_need_is_locked_and_nothing_else(lock: Path) -> None:
    """As far as it is installed here; the rest is for other systems."""
    needed = {canonicalize_name(one.name) for one in closure(ASKED[lock])}
    assert {one.name for one in locked_packages(lock) if one.wanted_here()} == needed


def test_it_is_locked_for_every_python() -> None:
    """No package of the lock is one that another Python than this one leaves out or adds."""
    pythons = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    for one in locked_packages(LOCK):
        held = {_holds(one.asked.marker, python) for python in pythons}
        assert len(held) == 1, one.asked


def _holds(marker: Marker | None, python: str) -> bool:
    here = default_environment() | {"python_version": python, "python_full_version": f"{python}.0"}
    return marker is None or marker.evaluate({**here})


@LOCKS
def test_each_package_is_locked_once_with_the_hashes_of_its_files(lock: Path) -> None:
    names = [one.name for one in locked_packages(lock)]
    assert len(names) == len(set(names))
    for one in locked_packages(lock):
        assert one.hashes, one.name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in one.hashes), one.name


@LOCKS
def test_no_index_is_named(lock: Path) -> None:
    """The person who installs chooses it."""
    assert "://" not in lock.read_text()
    assert not re.search(r"^\s*(-i|--\S*index\S*|--find-links|-f)\b", lock.read_text(), re.MULTILINE)
