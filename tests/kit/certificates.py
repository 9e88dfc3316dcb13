"""Certificates for servers on this machine, from a test authority, and a strict check of them."""

import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")

# This has everything in RFC 5280: from Python 3.13 on, an incomplete certificate is rejected.
_WORDS = """
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
subjectAltName = DNS:localhost, DNS:*.example.test, IP:127.0.0.1
"""


@dataclass(frozen=True)
class CertificateFiles:
    """A server's certificate for localhost, 127.0.0.1 and hosts of example.test, its key, and its authority.

    All are PEM files.
    """

    authority: Path
    certificate: Path
    key: Path


def issue(folder: Path) -> CertificateFiles:
    """Create a folder with an authority and a certificate for localhost."""
    folder.mkdir(parents=True, exist_ok=True)
    papers = CertificateFiles(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    request = folder / "server.csr"
    ours, theirs = folder / "authority.cnf", folder / "server.cnf"
    ours.write_text(_WORDS.format(name="Authority of these tests"))
    theirs.write_text(_WORDS.format(name="localhost"))
    _openssl(
        *("req", "-x509", *_CURVE, "-days", "30", "-config", ours, "-extensions", "authority"),
        *("-keyout", folder / "ca.key", "-out", papers.authority),
    )
    _openssl("req", *_CURVE, "-config", theirs, "-keyout", papers.key, "-out", request)
    _openssl(
        *("x509", "-req", "-in", request, "-CA", papers.authority, "-CAkey", folder / "ca.key"),
        *("-CAcreateserial", "-days", "30", "-extfile", theirs, "-extensions", "server"),
        *("-out", papers.certificate),
    )
    return papers


def look_over(papers: CertificateFiles, host: str = "localhost") -> None:
    """Do a TLS handshake as strictly as any Python version. Raises ssl.SSLCertVerificationError."""
    client = ssl.create_default_context(cafile=papers.authority)
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(papers.certificate, papers.key)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(back, there, server_hostname=host)
    answering = server.wrap_bio(there, back, server_side=True)
    for side in (asking, answering, asking):
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert asking.getpeercert(), "the handshake did not come to its end"


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=300)
