"""The table [site] of gm.toml."""

import pytest

from adjudicator.config.service import Site, read_settings
from adjudicator.errors import Refusal

PLAIN = {
    "service": {"address": "gm@example.org"},
    "inbox": {"url": "maildir:./in"},
    "outbox": {"url": "maildir:./out"},
}


def site(tmp_path, **said):
    """Return the settings of the archive in a gm.toml."""
    return read_settings({**PLAIN, "site": said}, tmp_path / "gm.toml", {}).site


def test_there_is_none_unless_it_is_named(tmp_path):
    assert read_settings(PLAIN, tmp_path / "gm.toml", {}).site is None


def test_an_empty_table_is_one_beside_gm_toml_after_each_turn(tmp_path):
    assert site(tmp_path) == Site(tmp_path / "site", "", True)


def test_all_of_it_can_be_said(tmp_path):
    said = site(tmp_path, dir="/srv/www", url="https://games.example.org/", build="command")
    assert (str(said.folder), said.url, said.by_turns) == ("/srv/www", "https://games.example.org", False)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"url": "games.example.org"}, "isn't a web address"),
        ({"build": "daily"}, '"daily" isn\'t possible here'),
        ({"folder": "www"}, "there is no such key"),
    ],
)
def test_what_is_wrong_is_named_with_its_key(tmp_path, said, complaint):
    with pytest.raises(Refusal, match=complaint) as refused:
        site(tmp_path, **said)
    assert f"[site] {next(iter(said))}" in refused.value.what
