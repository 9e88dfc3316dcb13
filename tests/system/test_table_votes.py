"""Votes of the table: seven players of a game of Diplomacy, over a deadline and a restart.

Italy never votes, Turkey is in civil disorder, and Russia changes its mind.
"""

import shutil
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.clock import DAY, HOUR
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.storage import outbox, stored_games
from adjudicator.storage.outbox import OutboxLetter
from adjudicator.turns.due_actions import VOTE_ACTOR
from tests.kit.attack_service import AttackedService, attacked_service
from tests.kit.mail import letter

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SILENT, DISORDERED = "Italy", "Turkey"
GAME = "elk"

pytestmark = pytest.mark.usefixtures("undrawn")


def address(power: str) -> str:
    return f"{power.lower()}@example.net"


def begin(folder: Path) -> None:
    """Start a game with seven players, and run two turns in which Turkey sends nothing."""
    with attacked_service(folder) as it:
        asked = game_admin.GameRequest(
            "standard", GAME, seats={power: address(power) for power in POWERS}, terms={"grace": "0h"}
        )
        game_admin.new_game(it.service, asked, secret=b"s" * 32)
        for _ in range(2):
            for power in POWERS:
                if power != DISORDERED:
                    say(it, power, "all hold\nREADY")
            it.clock.advance(4 * DAY)
            work(it)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("votes") / "service"
    begin(folder)
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "service"))


@pytest.fixture
def it(folder: Path) -> Iterator[AttackedService]:
    with attacked_service(folder) as opened:
        opened.clock.advance(9 * DAY)
        yield opened


def work(it: AttackedService) -> None:
    """Poll, and carry out what is due, until nothing is."""
    for _ in range(3):
        it.service.poll()
        it.service.process()


def token_address(it: AttackedService, power: str) -> str:
    for posted in reversed(outbox.list_posted(it.service.database, 2_000)[::-1]):
        if posted.sealed.to == address(power) and posted.sealed.seat == power:
            return str(message_from_bytes(posted.sealed.raw, policy=policy.default)["Reply-To"])
    raise AssertionError(f"nothing was written to {power}")


def say(it: AttackedService, power: str, text: str) -> str:
    """Send an email of a player. Return our reply, on one line."""
    raw = letter(
        text, sender=address(power), to=token_address(it, power), number=it.count, date=it.clock.now()
    )
    shown = it.arrives(raw)
    it.service.process()
    return " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())


def news(it: AttackedService, part: str) -> list[OutboxLetter]:
    """Return our emails whose key has a part."""
    return [posted for posted in outbox.list_posted(it.service.database, 2_000) if part in posted.sealed.key]


def vote_all(it: AttackedService, text: str, *powers: str) -> None:
    for power in powers:
        say(it, power, text)


def is_paused(position: GamePosition) -> bool:
    stop = position.timing.stop
    return stop is not None and (stop.kind, stop.by) == ("pause", VOTE_ACTOR)


def test_a_majority_of_those_who_still_play_pauses_and_resumes_the_game(
    it: AttackedService, folder: Path
) -> None:
    """Six have a vote, so four are needed: Italy's silence counts as no, and Turkey's vote isn't counted."""
    moved = sentence("inbound.voting.cast", motion="pause", length="0h", moves=True, unanimous=False)
    assert " ".join(moved.split()) in say(it, "Austria", "VOTE PAUSE")
    told = news(it, "/moved/")
    assert {posted.sealed.to for posted in told} == {address(power) for power in POWERS} - {
        address("Austria")
    }
    assert all(b"Austria" not in posted.sealed.raw.split(b"\n\n")[0] for posted in told)
    assert sentence("inbound.voting.in_disorder") in say(it, DISORDERED, "VOTE PAUSE")
    vote_all(it, "VOTE PAUSE", "Russia", "England")
    assert sentence("inbound.voting.withdrawn") in say(it, "Russia", "NOVOTE")
    say(it, "France", "VOTE PAUSE")
    assert not is_paused(it.position(GAME))
    with attacked_service(folder) as again:
        # After a restart the votes are there, and Russia changes its mind again.
        again.clock.advance(9 * DAY + HOUR)
        say(again, "Russia", "VOTE PAUSE")
        assert is_paused(again.position(GAME))
        assert again.position(GAME).deadline is None
        assert len(news(again, "/moved/")) == len(POWERS) - 1
        assert len(news(again, "/voted-pause/")) == len(POWERS)
        vote_all(again, "VOTE RESUME", "Russia", "Austria", "Germany")
        assert is_paused(again.position(GAME))
        say(again, "England", "vote resume")
        assert again.position(GAME).timing.stop is None
        minutes = [
            minute.what
            for minute in stored_games.minutes(again.service.database, GAME)
            if minute.by == "vote"
        ]
        assert len(minutes) == 2


def test_a_motion_lapses_when_its_turn_runs(it: AttackedService) -> None:
    vote_all(it, "VOTE END", "Austria", "England", "France")
    turn = it.position(GAME).entries
    it.clock.advance(4 * DAY)
    work(it)
    assert it.position(GAME).entries > turn
    assert it.position(GAME).timing.ballots == ()
    say(it, "Germany", "VOTE END")
    assert it.position(GAME).is_running
    vote_all(it, "VOTE END", "England", "France", "Austria")
    assert not it.position(GAME).is_running
    agreed = it.position(GAME).agreed
    assert agreed is not None
    assert (agreed.winners, agreed.reason) == ((), sentence("outbound.clock_actions.why_ended"))


def test_a_motion_lapses_after_seven_days(it: AttackedService) -> None:
    deadlines.extend(it.service, GAME, 20 * DAY, "holidays")
    vote_all(it, "VOTE PAUSE", "Austria", "England", "France")
    it.clock.advance(7 * DAY)
    say(it, "Germany", "VOTE PAUSE")
    assert not is_paused(it.position(GAME))


