"""The Great War by real email: two emails a Turn, one for a whole Turn, and an event that waits."""

from email.message import EmailMessage

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.messages import sentence
from adjudicator.storage import stored_games
from games.great_war.bots import Greedy
from games.great_war.model import AI, PLAYER, State
from games.great_war.notation import GreatWarNotation
from games.great_war.rules import GreatWarRules
from tests.kit.dice import any_dice
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

RULES, NOTATION = GreatWarRules(), GreatWarNotation()
ADDRESS = "player@example.org"


def state_of(place: LocalService) -> State:
    state = game_admin.position_of(place.service, "war").state
    assert isinstance(state, State)
    return state


def newest(place: LocalService) -> EmailMessage:
    """The last letter in the player's mailbox."""
    file = max((place.folder / "mail" / ADDRESS / "new").iterdir(), key=lambda one: one.name)
    return place.opened(file)


def words(letter: EmailMessage) -> str:
    return " ".join(text_of(letter).split())


def letters(place: LocalService) -> list[EmailMessage]:
    """All that came, the answers to the player's letters left out."""
    return [one for one in place.mail(ADDRESS) if not str(one["Subject"]).startswith("Re:")]


def verdict(place: LocalService) -> str:
    """The last answer to a letter of the player's."""
    return words([one for one in place.mail(ADDRESS) if str(one["Subject"]).startswith("Re:")][-1])


def begin_campaign(place: LocalService, secret: bytes, **options: str) -> None:
    game_admin.new_game(place.service, game_admin.GameRequest("great-war", "war", options), secret=secret)
    game_admin.assign(place.service, "war", PLAYER, ADDRESS)
    place.work()


def with_clock(place: LocalService) -> None:
    """The player has asked for deadlines."""
    deadlines.set_terms(place.service, "war", {"solo": "clock"}, "as you wished")
    place.work()


def say(place: LocalService, text: str) -> None:
    """Answer the newest letter, an hour later."""
    place.clock.advance(HOUR)
    place.answer(ADDRESS, letters(place)[-1], text)
    place.work()


def write_due_orders(state: State) -> str:
    """Return a simple player's orders for the due Round."""
    (due,) = RULES.due(state)
    choices = Greedy().orders(RULES.view(state, PLAYER), due, any_dice())
    return "\n".join(NOTATION.write(choice.order) for choice in choices)


@pytest.fixture
def place(tmp_path):
    with local_service(tmp_path / "war") as place:
        begin_campaign(place, b"w" * 32)
        yield place


@pytest.fixture(scope="module")
def played_campaign(tmp_path_factory):
    """A whole campaign of five Turns, a letter for each Round."""
    with local_service(tmp_path_factory.mktemp("campaign")) as place:
        begin_campaign(place, b"c" * 32, side="central")
        place.count = 0
        while game_admin.position_of(place.service, "war").is_running:
            place.count += 1
            assert place.count < 30
            say(place, write_due_orders(state_of(place)))
        yield place


@pytest.mark.clause("great-war", "M.round", "GW-15.3", "GW48")
def test_a_campaign_takes_two_letters_a_turn_and_one_answer(played_campaign):
    """Ten letters for five Turns, and the eleventh says whether to go on."""
    assert played_campaign.count == 11
    turns = [entry.turn for entry, _ in stored_games.log(played_campaign.service.database, "war")][1:]
    assert turns[:4] == ["T1R1", "T1R2", "T1B", "T2R1"]
    assert turns[-1] == "T5E"
    assert game_admin.prove(played_campaign.service, "war").fault is None
    assert "The game is over." in words(letters(played_campaign)[-1])


def test_reports_show_the_table_and_what_the_ai_gave_as_its_reason(played_campaign):
    report = letters(played_campaign)[1]
    text = words(report)
    assert "The AI's reason: " in text
    assert "ON THE TABLE: THE AI'S" in text.upper()
    assert "YOUR HAND" in text.upper()
    assert any(part.get_content_type() == "image/png" for part in report.walk())
    for letter in letters(played_campaign):
        assert max(map(len, text_of(letter).splitlines())) <= 78


