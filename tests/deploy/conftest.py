"""The wheel, built from these sources, and an environment with nothing else of ours."""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import Distribution, PackagePath, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.tags import sys_tags

from tests.kit.gm_process import GmForker

ROOT = Path(__file__).parents[2]
SOURCES = ("adjudicator", "games", "orders", "templates", "deploy")
FILES = ("pyproject.toml", "README.md", "LICENSE")
SECONDS = 240
EPOCH = 1_790_000_000
PATIENCE = pytest.mark.timeout(900)
"""The time limit for installations and many processes, on a machine that may be busy."""


@dataclass(frozen=True)
class Program:
    """`gm` as a user has installed it. around: its complete environment."""

    prefix: Path
    around: Mapping[str, str] = field(default_factory=dict)
    board: GmForker | None = None
    """The installed program with everything loaded, to run many commands faster."""

    def run(
        self, folder: Path, *words: str, given: bytes = b"", code: int = 0, program: str = "gm"
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command in a folder. given: its standard input. code: the expected exit code."""
        around = {"PATH": f"{self.prefix}/bin:/usr/bin:/bin", "HOME": str(folder), **self.around}
        if self.board is None:
            done = subprocess.run(
                [str(self.prefix / "bin" / program), *words],
                input=given,
                capture_output=True,
                cwd=folder,
                env=around,
                timeout=SECONDS,
                check=False,
            )
        else:
            done = self.board.run(words, given, around, folder)
        assert done.returncode == code, f"gm {' '.join(words)}: {done.returncode}\n{done.stderr.decode()}"
        return done

    def says(self, folder: Path, *words: str, given: bytes = b"") -> str:
        """Return the output of a command."""
        return self.run(folder, *words, given=given).stdout.decode()


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's files in a checkout, without anything that was built."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        beside = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, copy / name, ignore=beside, symlinks=True)
    # The pages that are mailed. `templates` has them by a link.
    shutil.copytree(ROOT / "docs" / "players", copy / "docs" / "players")
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="session")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of these sources, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    built(sources, tmp_path_factory.mktemp("build") / "turnpost", folder)
    (made,) = folder.glob("*.whl")
    return made


def built(sources: Path, copy: Path, folder: Path) -> None:
    """Build the wheel of a copy of the sources, dated EPOCH."""
    shutil.copytree(sources, copy, symlinks=True)
    quiet = ("--no-index", "--no-deps", "--no-build-isolation")
    pip("wheel", *quiet, "--wheel-dir", str(folder), str(copy), around={"SOURCE_DATE_EPOCH": str(EPOCH)})


@pytest.fixture(scope="session")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The wheel in its own environment, with exactly its declared dependencies."""
    prefix = tmp_path_factory.mktemp("turnpost")
    venv.create(prefix, symlinks=True, with_pip=False)
    python = str(prefix / "bin" / "python")
    pip("--python", python, "install", "--no-index", "--no-deps", "--quiet", str(wheel))
    (site,) = prefix.glob("lib/python*/site-packages")
    (site / "needed.pth").write_text(f"{_needed(wheel, prefix / 'needed')}\n")
    return Program(prefix)


@pytest.fixture(scope="module")
def program_loaded(program: Program) -> Iterator[Program]:
    """The same program, with everything loaded before the first command."""
    with GmForker(program.prefix / "bin" / "python", {"PATH": "/usr/bin:/bin"}) as board:
        yield replace(program, board=board)


def pip(*words: str, around: Mapping[str, str] | None = None) -> None:
    """Run this environment's pip. around: further variables."""
    quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words],
        capture_output=True,
        text=True,
        env=os.environ | quiet | dict(around or {}),
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _needed(wheel: Path, folder: Path) -> Path:
    """Return a folder with only the packages that the wheel requires."""
    folder.mkdir()
    todo = [line.partition(": ")[2] for line in metadata(wheel) if line.startswith("Requires-Dist: ")]
    for package in closure(todo):
        for name in {file.parts[0] for file in _own_files(package)}:
            if not (folder / name).exists():
                (folder / name).symlink_to(Path(str(package.locate_file(name))))
    return folder


def closure(asked: Iterable[str], extra: str = "") -> list[Distribution]:
    """Return the requested packages and their dependencies, as installed here. extra: an extra of the
    requested.
    """
    found: dict[str, Distribution] = {}
    todo = [(Requirement(line), {extra}) for line in asked]
    while todo:
        one, extras = todo.pop()
        if one.marker is not None and not any(one.marker.evaluate({"extra": each}) for each in extras | {""}):
            continue
        package = distribution(one.name)
        assert one.specifier.contains(package.version), f"{one}: here is {package.version}"
        if one.name.lower() not in found or one.extras:
            found[one.name.lower()] = package
            todo += [(Requirement(line), set(one.extras)) for line in package.requires or ()]
    return list(found.values())


def packed(package: Distribution, folder: Path) -> None:
    """Rebuild the wheel of an installed package."""
    said = re.findall(r"^Tag: (\S+)", package.read_text("WHEEL") or "", re.MULTILINE)
    fit = {str(tag) for tag in sys_tags()}
    tag = next(tag for tag in said if tag in fit)
    stem = f"{package.name.replace('-', '_').replace('.', '_')}-{package.version}"
    files = [file for file in _own_files(package) if file.name not in ("RECORD", "INSTALLER", "REQUESTED")]
    (info,) = {file.parts[0] for file in files if file.parts[0].endswith(".dist-info")}
    with zipfile.ZipFile(folder / f"{stem}-{tag}.whl", "w") as wheel:
        for file in files:
            wheel.write(Path(str(package.locate_file(file))), str(file).replace(info, f"{stem}.dist-info"))
        for program in _own_programs(package):
            wheel.write(program, f"{stem}.data/scripts/{program.name}")
        record = "".join(f"{name},,\n" for name in wheel.namelist())
        wheel.writestr(f"{stem}.dist-info/RECORD", f"{record}{stem}.dist-info/RECORD,,\n")


def _own_files(package: Distribution) -> list[PackagePath]:
    return [
        file
        for file in package.files or ()
        if file.parts[0] != ".." and "__pycache__" not in file.parts and Path(str(file.locate())).is_file()
    ]


def _own_programs(package: Distribution) -> list[Path]:
    """Return the package's own programs. Others are made for its entry points at each installation."""
    made = {entry.name for entry in package.entry_points}
    files = [
        Path(str(file.locate())) for file in package.files or () if file.parts[:-1][-2:] == ("..", "bin")
    ]
    return [file for file in files if file.name not in made]


def metadata(wheel: Path) -> list[str]:
    """Return the lines of a wheel's metadata."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = [one for one in opened.namelist() if one.endswith(".dist-info/METADATA")]
        return opened.read(name).decode().split("\n\n")[0].splitlines()