def test_votes_extend_a_turn_once(it: AttackedService) -> None:
    before = it.position(GAME).deadline
    assert before is not None
    voters = ("Austria", "England", "France", "Germany")
    say(it, "Austria", "VOTE EXTEND 24h")
    assert "VOTE EXTEND 24h" in say(it, "England", "STATUS")
    vote_all(it, "VOTE EXTEND", *voters[1:])
    assert it.position(GAME).deadline == before + DAY
    assert sentence("inbound.voting.extended_already") in say(it, "Russia", "VOTE EXTEND 2 days")


def test_each_player_moves_one_motion_a_turn_and_votes_for_any(it: AttackedService) -> None:
    say(it, "Austria", "VOTE PAUSE")
    assert sentence("inbound.voting.moved_already") in say(it, "Austria", "VOTE END")
    say(it, "England", "VOTE END")
    assert " ".join(
        sentence("inbound.voting.cast", motion="end", length="0h", moves=False, unanimous=False).split()
    ) in say(it, "Austria", "VOTE END")
    assert len(it.position(GAME).timing.ballots) == 3


def test_commands_of_one_email_know_what_those_above_have_moved(it: AttackedService) -> None:
    """The second motion of an email is refused, and a vote above a NOVOTE is withdrawn."""
    reply = say(it, "Austria", "VOTE PAUSE\nVOTE END")
    assert sentence("inbound.voting.moved_already") in reply
    assert [ballot.motion for ballot in it.position(GAME).timing.ballots] == ["pause"]
    assert sentence("inbound.voting.withdrawn") in say(it, "England", "VOTE PAUSE\nNOVOTE")
    assert [ballot.seat for ballot in it.position(GAME).timing.ballots] == ["Austria"]


def test_a_player_in_disorder_counts_again_with_orders(it: AttackedService) -> None:
    vote_all(it, "VOTE PAUSE", "Austria", "England", "France")
    say(it, DISORDERED, "VOTE PAUSE")
    assert not is_paused(it.position(GAME))
    # Seven have a vote now, of which four are more than half.
    say(it, DISORDERED, "A Con H")
    assert is_paused(it.position(GAME))


@pytest.mark.parametrize(
    ("rule", "voters", "paused"),
    [("all", ("Austria", "England", "France", "Germany", "Russia"), False), ("none", ("Austria",), False)],
)
def test_a_game_may_ask_for_all_votes_or_allow_none(
    it: AttackedService, rule: str, voters: tuple[str, ...], paused: bool
) -> None:
    deadlines.set_terms(it.service, GAME, {"votes": rule}, "agreed on")
    vote_all(it, "VOTE PAUSE", *voters)
    assert is_paused(it.position(GAME)) is paused
    if rule == "all":
        say(it, SILENT, "VOTE PAUSE")
        assert is_paused(it.position(GAME))
    else:
        assert " ".join(sentence("inbound.voting.no_votes", game=GAME).split()) in say(
            it, "England", "VOTE END"
        )


def test_what_the_gm_has_paused_only_the_gm_resumes(it: AttackedService) -> None:
    deadlines.pause(it.service, GAME, "holidays")
    assert sentence("inbound.voting.not_to_resume", by_gm=True) in say(it, "Austria", "VOTE RESUME")
    assert sentence("inbound.voting.stopped", paused=True, by_gm=True) in say(
        it, "Austria", "VOTE EXTEND 24h"
    )


@pytest.mark.parametrize(
    ("text", "slug", "values"),
    [
        ("VOTE", "inbound.voting.for_what", {}),
        ("VOTE for England", "inbound.voting.for_what", {}),
        ("VOTE EXTEND", "inbound.voting.how_long", {"most": 7}),
        ("VOTE EXTEND soon", "inbound.voting.how_long", {"most": 7}),
        ("VOTE EXTEND 90 days", "inbound.voting.how_long", {"most": 7}),
        ("VOTE RESUME", "inbound.voting.not_to_resume", {"by_gm": False}),
        ("NOVOTE", "inbound.voting.nothing_to_withdraw", {}),
    ],
)
def test_a_vote_that_is_none_is_answered_with_what_to_write(
    it: AttackedService, text: str, slug: str, values: dict[str, object]
) -> None:
    assert " ".join(sentence(slug, **values).split()) in say(it, "Austria", text)
    assert it.position(GAME).timing.ballots == ()


@pytest.mark.parametrize("line", ["I vote to end this war.", "vote for me!", "Votes are counted in spring."])
def test_talk_about_votes_is_talk(it: AttackedService, line: str) -> None:
    say(it, "Austria", line)
    assert it.position(GAME).timing.ballots == ()


def test_a_new_player_of_a_seat_hasn_t_voted(it: AttackedService) -> None:
    vote_all(it, "VOTE PAUSE", "Austria", "England", "France")
    seats.replace_player(it.service, GAME, "France", "else@example.net", "has moved")
    say(it, "Germany", "VOTE PAUSE")
    assert not is_paused(it.position(GAME))
    assert {ballot.seat for ballot in it.position(GAME).timing.ballots} == {"Austria", "England", "Germany"}


def test_no_email_shows_how_anybody_voted(it: AttackedService) -> None:
    """The players, and the GM in what the command line prints, see what is open and what was decided."""
    vote_all(it, "VOTE PAUSE", "Austria", "England")
    shown = say(it, SILENT, "STATUS")
    assert "VOTE PAUSE" in shown
    log = stored_games.minutes(it.service.database, GAME)
    assert [minute for minute in log if "vote" in minute.what.lower()] == []
