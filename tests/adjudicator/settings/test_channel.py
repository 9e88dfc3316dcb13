"""The table [channel] of gm.toml."""

import tomllib

import pytest

from adjudicator.errors import Refusal
from adjudicator.settings.channel import Channel, channel_of
from adjudicator.settings.page import Page

SERVICE = '[service]\naddress = "gm@example.org"\n'


def channel(folder, *lines: str) -> Channel | None:
    return channel_of(Page(tomllib.loads(SERVICE + "\n".join(lines)), folder, {}))


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
        ('address = "the list"', "[channel] address", "is no mail address"),
        ('address = "gm@example.org"', "[channel] address", "is the service's own"),
        ('address = "t@example.org"\nas = "html"', "[channel] as", "there is no form html"),
        ('address = "t@example.org"\ngames = []', "[channel] games", "is []"),
    ],
)
def test_a_fault_is_named_with_its_key(tmp_path, line, key, why):
    with pytest.raises(Refusal) as refused:
        channel(tmp_path, "[channel]", line)
    assert key in refused.value.what
    assert why in refused.value.why
