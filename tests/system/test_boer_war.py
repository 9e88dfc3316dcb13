"""The Second Boer War by real email: a side against the bot, two players, and a player's own table."""

from email.message import EmailMessage

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.model import deadline_status
from adjudicator.storage import inbox, outbox, stored_games
from games.boer_war import bots
from games.boer_war.model import BOERS, EMPIRE, PLAYER, State
from games.boer_war.notation import BoerWarNotation
from games.boer_war.rules import BoerWarRules
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

RULES, NOTATION = BoerWarRules(), BoerWarNotation()
ADDRESS = {BOERS: "boers@example.org", EMPIRE: "empire@example.org", PLAYER: "player@example.org"}
MOST_LETTERS = 400


def state_of(place: LocalService) -> State:
    state = game_admin.position_of(place.service, "veld").state
    assert isinstance(state, State)
    return state


def begin_game(place: LocalService, seats: tuple[str, ...], secret: bytes, **options: str) -> None:
    game_admin.new_game(place.service, game_admin.GameRequest("boer-war", "veld", options), secret=secret)
    for seat in seats:
        game_admin.assign(place.service, "veld", seat, ADDRESS[seat])
    place.work()
    if seats[1:]:
        # Who was seated first read that there is no deadline, and is told of it once nobody else comes.
        place.clock.advance(deadline_status.AFTER_LAST)
        place.work()


def newest(place: LocalService, seat: str, *, answers: bool = False) -> EmailMessage:
    """Return a seat's last email, a report or a reply, without opening earlier ones."""
    files = sorted((place.folder / "mail" / ADDRESS[seat] / "new").iterdir(), key=lambda one: one.name)
    for file in reversed(files):
        found = place.opened(file)
        if str(found["Subject"]).startswith("Re:") == answers:
            return found
    raise AssertionError("no such letter came")


def words(letter: EmailMessage) -> str:
    return " ".join(text_of(letter).split())


def say(place: LocalService, seat: str, text: str) -> str:
    """Answer the newest report, an hour later; what the newest one says then."""
    place.clock.advance(HOUR)
    place.answer(ADDRESS[seat], newest(place, seat), text)
    place.work()
    return words(newest(place, seat))


def plan(state: State) -> str:
    """Return a simple player's orders: the action by the list of priorities, and two passes after it."""
    given = [NOTATION.write(choice.order) for choice in bots.choose_orders(state)]
    return "\n".join((*given, "pass", "pass"))


def check_game(place: LocalService) -> None:
    """The log plays again, every letter was read, and every report was sent."""
    proof = game_admin.prove(place.service, "veld")
    assert proof.fault is None
    assert proof.agreed == len(stored_games.log(place.service.database, "veld"))
    assert {one.disposition for one in inbox.list_letters(place.service.database)} == {"read"}
    counts = outbox.counts(place.service.database)
    assert counts["sent"] == sum(counts.values())


@pytest.mark.clause("boer-war", "2.8.plan", "14.reply")
def test_a_letter_holds_the_plan_of_a_round(tmp_path):
    """The bot has the Boers; what is left when the draw says STOP is dropped and told."""
    with local_service(tmp_path / "war") as place:
        begin_game(place, (EMPIRE,), b"v" * 32)
        first = words(newest(place, EMPIRE))
        assert "Due now: Turn 1, Empire, round 1, action 1" in first
        assert "4 GO! : 4 STOP, 50 %" in first
        welcome = words(next(one for one in place.mail(ADDRESS[EMPIRE]) if "Welcome" in one["Subject"]))
        assert "but these values are our own: 41 of 41 leaders" in welcome
        assert any(part.get_content_type() == "image/png" for part in newest(place, EMPIRE).walk())
        say(place, EMPIRE, "REINFORCE Murray\nMove White to Dundee\npass\nSTANCE WHI STAND")
        verdict = words(newest(place, EMPIRE, answers=True))
        assert "Due now: Turn 1, Empire, round 1, action 1" in words(newest(place, EMPIRE))
        report = say(place, EMPIRE, "READY")
        assert "> REINFORCE Murray ✓ REINFORCE MUR" in verdict
        assert "> Move White to Dundee ✓ MOVE WHI DUN" in verdict
        assert "> STANCE WHI STAND ✗ Not possible: only Boers can slip away; White always stands." in verdict
        assert "Murray at Pietermaritzburg gets 1 SP from the pool" in report
        assert "After the first action the pool holds 4 GO! and 4 STOP" in report
        state = state_of(place)
        assert (state.side, state.round) == ("empire", 2)
        actions = 11 - state.counters["empire"].rounds
        assert actions == 1
        assert (sentence("reports.report.dropped", order="").strip() in report) == (
            state.counters["empire"].ones == 3 or "PASS" in report
        )
        assert "Boers (you)" not in report
        assert "MOVE (leader/reach)" in report
        assert "STATE OF THE WAR" in report
        check_game(place)


