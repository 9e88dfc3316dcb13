"""Links to the archive and inside it: reports, the feed, the site map, and emails to join."""

import re
from email import message_from_bytes, policy
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from adjudicator.admin import game_admin, overrides, website
from adjudicator.admin.game_admin import GameRequest
from adjudicator.daemon.daemon import ArchiveUpdater, StepCounter
from adjudicator.storage import outbox
from tests.adjudicator.website.conftest import room_in

URL = "https://games.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SITE = f"""\
[site]
dir = "www"
url = "{URL}/"
"""


@pytest.fixture
def public(tmp_path):
    """A service whose archive people reach, with a game in which France is a person."""
    for room in room_in(tmp_path / "service", SITE):
        room.begin("standard", "vienna", france="marianne@example.net")
        room.play("vienna")
        website.build(room.service, website.folder_of(room.service))
        yield room


def test_a_report_links_to_its_turn(public):
    """As text and as HTML; the linked page exists."""
    sent = [one.sealed.raw for one in outbox.list_posted(public.service.database, 100)]
    reports = [raw for raw in sent if b"games.example.org" in raw]
    assert len(reports) == 1
    letter = message_from_bytes(reports[0], policy=policy.default)
    for kind in ("plain", "html"):
        text = letter.get_body((kind,)).get_content()
        (place,) = set(re.findall(rf"{URL}/([^\s\"<#]+index.html#\w+)", text))
        file, _, anchor = place.partition("#")
        assert anchor == "S1901M"
        assert f'id="{anchor}"' in (public.folder / "www" / file).read_text()


def test_a_report_links_to_the_page_on_which_to_order(public):
    """The seat's address is behind the #, so no server sees it."""
    sent = [one.sealed.raw for one in outbox.list_posted(public.service.database, 100)]
    (report,) = [raw for raw in sent if b"On the web" in raw]
    letter = message_from_bytes(report, policy=policy.default)
    text = "".join(letter.get_body(("plain",)).get_content().split())
    (page, to) = re.findall(rf"{URL}/(games/vienna/orders-france\.html)#to=([^#]*?example\.org)", text)[0]
    assert unquote(to) == letter["Reply-To"].addresses[0].addr_spec
    assert (public.folder / "www" / page).is_file()


def test_the_open_page_holds_no_token_and_nothing_on_file(public):
    """There is no page of a bot's seat, or of a game with secrets."""
    folder = public.folder / "anew" / "games"
    warrant = overrides.OverrideReason(why="phoned in")
    overrides.set_orders(public.service, "vienna", "France", ["A PAR - PIC"], warrant)
    public.begin("war-chest", "chest", player="piet@example.net")
    website.build(public.service, folder.parent)
    assert [one.name for one in folder.rglob("orders-*.html")] == ["orders-france.html"]
    page = (folder / "vienna" / "orders-france.html").read_text()
    assert '"filed":[]' in page
    position = game_admin.position_of(public.service, "vienna")
    reader = public.service.composer.reader(position, position.assignments["France"])
    assert reader.token not in page


def test_without_an_address_nothing_links_there(room):
    """There is no feed either."""
    room.begin("standard", "vienna", france="marianne@example.net")
    room.play("vienna")
    room.build()
    sent = [one.sealed.raw for one in outbox.list_posted(room.service.database, 100)]
    assert not [raw for raw in sent if b"On the web" in raw]
    assert not (room.site / "atom.xml").exists()


def test_the_feed_tells_the_newest_turns(public):
    """RFC 4287: each entry has a title, an id, a time; and its link leads to a turn."""
    feed = ElementTree.fromstring((public.folder / "www" / "atom.xml").read_bytes())
    assert feed.find(f"{ATOM}updated").text == "2026-01-06T18:00:00Z"
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.find(f"{ATOM}title").text == "vienna: Spring 1901, moves"
    assert entry.find(f"{ATOM}id").text == f"{URL}/games/vienna/#S1901M"
    assert entry.find(f"{ATOM}link").get("href") == f"{URL}/games/vienna/index.html#S1901M"


def test_the_map_of_the_site_names_pages_that_are_there(public):
    """All of them."""
    found = ElementTree.fromstring((public.folder / "www" / "sitemap.xml").read_bytes())
    places = {one.text.removeprefix(f"{URL}/") for one in found.iter(f"{MAP}loc")}
    pages = [one for one in (public.folder / "www").rglob("*.html") if not one.name.startswith("orders-")]
    assert places == {str(one.relative_to(public.folder / "www")) for one in pages}


def test_a_game_that_waits_for_players_says_how_to_join(room):
    """By an email that a click opens."""
    game_admin.offer(room.service, GameRequest("standard", "paris"), players=3)
    room.build()
    page = (room.site / "index.html").read_text()
    (link,) = re.findall(r'href="(mailto:[^"]*)"', page)
    assert unquote(link.replace("&amp;", "&")) == "mailto:gm@example.org?subject=JOIN paris&body=JOIN paris"
    assert "0 of 3 players have joined" in page


def test_the_service_builds_when_something_has_come_about():
    """At its start, after a turn, after a letter, and not else."""
    built = []
    tally = StepCounter(lambda step: None)
    archivist = ArchiveUpdater(tally, lambda: built.append(1))
    archivist()
    archivist()
    assert len(built) == 1
    tally("letter kept")
    archivist()
    assert len(built) == 1
    for step in ("turn committed", "letter handled"):
        tally(step)
        archivist()
        archivist()
    assert len(built) == 3


def test_the_service_keeps_an_archive_where_it_is_asked_to(public, room):
    """At the place that gm.toml names."""
    assert website.archive_task(room.service) is None
    public.play("vienna")
    website.archive_task(public.service)()
    assert 'id="F1901M"' in (public.folder / "www/games/vienna/index.html").read_text()
