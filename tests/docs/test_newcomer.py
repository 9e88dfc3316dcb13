"""README.md, followed literally: in an empty home, in a new environment, from wheel to report."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adjudicator.messages import sentence
from tests.deploy.conftest import closure, metadata, packed
from tests.kit.service_harness import text_of

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
FOLDER = "games"
MAILBOX = f"{FOLDER}/mail/iroquois@example.org/new"
LOOKS = 120
"""So often a newcomer looks into his mail before he gives up."""


def steps() -> list[str]:
    """Return the README's commands, in order."""
    return [re.sub(r"^ {3}", "", block, flags=re.MULTILINE) for block in BLOCK.findall(readme())]


def readme() -> str:
    return (ROOT / "README.md").read_text()


class Newcomer:
    """A person with an empty home and a shell, who types one command after the other."""

    def __init__(self, home: Path, wheels: Path) -> None:
        self.home = home
        self.around = {
            "HOME": str(home),
            "PATH": f"{home}/.turnpost/bin:{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "TZ": "UTC",
        }

    def types(self, text: str, folder: str = ".") -> str:
        """A block, which has to succeed line by line."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.home / folder,
            env=self.around,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    @contextmanager
    def leaves_open(self, text: str) -> Iterator[None]:
        """A command in another terminal, until the test is done."""
        terminal = subprocess.Popen(
            ["bash", "-c", f"exec {text}"],
            cwd=self.home / FOLDER,
            env=self.around,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            terminal.send_signal(signal.SIGTERM)
            assert terminal.wait(300) == 0

    def reads(self, words: str) -> str:
        """The newest letter that says so, as soon as it has come."""
        for _ in range(LOOKS):
            files = sorted((self.home / MAILBOX).glob("*"), key=lambda file: file.stat().st_mtime_ns)
            texts = [text_of(message_from_bytes(file.read_bytes(), policy=policy.default)) for file in files]
            found = [text for text in texts if words in " ".join(text.split())]
            if found:
                return found[-1]
            self.types("gm status", FOLDER)
        raise AssertionError(f"no letter says {words}")


@pytest.fixture
def wheels(wheel: Path, tmp_path: Path) -> Path:
    """The packages that the wheel asks for, as an index would give them."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for package in closure([line[15:] for line in metadata(wheel) if line.startswith("Requires-Dist: ")]):
        packed(package, folder)
    return folder


def test_the_readme_tells_the_steps() -> None:
    """It links to every page."""
    starts = ("python3 -m venv", "mkdir", "gm game new", "gm serve", "printf", "gm game show")
    assert tuple(step.startswith(start) for step, start in zip(steps(), starts, strict=True)) == (True,) * 6
    linked = set(re.findall(r"\]\(((?:docs/)?[\w/-]+\.md)\)", readme()))
    pages = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")}
    assert pages - linked == {"docs/index.md", "docs/contributing.md"}
    assert "CONTRIBUTING.md" in linked, "which the page of that name shows"


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("curl") is None or os.name != "posix", reason="the README uses curl")
def test_a_newcomer_plays_his_first_turn(wheel: Path, wheels: Path, tmp_path: Path) -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 2525)) == 0:
            pytest.skip("something listens at the port that the README names")
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(wheel, home)
    newcomer = Newcomer(home, wheels)
    install, found, begin, serve, answer, look = steps()
    newcomer.types(install)
    newcomer.types(found)
    newcomer.types(begin, FOLDER)
    with newcomer.leaves_open(serve):
        welcome = newcomer.reads("Welcome to Indianomacy II")
        address = re.search(r"gm\+beaver\.iroquois\.\w+@example\.org", welcome)
        assert address is not None
        newcomer.types(answer.replace("ADDRESS", address[0]), FOLDER)
        assert sentence("reports.transcript.in_force", said="W MHK - PEQ") in newcomer.reads("2 accepted.")
        told = newcomer.types(look, FOLDER)
        assert "1 turn, identical" in told
        assert (home / FOLDER / "beaver.png").read_bytes().startswith(b"\x89PNG")
        assert "W ONE H: held." in newcomer.reads("W MHK - PEQ: Mohawk → Pequot.")
