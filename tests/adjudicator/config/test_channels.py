"""The table [channel] of gm.toml."""

import tomllib

import pytest

from adjudicator.config.channels import Channel, read_channels
from adjudicator.config.toml_reader import ConfigPage
from adjudicator.errors import Refusal

SERVICE = '[service]\naddress = "gm@example.org"\n'


def channel(folder, *lines: str) -> Channel | None:
    found = read_channels(ConfigPage(tomllib.loads(SERVICE + "\n".join(lines)), folder, {}))
    assert len(found) <= 1
    return found[0] if found else None


def test_without_the_table_there_is_none(tmp_path):
    assert channel(tmp_path) is None


def test_an_address_is_enough(tmp_path):
    found = channel(tmp_path, "[channel]", 'address = "turns@lists.example.org"')
    assert found == Channel("turns@lists.example.org", "text", None)
    assert found.carries("beaver")


def test_form_and_games_can_be_named(tmp_path):
    lines = ("[channel]", 'address = "post@forum.example.org"', 'as = "markdown"', 'games = ["beaver"]')
    found = channel(tmp_path, *lines)
    assert found.markup == "markdown"
    assert (found.carries("beaver"), found.carries("otter")) == (True, False)


@pytest.mark.parametrize(
    ("line", "key", "why"),
    [
        ("", "[channel] address", "is missing"),
        ('address = "the list"', "[channel] address", "isn't an email address"),
        ('address = "gm@example.org"', "[channel] address", "is the service's own"),
        ('address = "t@example.org"\nas = "html"', "[channel] as", '"html" isn\'t a form'),
        ('address = "t@example.org"\ngames = []', "[channel] games", "[] is neither text"),
    ],
)
def test_a_fault_is_named_with_its_key(tmp_path, line, key, why):
    with pytest.raises(Refusal) as refused:
        channel(tmp_path, "[channel]", line)
    assert key in refused.value.what
    assert why in refused.value.why


# Several of them.

WEBHOOK = """[[channel]]
name = "club"
kind = "webhook"
url = { env = "CLUB_URL" }
secret = { file = "club-secret" }
games = ["club-*"]
what = ["played", "press"]
map = false
"""
CHAT = """[[channel]]
name = "chat"
kind = "apprise"
url = "discord://1/token"
"""


def channels(folder, text: str):
    return read_channels(
        ConfigPage(tomllib.loads(SERVICE + text), folder, {"CLUB_URL": "https://hooks.example.org/x"})
    )


def test_there_may_be_several_each_for_its_own(tmp_path):
    (tmp_path / "club-secret").write_text("hush\n")
    club, chat, mail = channels(
        tmp_path,
        WEBHOOK + CHAT + '[[channel]]\nname = "list"\naddress = "t@lists.example.org"\nas = "markdown"\n',
    )
    assert (club.name, club.kind, club.map) == ("club", "webhook", False)
    assert (club.url.reveal(), club.secret.reveal()) == ("https://hooks.example.org/x", "hush")
    assert club.carries("club-1", "played")
    assert club.carries("club-1", "due", "press")
    assert not club.carries("club-1", "due")
    assert not club.carries("beaver", "played")
    assert (chat.kind, chat.what) == ("apprise", {"begun", "played", "ended"})
    assert (mail.kind, mail.address, mail.markup) == ("address", "t@lists.example.org", "markdown")


def test_what_is_secret_is_not_shown(tmp_path):
    club, chat = channels(tmp_path, WEBHOOK + CHAT)
    assert "token" not in repr(chat)
    assert "CLUB_URL" not in repr(club)


@pytest.mark.parametrize(
    ("text", "key", "why"),
    [
        ('[[channel]]\nkind = "webhook"\n', "[[channel]] 1: name", "is missing"),
        ('[[channel]]\nname = "a b"\n', "[[channel]] a b: name", "can't be called"),
        (CHAT + CHAT, "[[channel]] 2: name", "two channels are called chat"),
        ('[[channel]]\nname = "x"\nkind = "discord"\n', "[[channel]] x: kind", '"discord" isn\'t a kind'),
        ('[[channel]]\nname = "x"\nkind = "webhook"\n', "[[channel]] x: url", "is missing"),
        (CHAT + 'address = "t@example.org"\n', "[[channel]] chat: address", "has no meaning"),
        (CHAT + 'secret = "hush"\n', "[[channel]] chat: secret", "has no meaning"),
        (CHAT + 'what = ["turns"]\n', "[[channel]] chat: what", '"turns" isn\'t something that channels get'),
        (CHAT + 'map = "yes"\n', "[[channel]] chat: map", "neither true nor false"),
        (
            '[[channel]]\nname = "x"\nkind = "webhook"\nurl = "http://hooks.example.org/s3cr3t"\n',
            "[[channel]] x: url",
            "without TLS",
        ),
    ],
)
def test_a_fault_of_one_is_named_with_it(tmp_path, text, key, why):
    with pytest.raises(Refusal) as refused:
        channels(tmp_path, text)
    assert key in refused.value.what
    assert why in refused.value.why
    assert "s3cr3t" not in str(refused.value)
