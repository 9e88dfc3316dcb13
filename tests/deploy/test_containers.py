"""Containers without a container: the Containerfile's steps as written, compose.yaml by its schema."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name
from ruamel.yaml import YAML

from tests.deploy.conftest import PATIENCE, ROOT, SECONDS, packed
from tests.kit.locks import BUILD_LOCK, LOCK, locked_packages
from tests.kit.servers import LEFT_OUT

DEPLOY = ROOT / "deploy"
pytestmark = PATIENCE
COMPOSE = DEPLOY / "compose.yaml"


@dataclass
class Stage:
    """One stage of a build: its folder in place of /, where it stands, and what its steps see."""

    root: Path
    place: str = "/"
    variables: dict[str, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        return self.root / (name if name.startswith("/") else f"{self.place}/{name}").lstrip("/")

    def expanded(self, text: str) -> str:
        return re.sub(r"\$\{?(\w+)\}?", lambda found: self.variables[found[1]], text)


@dataclass
class Build:
    """Goes through a Containerfile. context: what is copied from; around: the environment of its steps;
    given: what --build-arg would say."""

    context: Path
    folder: Path
    around: dict[str, str]
    given: dict[str, str] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    names: dict[str, Stage] = field(default_factory=dict)
    end: dict[str, str] = field(default_factory=dict)

    def do(self, text: str) -> None:
        """Every instruction, in order. One that is not known here is a failure."""
        joined = re.sub(r"\\\n", " ", text)
        for line in joined.splitlines():
            if line and not line.startswith("#"):
                word, _, rest = line.partition(" ")
                getattr(self, f"_{word.lower()}")(rest.strip())

    @property
    def stage(self) -> Stage:
        return self.stages[-1]

    def _from(self, rest: str) -> None:
        stage = Stage(self.folder / str(len(self.stages)))
        stage.root.mkdir(parents=True)
        self.stages.append(stage)
        _, _, name = rest.partition(" AS ")
        if name:
            self.names[name] = stage

    def _arg(self, rest: str) -> None:
        # Absolute places are laid below the stage's folder; the steps name no other ones.
        name, _, value = rest.partition("=")
        if not value.startswith("/"):
            self.stage.variables[name] = self.given.get(name, value)
            return
        shared = self.folder / "shared" if name == "PREFIX" else self.stage.root
        self.stage.variables[name] = f"{shared}{value}"

    def _env(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        self.stage.variables[name] = self.stage.expanded(value)

    def _workdir(self, rest: str) -> None:
        self.stage.place = self.stage.expanded(rest).removeprefix(str(self.stage.root))
        self.stage.path(self.stage.place).mkdir(parents=True, exist_ok=True)

    def _copy(self, rest: str) -> None:
        *names, to = rest.split()
        if names[0].startswith("--from="):
            # A prefix that both stages share is where it is wanted.
            assert self.names[names[0].partition("=")[2]]
            assert self.stage.expanded(names[1]) == self.stage.expanded(to)
            return
        for name in names:
            source, target = self.context / name, self.stage.path(to.removeprefix("./") or ".")
            if source.is_dir():
                shutil.copytree(source, target, symlinks=True)
            else:
                shutil.copy(source, target)

    def _run(self, rest: str) -> None:
        done = subprocess.run(
            ["/bin/sh", "-eu", "-c", rest],
            cwd=self.stage.path(self.stage.place),
            env={**self.around, **self.stage.variables},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"RUN {rest}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"

    def _note(self, word: str, rest: str) -> None:
        self.end[word] = rest

    def _user(self, rest: str) -> None:
        self._note("user", rest)

    def _volume(self, rest: str) -> None:
        self._note("volume", self.stage.expanded(rest))

    def _stopsignal(self, rest: str) -> None:
        self._note("stopsignal", rest)

    def _healthcheck(self, rest: str) -> None:
        self._note("healthcheck", rest.partition(" CMD ")[2])

    def _entrypoint(self, rest: str) -> None:
        self._note("entrypoint", rest)

    def _cmd(self, rest: str) -> None:
        self._note("cmd", rest)


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an index of what is installed here: wheels of all locked packages."""
    folder = tmp_path_factory.mktemp("offered")
    for one in (*locked_packages(LOCK), *locked_packages(BUILD_LOCK)):
        if one.wanted_here():
            packed(distribution(one.name), folder)
    return folder


@pytest.fixture(scope="module")
def checkout(sources: Path, offered: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources with locks of that index: the same names, versions and hashes as of what it offers."""
    copy = shutil.copytree(sources, tmp_path_factory.mktemp("checkout") / "turnpost", symlinks=True)
    wheels = {canonicalize_name(one.name.split("-")[0]): one for one in offered.iterdir()}
    for lock in (LOCK, BUILD_LOCK):
        lines = [_relocked(wheels[one.name]) for one in locked_packages(lock) if one.wanted_here()]
        (copy / "deploy" / lock.name).write_text("".join(lines))
    return copy


def _relocked(wheel: Path) -> str:
    name, version, _ = wheel.name.split("-", 2)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


@pytest.fixture
def around(offered: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a build: an index of what is installed here, and no other."""
    settings = tmp_path / "uv.toml"
    settings.write_text(f'no-index = true\nfind-links = ["{offered}"]\n')
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(offered),
        "PIP_NO_COMPILE": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "UV_CONFIG_FILE": str(settings),
    }


