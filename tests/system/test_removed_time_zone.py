"""A time zone that no longer exists: only its game is suspended, and the GM is told what helps."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.clock import DAY, HOUR
from adjudicator.daemon.daemon import PeriodicJob
from adjudicator.daemon.doctor import game_findings
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.storage import metadata, outbox
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.mail import letter, plain_text

ZONE, GONE = "Europe/Paris", "Mars/Olympus"
TERMS = {"moves": "72h", "zone": ZONE, "hours": "20:00", "protect": "no"}


@pytest.fixture
def it(tmp_path: Path, undrawn: None) -> Iterator[AttackedService]:
    """A service with two games of two people; the time zone of demo is gone."""
    with attacked_service(tmp_path) as place:
        for name in ("demo", "elk"):
            game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", name, terms=TERMS))
            for seat, address in (("Iroquois", IROQUOIS), ("Dakota", DAKOTA)):
                game_admin.assign(place.service, name, seat, address)
        place.service.send()
        with place.service.database.writing():
            statement = (
                f"update game set deadlines = replace(deadlines, '{ZONE}', '{GONE}') where name = 'demo'"
            )
            place.service.database._library.execute_sql(statement)
        yield place


def fall_due(it: AttackedService) -> None:
    """Both turns are due, by their deadlines and grace."""
    it.clock.advance(6 * DAY)
    it.service.poll()
    it.service.process()


def read_gm_email(it: AttackedService) -> str:
    """The last email to the gamesmaster."""
    posted = next(
        one
        for one in outbox.list_posted(it.service.database, 50)
        if one.sealed.to == it.service.service_context.address
    )
    return " ".join(plain_text(posted.sealed.raw).split())


def test_the_game_is_held_and_told_of_with_what_helps(it: AttackedService) -> None:
    fall_due(it)
    stuck = it.service.repository.suspension("demo")
    assert stuck is not None
    assert stuck.why == sentence("outbound.stuck_games.zone_gone", zone=GONE)
    assert "gm game terms demo zone=UTC" in stuck.instead
    assert stuck.why in read_gm_email(it)
    assert "gm game terms demo zone=UTC" in read_gm_email(it)


def test_the_other_game_is_played(it: AttackedService) -> None:
    fall_due(it)
    assert (it.position("demo").played, it.position("elk").played) == (0, 1)


def test_what_it_is_told_helps(it: AttackedService) -> None:
    fall_due(it)
    deadlines.set_terms(it.service, "demo", {"zone": "UTC"}, "Olympus is gone")
    it.service.poll()
    it.service.process()
    assert it.service.repository.suspension("demo") is None
    assert it.position("demo").played == 1


def test_emails_to_the_game_are_read(it: AttackedService) -> None:
    assert it.arrives(letter("Mohawk H", sender=IROQUOIS, to=it.reply(game="demo"))).disposition == "read"
    assert it.filed("demo")


def test_the_doctor_says_so_before_the_turn_is_due(it: AttackedService) -> None:
    (bad,) = [one for one in game_findings(it.service) if one.grade == "bad"]
    assert GONE in bad.said
    assert bad.instead is not None
    assert "gm game terms demo zone=UTC" in bad.instead


def test_after_an_outage_every_other_game_goes_on(it: AttackedService) -> None:
    """Time that was lost is given back to games, in whose calendars it is counted."""
    wake = PeriodicJob("process", it.service.resume_after_downtime, 5)
    wake()
    it.clock.advance(3 * DAY - HOUR)
    wake()
    assert metadata.last_alive(it.service.database) == it.clock.now()
    assert it.position("elk").deadline > it.clock.now()
    fall_due(it)
    assert it.position("elk").played == 1


@pytest.mark.parametrize(
    "command",
    [
        lambda it: deadlines.extend(it.service, "demo", DAY, "more"),
        lambda it: deadlines.set_deadline(it.service, "demo", it.clock.now() + DAY, "later", earlier=True),
    ],
    ids=["extend", "deadline"],
)
def test_a_command_that_counts_days_says_what_helps(
    it: AttackedService, command: Callable[[AttackedService], object]
) -> None:
    with pytest.raises(Refusal) as refused:
        command(it)
    assert GONE in refused.value.what
    assert "gm game terms" in str(refused.value.instead)


def test_a_player_whose_own_time_zone_is_gone_reads_the_service_s(it: AttackedService) -> None:
    """Otherwise no email could be written to them, and none of their turns could run."""
    shown = it.arrives(letter("TIMEZONE Europe/Lisbon", sender=IROQUOIS, to=it.reply(game="elk")))
    assert shown.disposition == "read"
    with it.service.database.writing():
        changed = it.service.database._library.execute_sql(f"update person set zone = '{GONE}'")
        assert changed.rowcount == 1
    fall_due(it)
    assert it.position("elk").played == 1
