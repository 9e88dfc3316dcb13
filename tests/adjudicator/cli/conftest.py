"""A GM at a terminal: a service in a folder, and the command line."""

import json
import shlex
import shutil
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.mail.maildir import write_letter
from tests.kit import cached_services, logins, pictures

many_logins = logins.many_logins


@dataclass(frozen=True)
class Terminal:
    """Runs commands for the service in a folder."""

    folder: Path

    @property
    def config(self) -> Path:
        """The service's gm.toml."""
        return self.folder / "gm.toml"

    def gm(self, line: str) -> Result:
        """Run a command, and return its output and exit code."""
        return CliRunner().invoke(app, ["--config", str(self.config), *shlex.split(line)], prog_name="gm")

    def says(self, line: str) -> str:
        """Run a command that succeeds, and return its output."""
        result = self.gm(line)
        assert result.exit_code == 0, result.output
        return result.stdout

    def told(self, line: str) -> Any:
        """Run a command that succeeds, with --json, and return the document."""
        return json.loads(self.says(f"{line} --json"))

    def refused(self, line: str) -> str:
        """Run a command that fails, and return its error."""
        result = self.gm(line)
        assert result.exit_code == 1, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        return result.stderr

    def drop(self, raw: bytes) -> None:
        """Put an email's bytes into the service's mailbox."""
        write_letter(self.folder / "mail" / "in", f"letter{abs(hash(raw))}", raw)

    def mail(self, to: str, text: str, subject: str = "orders", sender: str = "iroquois@example.org") -> None:
        """Put an email into the service's mailbox."""
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = sender, to, subject
        letter["Message-ID"] = f"<{abs(hash((to, text, subject)))}@example.org>"
        letter["Date"] = "Mon, 05 Jan 2026 18:00:00 +0000"
        letter.set_content(text)
        write_letter(
            self.folder / "mail" / "in", f"letter{abs(hash((to, text, subject)))}", letter.as_bytes()
        )


@cached_services.cached_folder
def services(folder: Path) -> None:
    """Make two services, empty and beaver, because starting a game and drawing its map takes a second."""
    Terminal(folder / "empty").says("init --no-local --timezone UTC --yes")
    shutil.copytree(folder / "empty", folder / "beaver")
    beaver = Terminal(folder / "beaver")
    beaver.says("game new indianomacy beaver --term solo=clock")
    beaver.says("seat assign beaver iroquois iroquois@example.org")


@pytest.fixture(scope="session")
def template_folder() -> Path:
    """The folder with the services to copy: empty and beaver."""
    return services.folder()


@pytest.fixture
def terminal(template_folder: Path, tmp_path: Path) -> Terminal:
    """A service whose mail comes from a Maildir and goes to one."""
    return Terminal(Path(shutil.copytree(template_folder / "empty", tmp_path / "service")))


@pytest.fixture
def beaver(template_folder: Path, tmp_path: Path) -> Terminal:
    """The same with the game beaver, in which a player holds the Iroquois."""
    return Terminal(Path(shutil.copytree(template_folder / "beaver", tmp_path / "service")))


@pytest.fixture
def terminal_elsewhere(template_folder: Path, tmp_path: Path) -> Terminal:
    """Another service, independent of the first."""
    return Terminal(Path(shutil.copytree(template_folder / "empty", tmp_path / "elsewhere")))


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send emails without maps, because drawing takes longer than all the rest. Other tests look at maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)


skip_drawing = pictures.skip_drawing