@pytest.mark.clause("great-war", "GW47", "M.hidden")
def test_no_letter_names_a_card_that_the_ai_holds(place):
    state = state_of(place)
    held = [one for one in state.armies[AI].hand if one not in state.armies[PLAYER].hand]
    assert held
    letter = letters(place)[-1]
    page = letter.get_body(("html",)).get_content()
    assert not [one for one in held if f"{one} " in words(letter) or f">{one}<" in page]


@pytest.mark.clause("great-war", "M.round", "M.if")
def test_orders_for_round_2_are_kept_till_the_player_has_looked(place):
    """They lie on file without a PHASE before them; a new line takes their place, and is played."""
    hand = state_of(place).armies[PLAYER].hand
    say(place, f"PASS 1ST\nIF MARGIN < 0 THEN\nATTACK 2ND: {hand[0]}\nELSE\nPASS 2ND\nENDIF\nBONUS: NONE")
    assert not str(newest(place)["Subject"]).startswith("Re:")
    assert RULES.turn(state_of(place)).short == "T1R2"
    filed = game_admin.position_of(place.service, "war").filed[PLAYER]
    assert len(filed) == 3
    assert f"IF MARGIN < 0 THEN ATTACK 2ND: {hand[0]} ENDIF" in words(letters(place)[-1])
    say(place, "PASS 2ND")
    assert RULES.turn(state_of(place)).short == "T2R1"


@pytest.mark.clause("great-war", "M.round")
def test_nowait_plays_the_whole_turn_at_once(place):
    hand = state_of(place).armies[PLAYER].hand
    say(place, f"PASS 1ST\nATTACK 2ND: {hand[0]}\nBONUS: NONE\nNOWAIT")
    assert RULES.turn(state_of(place)).short == "T2R1"
    report = words(letters(place)[-1])
    assert "Turn 1, Combat Round 1" in report
    assert "Turn 1, Combat Round 2" in report


@pytest.mark.clause("great-war", "M.round")
def test_nowait_may_come_later_and_the_deadline_comes_in_any_case(place):
    with_clock(place)
    say(place, "PASS 1ST\nPASS 2ND")
    assert RULES.turn(state_of(place)).short == "T1R2"
    say(place, "NOWAIT")
    assert RULES.turn(state_of(place)).short == "T2R1"
    say(place, "PASS 1ST\nPASS 2ND")
    assert RULES.turn(state_of(place)).short == "T2R2"
    place.clock.advance(100 * HOUR)
    place.work()
    assert RULES.turn(state_of(place)).short == "T3R1"
    assert sentence("reports.posts.silent", seats=[""]).partition(":")[0] not in words(letters(place)[-1])


def test_a_verdict_says_what_is_wrong_and_what_would_be_left_out(place):
    hand = state_of(place).armies[PLAYER].hand
    say(place, f"DEFEND 1ST: {hand[0]}\nATTACK 2ND: W40\nDRAW 9/0/0\nTURNS 7")
    said = verdict(place)
    for part in (
        f"> DEFEND 1ST: {hand[0]} ✗ Not possible: in this Turn you attack. Write: ATTACK 1ST: {hand[0]}",
        "> ATTACK 2ND: W40 ✗ Not possible: ",
        "W40 Storm Troop (Alpine) isn't in your hand; you hold",
        "you can draw 2 to 5 neutral cards",
        "a campaign lasts 5 or 10 Turns, not 7",
    ):
        assert part in said
    assert RULES.turn(state_of(place)).short == "T1R1"


def test_silence_plays_a_turn_by_its_deadlines_where_one_wants_any(place):
    with_clock(place)
    for _ in range(2):
        place.clock.advance(100 * HOUR)
        place.work()
    assert RULES.turn(state_of(place)).short == "T2R1"
    assert sentence("reports.posts.silent", seats=["player"]) in words(letters(place)[-1])


def test_help_shows_every_way_to_write(place):
    say(place, "HELP orders")
    said = verdict(place)
    for part in ("ATTACK 2ND: B-JH LEADS B-QD, B-AS", "IF MARGIN < -12 THEN", "NOWAIT in the same email"):
        assert part in said
    letter = [one for one in place.mail(ADDRESS) if str(one["Subject"]).startswith("Re:")][-1]
    assert max(map(len, text_of(letter).splitlines())) <= 78
