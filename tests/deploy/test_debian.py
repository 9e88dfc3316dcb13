"""The Debian package, without making one: its scripts in a folder in place of /, its units, its command.

`.ci/deb-root` makes it and tries it in a bare root.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.conftest import PATIENCE, ROOT
from tests.deploy.test_units import SERVICES, analyze
from tests.kit.servers import LEFT_OUT

DEBIAN = ROOT / "debian"
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
TOOLS = ("deb", "deb-root", "bare-root")
pytestmark = PATIENCE


class Root:
    """A folder in place of /, and scripts of the package that act on it alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()
        for name in ("etc", "var/lib/private", "opt", "bin"):
            (folder / name).mkdir(parents=True)
        # The tools that change a system write down what they were asked; no user is there yet.
        for tool in ("adduser", "chown", "deb-systemd-helper", "deb-systemd-invoke", "setpriv", "systemctl"):
            self.tool(tool, f'echo "{tool} $*" >>{self.log}')
        self.tool("getent", "exit 2")
        self.tool("id", "echo 0")

    def tool(self, name: str, text: str) -> None:
        """Put a tool in the place of the system's own."""
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def path(self, name: str) -> Path:
        return self.folder / name

    def run(self, script: str, *words: str, code: int = 0, place: Path | None = None) -> str:
        """Run a script of the package in a folder, and return what it printed."""
        text = re.sub(r"(?<![\w/])/(var|etc|opt|run)/", rf"{self.folder}/\1/", (DEBIAN / script).read_text())
        file = self.folder / script
        file.write_text(text)
        done = subprocess.run(
            ["/bin/sh", str(file), *words],
            env={"PATH": f"{self.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
            cwd=place or self.folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    def asked(self) -> str:
        """Return what the tools were asked, and forget it."""
        text = self.log.read_text()
        self.log.write_text("")
        return text


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path)


@pytest.mark.parametrize(
    "file", [*(DEBIAN / name for name in (*SCRIPTS, "gm")), *(ROOT / ".ci" / name for name in TOOLS)]
)
def test_a_script_has_no_mistake_that_a_shell_or_a_linter_sees(file: Path) -> None:
    shell = re.match(r"#!(?:/usr/bin/env |/bin/)(\w+)", file.read_text())
    assert shell is not None
    assert os.access(file, os.X_OK)
    subprocess.run([shell[1], "-n", str(file)], check=True, timeout=60)
    if linter := shutil.which("shellcheck"):
        done = subprocess.run([linter, str(file)], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout


def test_the_first_installation_makes_the_user_and_says_what_to_type(root: Root) -> None:
    said = root.run("postinst", "configure", "")
    assert re.search(r"^adduser --system .*turnpost$", root.asked(), re.MULTILINE)
    assert "gm init --address" in said
    state = root.path("var/lib/turnpost")
    assert state.stat().st_mode & 0o777 == 0o700
    settings = root.path("etc/turnpost/gm.toml")
    assert settings.readlink() == state / "gm.toml"
    assert not settings.exists(), "gm init writes it"


def test_settings_are_never_overwritten(root: Root) -> None:
    root.run("postinst", "configure", "")
    settings = root.path("var/lib/turnpost/gm.toml")
    settings.write_text("# mine\n")
    said = root.run("postinst", "configure", "0.9.9")
    assert settings.read_text() == root.path("etc/turnpost/gm.toml").read_text() == "# mine\n"
    assert "gm init" not in said


def test_settings_that_stand_in_etc_are_taken_over(root: Root) -> None:
    settings = root.path("etc/turnpost/gm.toml")
    settings.parent.mkdir()
    settings.write_text("# mine\n")
    root.run("postinst", "configure", "")
    assert settings.is_symlink()
    moved = root.path("var/lib/turnpost/gm.toml")
    assert (moved.read_text(), moved.stat().st_mode & 0o777) == ("# mine\n", 0o600)


def test_two_settings_are_both_kept_and_the_unused_is_named(root: Root) -> None:
    root.run("postinst", "configure", "")
    used, unused = root.path("var/lib/turnpost/gm.toml"), root.path("etc/turnpost/gm.toml")
    used.write_text("# used\n")
    unused.unlink()
    unused.write_text("# edited by a program that replaces links\n")
    said = root.run("postinst", "configure", "0.9.9")
    assert f"{unused} isn't used" in said
    assert (used.read_text(), unused.read_text()[:8]) == ("# used\n", "# edited")


def test_the_folder_of_a_user_for_the_time_being_is_taken_over(root: Root) -> None:
    private, state = root.path("var/lib/private/turnpost"), root.path("var/lib/turnpost")
    private.mkdir()
    (private / "turnpost.db").write_text("games")
    state.symlink_to("private/turnpost")
    root.run("postinst", "configure", "")
    assert not state.is_symlink()
    assert (state / "turnpost.db").read_text() == "games"
    assert f"chown --recursive --no-dereference turnpost:turnpost {state}" in root.asked()


def test_services_stop_before_their_files_change_and_start_after(root: Root) -> None:
    root.path("run/systemd/system").mkdir(parents=True)
    root.run("prerm", "upgrade", "1.1.0")
    assert re.search(r"^deb-systemd-invoke stop .*turnpost\.service", root.asked(), re.MULTILINE)
    root.run("postinst", "configure", "1.0.0")
    asked = root.asked()
    assert "systemctl --system daemon-reload" in asked
    assert "deb-systemd-invoke start turnpost.service" in asked
    assert "enable turnpost-round.timer" not in asked, "the service or the rounds, never both"


def test_neither_removal_nor_purge_touches_a_game(root: Root) -> None:
    root.run("postinst", "configure", "")
    state = root.path("var/lib/turnpost")
    for name in ("gm.toml", "turnpost.db"):
        (state / name).write_text(name)
    assert root.run("postrm", "remove") == ""
    assert root.path("etc/turnpost/gm.toml").exists()
    said = root.run("postrm", "purge")
    assert f"Kept: {state}" in said
    assert f"rm -r {state}" in said
    assert not root.path("etc/turnpost").exists()
    assert sorted(file.name for file in state.iterdir()) == ["gm.toml", "turnpost.db"]


@pytest.mark.parametrize("link", [True, False])
def test_it_is_not_mixed_with_an_installation_by_hand(root: Root, link: bool) -> None:
    prefix = root.path("opt/turnpost-1.0.0" if link else "opt/turnpost")
    prefix.mkdir()
    (prefix / "pyvenv.cfg").touch()
    if link:
        root.path("opt/turnpost").symlink_to(prefix)
    assert "mv " in root.run("preinst", "install", code=1)
    root.run("preinst", "upgrade", "1.0.0")


def test_root_runs_gm_as_the_user_of_the_service_in_its_folder(root: Root) -> None:
    """Elsewhere, and as anyone else, it is plain gm."""
    state, elsewhere = root.path("var/lib/turnpost"), root.path("games")
    plain = root.path("opt/turnpost/bin/gm")
    for folder in (state, elsewhere, plain.parent):
        folder.mkdir(parents=True)
    root.tool("setpriv", f'echo "$PWD setpriv $*" >>{root.log}')
    plain.write_text(f'#!/bin/sh\necho "$PWD plain $*" >>{root.log}\n')
    plain.chmod(0o755)
    as_user = f"setpriv --reuid=turnpost --regid=turnpost --init-groups env HOME={state} {plain}"
    root.run("gm", "status", place=elsewhere)
    assert root.asked() == f"{state} {as_user} status\n"
    root.run("gm", "--config", f"{state}/gm.toml", "status", place=elsewhere)
    assert root.asked() == f"{elsewhere} {as_user} --config {state}/gm.toml status\n"
    root.run("gm", f"--config={elsewhere}/gm.toml", "status", place=elsewhere)
    assert root.asked() == f"{elsewhere} plain --config={elsewhere}/gm.toml status\n"
    root.tool("id", "echo 1000")
    root.run("gm", "status", place=elsewhere)
    assert root.asked() == f"{elsewhere} plain status\n"


@pytest.mark.parametrize("name", SERVICES)
def test_systemd_reads_what_the_package_adds_to_a_unit(name: str, tmp_path: Path) -> None:
    text = (ROOT / "deploy" / name).read_text().replace("/opt/turnpost", sys.prefix)
    (tmp_path / name).write_text(text)
    drop_in = tmp_path / f"{name}.d" / "debian.conf"
    drop_in.parent.mkdir()
    shutil.copy(DEBIAN / "service.conf", drop_in)
    assert analyze("verify", "--man=no", str(tmp_path / name)) == ""
    drop_in.write_text(drop_in.read_text().replace("DynamicUser", "DynamicUsre"))
    assert "DynamicUsre" in analyze("verify", "--man=no", str(tmp_path / name)), "it has been read"


def test_the_control_file_is_one_that_dpkg_takes(tmp_path: Path) -> None:
    """With the scripts. Every blank is one that `.ci/deb` fills."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip(f"{LEFT_OUT}dpkg-deb is not installed")
    control = tmp_path / "package" / "DEBIAN"
    control.mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(DEBIAN / name, control)
    values = {
        "VERSION": "1.0.0",
        "ARCHITECTURE": "all",
        "SIZE": "1",
        "PYTHON": "python3.11",
        "LIBRARIES": "libc6",
    }
    assert set(values) == set(re.findall(r"s\|@([A-Z]+)@\|", (ROOT / ".ci" / "deb").read_text()))
    text = (DEBIAN / "control").read_text()
    (control / "control").write_text(re.sub(r"@([A-Z]+)@", lambda blank: values[blank[1]], text))
    made = tmp_path / "turnpost.deb"
    line = ["dpkg-deb", "--root-owner-group", "--build", str(control.parent), str(made)]
    subprocess.run(line, check=True, capture_output=True, timeout=60)
    shown = subprocess.run(
        ["dpkg-deb", "--field", made, "Depends"], check=True, capture_output=True, text=True
    )
    assert shown.stdout.startswith("python3.11, libc6, adduser, ca-certificates")