@pytest.mark.parametrize(("lock", "name"), [(BUILD_LOCK, "setuptools"), (LOCK, "aiosmtpd")])
def test_the_build_refuses_what_an_index_puts_in_the_place_of_a_package(
    lock: Path, name: str, checkout: Path, around: dict[str, str], tmp_path: Path
) -> None:
    """Another file under the name and version that are locked: nothing of it is unpacked."""
    copy = shutil.copytree(checkout / "deploy", tmp_path / "checkout" / "deploy")
    locks = copy / lock.name
    text, changed = re.subn(rf"(?m)^({name}==.*sha256:)\w{{8}}", r"\g<1>00000000", locks.read_text())
    locks.write_text(text)
    assert changed == 1
    with pytest.raises(AssertionError, match=r"(?i)match the hashes|hash mismatch"):
        Build(copy.parent, tmp_path / "build", around).do((DEPLOY / "Containerfile").read_text())
    assert not [*tmp_path.rglob(f"site-packages/{name}")]


def test_the_steps_of_the_containerfile(checkout: Path, around: dict[str, str], tmp_path: Path) -> None:
    """As written, in an empty folder; pip would report packages missing from the lock files."""
    if os.geteuid() != 0:
        pytest.skip(f"{LEFT_OUT}the steps of a Containerfile are done by root, who gives folders away")
    build = Build(checkout, tmp_path / "build", around, {"UV_COMPILE_BYTECODE": "0"})
    build.do((DEPLOY / "Containerfile").read_text())
    last, end = build.stage, build.end
    state = Path(last.variables["STATE"])
    assert end["volume"] == str(state)
    assert (state.stat().st_mode & 0o777, state.stat().st_uid) == (0o700, int(end["user"].partition(":")[0]))
    around |= last.variables | {"HOME": str(state)}

    def contained(*words: str) -> subprocess.CompletedProcess[str]:
        line = [*json.loads(end["entrypoint"]), *words]
        return subprocess.run(
            line, cwd=state, env=around, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    assert contained("--version").stdout.startswith("gm ")
    assert json.loads(end["cmd"]) == ["serve"]
    assert contained("init", "--no-local", "--yes", "--timezone", "UTC").returncode == 0
    assert (state / "turnpost.db").is_file(), "$GM_CONFIG says where"
    healthy = ["/bin/sh", "-c", end["healthcheck"]]
    assert subprocess.run(healthy, cwd=state, env=around, capture_output=True, check=False).returncode != 0
    assert contained("run", "poll").returncode == 0
    assert subprocess.run(healthy, cwd=state, env=around, capture_output=True, check=False).returncode == 0


CONTAINER_FILES = sorted(DEPLOY.rglob("Containerfile"))


@pytest.mark.parametrize("file", CONTAINER_FILES, ids=lambda file: str(file.parent.name))
def test_the_linter_finds_nothing_in_a_container_file(file: Path, tmp_path: Path) -> None:
    """Nor does it pass everything: it finds a base image without a version."""
    line = [Path(sys.executable).with_name("hadolint"), "--no-color", "--failure-threshold", "warning"]
    done = subprocess.run([*line, file], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout
    worse = tmp_path / "Containerfile"
    worse.write_text(re.sub(r"(?m)^(FROM [^\s:]+):\S+", r"\1", file.read_text()))
    done = subprocess.run([*line, worse], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, "DL3006" in done.stdout) == (1, True), done.stdout


def test_the_compose_file_against_the_schema() -> None:
    program = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [program, "--builtin-schema", "vendor.compose-spec", COMPOSE],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def composed() -> dict[str, Any]:
    """compose.yaml, with what it merges."""
    return YAML(typ="safe").load(COMPOSE.read_text())


def test_what_compose_names_is_there() -> None:
    """Files, volumes, services that wait for each other, and words that `start` knows."""
    document = composed()
    services = document["services"]
    volumes = {mount.partition(":")[0] for one in services.values() for mount in one.get("volumes", ())}
    named = {name for name in volumes if not name.startswith(".")}
    assert named == set(document["volumes"])
    for name, service in services.items():
        for other in service.get("depends_on", {}):
            assert set(service.get("profiles", ())) >= set(services[other].get("profiles", ())), name
        build = service.get("build")
        if isinstance(build, dict):
            assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
        elif build:
            assert (DEPLOY / build / "Containerfile").is_file()
    words = {
        name: one["command"] for name, one in services.items() if one.get("image") == "turnpost-mail:latest"
    }
    assert words == {name: [name] for name in ("certificates", "dovecot", "postfix")}
    start = (DEPLOY / "mail" / "start").read_text()
    assert all(f"  {name}) " in start for name in words)


def test_every_variable_of_compose_is_told_of() -> None:
    used = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text()))
    told = set(re.findall(r"^(\w+)=", (DEPLOY / "compose.env.example").read_text(), re.MULTILINE))
    assert used == told
