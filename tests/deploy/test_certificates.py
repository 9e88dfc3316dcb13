"""Certificates, for a mail server and for tests, satisfy the strictest check of any Python version.

Python 3.13 began to require everything in RFC 5280. These tests require it everywhere.
"""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.deploy.conftest import ROOT
from tests.kit.certificates import CertificateFiles, issue, look_over
from tests.kit.servers import PATH

START = ROOT / "deploy" / "mail" / "start"
LAX = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=Lax"
    " -keyout authority.key -out authority.pem",
    "openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost"
    " -keyout server.key -out request.pem",
    "openssl x509 -req -in request.pem -CA authority.pem -CAkey authority.key -CAcreateserial -days 90"
    " -extfile names -out server.pem",
)
"""Papers as most instructions have one make them: the authority does not say that it may sign."""


def mailbox_papers(folder: Path, host: str = "localhost") -> CertificateFiles:
    """Run `deploy/mail/start certificates` for a machine and return the files that it made or kept."""
    around = {"PATH": PATH, "TLS": str(folder), "MAIL_HOST": host}
    subprocess.run([START, "certificates"], env=around, check=True, timeout=300)
    return CertificateFiles(folder / "authority.pem", folder / "server.pem", folder / "server.key")


def lax_papers(folder: Path) -> CertificateFiles:
    """Papers that nobody minded before Python 3.13."""
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    for line in LAX:
        subprocess.run(line.split(), cwd=folder, check=True, capture_output=True, timeout=300)
    return CertificateFiles(folder / "authority.pem", folder / "server.pem", folder / "server.key")


@pytest.mark.parametrize("made", [issue, mailbox_papers])
def test_the_strictest_reader_finds_no_fault(made, tmp_path: Path) -> None:
    look_over(made(tmp_path))


@pytest.mark.parametrize("made", [issue, mailbox_papers])
def test_each_says_what_it_is_for(made, tmp_path: Path) -> None:
    papers = made(tmp_path)
    keys = ("X509v3 Subject Key Identifier:", "X509v3 Authority Key Identifier:")
    signs = ("CA:TRUE, pathlen:0", "Certificate Sign, CRL Sign")
    serves = ("CA:FALSE", "Digital Signature", "TLS Web Server Authentication")
    for paper, said in ((papers.authority, signs), (papers.certificate, serves)):
        words = ["openssl", "x509", "-in", str(paper), "-noout", "-text"]
        told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        assert [word for word in (*keys, *said) if word not in told] == []
        assert "X509v3 Basic Constraints: critical" in told
        assert "X509v3 Key Usage: critical" in told


def test_it_is_good_for_the_names_under_which_it_is_asked(tmp_path: Path) -> None:
    """The servers are called by the machine's name from without, by their own ones within."""
    papers = mailbox_papers(tmp_path, "mail.example.org")
    for name in ("mail.example.org", "dovecot", "postfix"):
        look_over(papers, name)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        look_over(papers, "imap.example.org")


def test_good_ones_are_kept(tmp_path: Path) -> None:
    papers = mailbox_papers(tmp_path)
    before = papers.certificate.read_bytes()
    assert mailbox_papers(tmp_path, "other").certificate.read_bytes() == before


def test_those_that_strict_readers_refuse_are_made_again(tmp_path: Path) -> None:
    """So that nobody has a mailbox without logins after installing such certificates."""
    with pytest.raises(ssl.SSLCertVerificationError, match="key usage"):
        look_over(lax_papers(tmp_path))
    look_over(mailbox_papers(tmp_path))


def test_those_that_are_about_to_end_are_made_again(tmp_path: Path) -> None:
    """Papers of a month's validity have less than that left at once."""
    papers = mailbox_papers(tmp_path)
    month = issue(tmp_path / "short")
    for ours, theirs in ((papers.authority, month.authority), (papers.certificate, month.certificate)):
        shutil.copy(theirs, ours)
    shutil.copy(month.key, papers.key)
    assert mailbox_papers(tmp_path).certificate.read_bytes() != month.certificate.read_bytes()
    look_over(papers)


def test_a_machine_without_a_name_is_asked_for_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [START, "certificates"],
        env={"PATH": PATH, "TLS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "MAIL_HOST" in done.stderr
