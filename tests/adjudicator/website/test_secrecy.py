"""Secrets stay secret: whole archives are searched for what only some may know."""

import json
from html import unescape

import games
from adjudicator.admin import game_admin, overrides, website
from adjudicator.admin.overrides import OverrideReason
from adjudicator.clock import HOUR
from adjudicator.model.addresses import reply_token
from adjudicator.model.people import GamePolicy, Press, SendPress, SetCustoms
from adjudicator.storage import people
from adjudicator.website.game_page import public_table

FRANCE = "marianne@example.net"
PLAYER = "bertha@example.net"
WHY = OverrideReason(why="she rang up: the dentist", by="gm Quill")


def archive(room):
    """All that the archive says, in one text."""
    room.build()
    return room.text


def tokens(room, name):
    """The tokens by which the seats of a game are answered for."""
    position = game_admin.position_of(room.service, name)
    turn = position.game.rules.turn(position.state).short
    key = room.service.service_context.key
    return [
        reply_token(key, name, seat, assignment.generation, turn)
        for seat, assignment in position.assignments.items()
    ]


def write(room, name, text, to, kind="white"):
    """A piece of press by France."""
    now = room.clock.now()
    press = Press(turn="S1901M", seat="France", kind=kind, to=to, text=text, at=now)
    with room.service.database.writing():
        people.apply_action(
            room.service.database, SendPress(by="France", game=name, key=f"{text}{now}", press=press)
        )


def test_orders_on_file_are_in_no_page(room):
    """They change nothing in it: nobody sees that a player has written."""
    room.begin("standard", "vienna", france=FRANCE)
    before = archive(room)
    overrides.set_orders(room.service, "vienna", "France", ["A PAR - PIC", "F BRE - ENG"], WHY)
    assert room.build().written == 0
    after = archive(room)
    assert after == before
    assert "A PAR - PIC" not in after
    room.play("vienna")
    assert "A PAR - PIC" in archive(room)


def test_nobody_is_known_by_the_archive(room):
    """No address, no token, no password's trace, not why a gamesmaster did something."""
    room.begin("standard", "vienna", france=FRANCE)
    room.begin("war-chest", "coins", player=PLAYER)
    overrides.set_orders(room.service, "vienna", "France", ["A PAR - PIC"], WHY)
    room.play("vienna")
    told = archive(room)
    assert "example.net" not in told
    assert "dentist" not in told
    assert "Quill" not in told
    assert not [one for name in ("vienna", "coins") for one in tokens(room, name) if one in told]
    assert "scrypt" not in told
    assert room.service.service_context.key.hex() not in told
    for name in ("vienna", "coins"):
        position = game_admin.position_of(room.service, name)
        assert position.secret.hex() not in told
        assert position.pepper.hex() not in told


def test_press_is_shown_as_far_as_all_may_read_it(room):
    """Private press is in no page; grey press doesn't show its writer; characters stay as written."""
    room.begin("standard", "vienna", france=FRANCE)
    write(room, "vienna", "To all: <b>peace</b>", None)
    write(room, "vienna", "Psst, England: let us halve Belgium", ("England",))
    write(room, "vienna", "Somebody lies [/quote][img]x[/img]", None, kind="grey")
    room.play("vienna")
    told = archive(room)
    post = room.page("vienna", "bbcode.txt")
    assert "From somebody to all[/b]\n[quote]Somebody lies" in post
    assert post.count("[/quote]") == 2
    assert "[img]" not in post
    assert "To all: &lt;b&gt;peace&lt;/b&gt;" in told
    assert "Psst" not in told
    page = room.page("vienna")
    assert "From somebody to all" in page
    assert "<b>peace" not in page


def test_a_game_that_hides_something_shows_no_more_than_a_spectator_sees(room):
    """Hands, dice and log of one that lasts are nowhere; once it is over they are there."""
    room.begin("great-war", "somme", 2)
    running = website.public_game(room.service, "somme")
    position = game_admin.position_of(room.service, "somme")
    game = games.kinds()["great-war"]
    assert not any(leaf.hands or leaf.throws or leaf.reasons for leaf in running.leaves)
    assert running.seal.chain == ()
    assert running.seal.secret is None
    assert running.downloads == ()
    assert running.latest == game.rules.view(position.state, None)
    assert all(event.seen_by is None for leaf in running.leaves for event in leaf.past.events)
    room.build()
    files = {name for name in room.files() if name.startswith("games/")}
    assert files == {f"games/somme/{name}" for name in ("index.html", "game.json", "bbcode.txt")}
    own = [
        public_table(table)
        for table in game.telling.tables(game.rules.view(position.state, next(iter(position.assignments))))
        if table.about == "own"
    ]
    assert own
    assert not [one.title for one in own if f"<caption>{one.title}<" in unescape(room.page("somme"))]
    game_admin.end(room.service, "somme", [], "enough")
    room.build()
    assert {"log.json", "proof.html", "story.html"} <= {
        one.name for one in (room.site / "games/somme").iterdir()
    }
    assert [one.title for one in own if f"<caption>{one.title}<" in unescape(room.page("somme"))]
    assert position.secret.hex() in room.page("somme", "proof.html")


def test_reasons_of_bots_and_the_secret_are_told_at_the_end(room):
    """Not before: private agreements decide for them."""
    room.begin("standard", "vienna", 1)
    entry = website.transfer.export(room.service, "vienna").log[1].entry
    reason = next(iter(next(iter(entry.reasons.values())).values()))
    assert reason not in archive(room)
    game_admin.end(room.service, "vienna", [], "enough")
    assert reason in archive(room)
    document = json.loads(room.page("vienna", "game.json"))
    assert document["status"] == "finished"
    assert document["secret"] == (b"s" * 32).hex()


def test_a_die_that_was_set_is_not_told_before_it_falls(room):
    """Neither its label nor its value, though the turn before it is shown."""
    room.begin("indianomacy", "river")
    overrides.force(room.service, "river", "storm/b/U2", (6,), WHY, blindly=True)
    assert "storm/b/U2" not in archive(room)
    room.play("river")
    assert "storm/b/U2" not in archive(room)
    game_admin.end(room.service, "river", [], "enough")
    assert "storm/b/U2" in archive(room)


def test_an_anonymous_game_names_nobody(room):
    """Seats are seats until it is over."""
    room.begin("standard", "vienna", france=FRANCE)
    with room.service.database.writing():
        people.apply_action(
            room.service.database, SetCustoms(by="gm", game="vienna", customs=GamePolicy(anonymous=True))
        )
    room.clock.advance(HOUR)
    told = archive(room)
    assert "marianne" not in told.lower()
    assert "France: human player" in told


def test_the_archive_is_told_of_views_alone(room):
    """The archive never has a state: every position in it is a spectator's view."""
    room.begin("standard", "vienna", 1)
    public_game = website.public_game(room.service, "vienna")
    game = games.kinds()["standard"]
    log = website.transfer.export(room.service, "vienna").log
    states = [game.state_from(json.dumps(one.state).encode()) for one in log]
    views = [game.rules.view(one, None) for one in states]
    assert [public_game.opening, public_game.leaves[0].view] == views
    assert website.folder_of(room.service).name == "site"
