"""Turns run by hand wait for no picture: it is drawn when the reports are sent, with the same result."""

from dataclasses import replace

import pytest

from adjudicator.admin import game_admin
from adjudicator.config.channels import Channel
from adjudicator.config.secrets import Secret
from adjudicator.model.channel_posts import recipient_of
from adjudicator.outbound import sender
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.turn_commit import TurnProcessor
from adjudicator.reports import maps
from adjudicator.storage import attachments, outbox
from adjudicator.turns.runner import play_turns
from tests.kit import pictures
from tests.kit.service_harness import local_service

skip_drawing = pictures.skip_drawing
KINDS = {"standard": "France", "plains-indian-wars": "US", "war-chest": "player"}
PLAYER = "player@example.org"
CLUB = Channel(name="club", kind="webhook", what=frozenset({"played"}), url=Secret("text", "http://x.org"))


@pytest.fixture(params=KINDS)
def there(request, tmp_path):
    """A house whose game has a player, and a channel."""
    with local_service(tmp_path) as it:
        service = replace(it.service, service_context=replace(it.service.service_context, channels=(CLUB,)))
        game_admin.new_game(service, game_admin.GameRequest(request.param, "fox", terms={"press": "none"}))
        game_admin.assign(service, "fox", KINDS[request.param], PLAYER)
        it.work()
        yield replace(it, service=service)


def later(service):
    """Runs turns and leaves the drawing for later."""
    return TurnProcessor(
        service.database, ReportComposer(service.service_context, service.repository, draws_later=True)
    )


def test_reports_go_out_to_the_byte_as_if_they_had_been_drawn_at_once(there):
    service, now = there.service, there.clock.now()
    position = game_admin.position_of(service, "fox")
    played = play_turns(position.game, position, now, ripe=True)
    at_once, _ = service.composer.reports(position, played, now)
    assert later(service).play(position, now, ripe=True, by="clock") is not None
    assert len({one.sha for one in attachments.pending_pictures(service.database)}) >= 1
    sender.draw_pending(service.database)
    post = outbox.claim_next(service.database, recipient_of("club"), now, "me")
    claimed = {one.key: one.raw for one in (*outbox.claim(service.database, now), post)}
    assert claimed == {one.key: one.raw for one in at_once}
    assert len(claimed) >= 2


def test_nothing_is_drawn_when_the_turn_is_played(there, monkeypatch):
    drawn = []
    monkeypatch.setattr(maps, "png", lambda svg, width_px=1200: drawn.append(width_px) or b"\x89PNG")
    maps.map_picture.cache_clear()
    position = game_admin.position_of(there.service, "fox")
    later(there.service).play(position, there.clock.now(), ripe=True, by="gm")
    assert drawn == []


def test_the_postman_has_them_drawn(there):
    position = game_admin.position_of(there.service, "fox")
    later(there.service).play(position, there.clock.now(), ripe=True, by="gm")
    there.service.send()
    assert attachments.pending_pictures(there.service.database) == ()
    letter = there.mail(PLAYER)[-1]
    shown = [part for part in letter.walk() if part.get_content_type() == "image/png"]
    assert shown
    assert all(one.get_content().startswith(b"\x89PNG") for one in shown)


def test_no_letter_waits_for_a_picture_that_cannot_be_drawn(there, monkeypatch, caplog):
    position = game_admin.position_of(there.service, "fox")
    later(there.service).play(position, there.clock.now(), ripe=True, by="gm")
    drawn = maps.png

    def fails(svg, width_px=1200):
        if svg != sender.BLANK_PICTURE_SVG:
            raise ValueError("no such font")
        return drawn(svg, width_px)

    monkeypatch.setattr(maps, "png", fails)
    maps.map_picture.cache_clear()
    before = len(there.mail(PLAYER))
    there.service.send()
    assert len(there.mail(PLAYER)) == before + 1
    assert "no such font" in caplog.text
