"""Tests don't disturb each other or anything else.

Ports are given once, no test waits for a name server, and a mailbox may be used while it is inspected.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit import ports
from tests.kit.certificates import CertificateFiles
from tests.kit.servers import Dovecot
from tests.kit.source_files import ROOT


def chosen_by_another(count: int) -> list[int]:
    """Return the resources that another process got, which has ended since."""
    words = f"from tests.kit.ports import free_ports; print(*free_ports({count}))"
    done = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()]


def test_nobody_is_given_what_another_has() -> None:
    mine = ports.free_ports(5)
    theirs = chosen_by_another(5)
    assert len({*mine, *theirs}) == 10
    assert not {*mine} & {*ports.free_ports(5)}


@pytest.mark.parametrize(
    ("told", "end"), [("32768\t60999\n", 32768), ("16000 65535", 16000), ("1024 65535", 16000), (None, 16000)]
)
def test_no_connection_is_given_them(
    told: str | None, end: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They lie below the system's own range, as far as that leaves room."""
    if told is not None:
        (tmp_path / "range").write_text(told)
    monkeypatch.setattr(ports, "_RANGE", tmp_path / "range")
    assert all(8192 <= port < end for port in ports.free_ports(20))


def test_nobody_asks_the_network_for_the_machine_s_own_name() -> None:
    """A client without a configured name greets a local server with the machine's full name, and looking that
    up may take five seconds.
    """
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "adjudicator").rglob("*.py")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    calls = [
        (file.relative_to(ROOT).as_posix(), node)
        for file, text in texts.items()
        if "smtplib." in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("smtplib.SMTP", "smtplib.LMTP"))
    ]
    nameless = [file for file, node in calls if "local_hostname" not in [word.arg for word in node.keywords]]
    assert len(calls) > 10
    assert nameless == []


def test_a_letter_that_moves_while_it_is_read_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Dovecot renames what it showed to somebody: first into `cur`, and again with each new flag."""
    dovecot = Dovecot(tmp_path, 1, 2, 3, CertificateFiles(tmp_path, tmp_path, tmp_path))
    new, cur = (dovecot.mailbox("gm") / part for part in ("new", "cur"))
    for folder in (new, cur):
        folder.mkdir(parents=True)
    (new / "100.M1P7.host").write_bytes(b"first")
    (new / "100.M2P7.host").write_bytes(b"second")
    moves = [
        (new / "100.M1P7.host", cur / "100.M1P7.host:2,"),
        (cur / "100.M1P7.host:2,", cur / "100.M1P7.host:2,S"),
        (new / "100.M2P7.host", cur / "100.M2P7.host:2,S"),
    ]
    read = Path.read_bytes

    def read_late(file: Path) -> bytes:
        if moves:
            old, after = moves.pop(0)
            old.rename(after)
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", read_late)
    assert dovecot.letters("gm") == [b"first", b"second"]
    assert moves == []
