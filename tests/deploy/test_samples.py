"""The service accepts each gm.toml in deploy/samples, which says where its secrets come from."""

import re
from pathlib import Path

import pytest

from adjudicator.config.secrets import Login, Secret
from adjudicator.config.servers import Imap, MaildirAt, Smtp
from adjudicator.config.service import Settings, load_settings

SAMPLES = Path(__file__).parents[2] / "deploy" / "samples"
NAMES = sorted(file.name for file in SAMPLES.glob("*.toml"))
ENVIRONMENT = {
    "GM_IMAP_PASSWORD": "came in",
    "GM_SMTP_PASSWORD": "went out",
    "GM_DATABASE": "postgresql://turnpost:secret@database/turnpost",
}


def loaded(name: str, folder: Path) -> Settings:
    """The sample as it is read where the certificate lies that it names."""
    authority = folder / "authority.pem"
    authority.touch()
    text = (SAMPLES / name).read_text(encoding="utf-8").replace("/tls/authority.pem", str(authority))
    (folder / "gm.toml").write_text(text)
    (folder / "mail-login").write_text("a token\n")
    return load_settings(folder / "gm.toml", ENVIRONMENT)


def test_there_is_one_for_each_kind_of_mailbox() -> None:
    assert NAMES == [
        "compose.toml",
        "fastmail.toml",
        "gmail.toml",
        "microsoft365.toml",
        "own-server-pipe.toml",
        "own-server.toml",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_taken(name: str, tmp_path: Path) -> None:
    settings = loaded(name, tmp_path)
    for at in (settings.inbox, settings.outbox):
        match at:
            case Imap(host=host) | Smtp(host=host, username=str()):
                assert at.tls == "starttls" if isinstance(at, Smtp) and at.port == 587 else "tls"
                assert host
                secret = at.token.document if isinstance(at.token, Login) else at.password
                assert isinstance(secret, Secret)
                assert secret.kind in ("env", "file"), "no sample has a password in it"
                assert secret.reveal() in ("came in", "went out", "a token")
            case MaildirAt() | Smtp(username=None):
                assert name == "own-server-pipe.toml"


@pytest.mark.parametrize("name", NAMES)
def test_it_says_how_to_get_there(name: str) -> None:
    """Numbered steps, of which the last is to have it looked over."""
    text = (SAMPLES / name).read_text(encoding="utf-8")
    steps = [int(number) for number in re.findall(r"^# (\d)\. ", text, re.MULTILINE)]
    assert steps == list(range(1, len(steps) + 1))
    assert len(steps) >= 3
    assert "gm doctor" in text.partition("[service]")[0]