@pytest.mark.clause("boer-war", "14.wrong")
def test_what_is_unlawful_is_explained_and_costs_nothing(tmp_path):
    with local_service(tmp_path / "wrong") as place:
        begin_game(place, (EMPIRE,), b"v" * 32)
        before = state_of(place)
        say(place, EMPIRE, "MOVE WHI VOL PRE\nSIEGE LAD\nmove Bullar to Durban")
        verdict = words(newest(place, EMPIRE, answers=True))
        assert "Not possible: there's no free way from Ladysmith to Volksrust" in verdict
        assert "> SIEGE LAD ✗ Not possible: only orders for the next action are due now" in verdict
        assert "> move Bullar to Durban ✗ Not possible: Buller hasn't arrived yet." in verdict
        assert "A new email with actions replaces all that are waiting." in verdict
        assert state_of(place) == before


@pytest.mark.clause("boer-war", "2.8.table", "2.alone")
def test_a_table_of_the_players_own_is_told_go_or_stop(tmp_path):
    """DONE after each action; the answer says GO! or STOP, whose round it is, and the pool to come."""
    with local_service(tmp_path / "table") as place:
        begin_game(place, (PLAYER,), b"t" * 32, mode="table")
        welcome = words(newest(place, PLAYER))
        assert "done: DONE" in welcome
        assert "REINFORCE" not in welcome
        for _ in range(6):
            before = state_of(place)
            report = say(place, PLAYER, "DONE")
            now = state_of(place)
            went_on = now.side == before.side
            verdict = "GO! " if went_on else f"STOP: round {before.round} of the "
            assert verdict in report
            assert f"Due now: Turn 1, {now.side.capitalize()}, round {now.round}, action" in report
            assert "STATE OF THE WAR" not in report
            assert not [
                part for part in newest(place, PLAYER).walk() if part.get_content_type() == "image/png"
            ]
        check_game(place)


@pytest.mark.clause("boer-war", "1.first")
def test_two_persons_take_turns_by_mail(tmp_path):
    with local_service(tmp_path / "two") as place:
        begin_game(place, (BOERS, EMPIRE), b"p" * 32)
        for seat in (BOERS, EMPIRE):
            assert RULES.due(state_of(place))[0].seat == seat
            report = say(place, seat, plan(state_of(place)))
            while RULES.due(state_of(place))[0].seat == seat:
                report = say(place, seat, "pass")
            assert "(you)" in report
        state = state_of(place)
        assert (state.side, state.round) == ("boers", 2)
        check_game(place)


def test_one_player_commands_both_sides(tmp_path):
    with local_service(tmp_path / "both") as place:
        begin_game(place, (PLAYER,), b"q" * 32, mode="both")
        for _ in range(2):
            side = state_of(place).side
            report = say(place, PLAYER, plan(state_of(place)))
            assert state_of(place).side != side
        assert "LEADERS OF THE" in report
        check_game(place)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        ("war", (EMPIRE,)),
        ("war", (BOERS,)),
        ("war", (BOERS, EMPIRE)),
        ("both", (PLAYER,)),
        ("table", (PLAYER,)),
    ],
)
def test_a_whole_game_by_mail(tmp_path, mode, seats):
    """Players with due orders reply to their last email until the game is over."""
    with local_service(tmp_path / "whole") as place:
        begin_game(place, seats, b"w" * 32, mode=mode)
        written = 0
        while game_admin.position_of(place.service, "veld").is_running:
            state = state_of(place)
            say(place, RULES.due(state)[0].seat, "DONE" if mode == "table" else plan(state))
            written += 1
            assert written < MOST_LETTERS
        assert "The game is over" in words(newest(place, seats[0]))
        check_game(place)
