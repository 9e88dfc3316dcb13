"""Certificates for servers on this machine, by an authority that tests make themselves."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


@dataclass(frozen=True)
class Papers:
    """A server's certificate for localhost and 127.0.0.1, its key, and who vouches for it; PEM files."""

    authority: Path
    certificate: Path
    key: Path


def issue(folder: Path) -> Papers:
    """Found an authority in a folder and have it vouch for localhost. The folder is made."""
    folder.mkdir(parents=True, exist_ok=True)
    papers = Papers(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    request, names = folder / "server.csr", folder / "names"
    names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    _openssl(
        *("req", "-x509", *_CURVE, "-days", "30", "-subj", "/CN=Authority of these tests"),
        *("-keyout", folder / "ca.key", "-out", papers.authority),
    )
    _openssl("req", *_CURVE, "-subj", "/CN=localhost", "-keyout", papers.key, "-out", request)
    _openssl(
        *("x509", "-req", "-in", request, "-CA", papers.authority, "-CAkey", folder / "ca.key"),
        *("-CAcreateserial", "-days", "30", "-extfile", names, "-out", papers.certificate),
    )
    return papers


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=30)
