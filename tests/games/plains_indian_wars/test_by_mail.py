"""Three whole turns by real mail: one email for each decision, and one plan in reply."""

import re

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.storage import stored_games
from games.dice import LabelledDice
from games.plains_indian_wars.bots import UsBot
from games.plains_indian_wars.model import US_SEAT, State
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.rules import PlainsRules
from orders.mail.body import SHEET_TITLE
from tests.kit import pictures
from tests.kit.dice import any_dice
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

pytestmark = pytest.mark.long
skip_drawing = pictures.skip_drawing

PLAYER = "us@example.org"
TURNS = 3
FIRST = """\
Let us begin the game!

Begin
Never withdraw cavalry.
withdraw settlers at 1
wagons via the California Trail
engage Omaha, then Fort Riley
"""


def state_of(place: LocalService) -> State:
    position = game_admin.position_of(place.service, "plains")
    assert isinstance(position.state, State)
    return position.state


def answer(place: LocalService, text: str) -> None:
    place.clock.advance(HOUR)
    place.answer(PLAYER, place.mail(PLAYER)[-1], text)
    place.work()


def plan(state: State) -> str:
    """Return the orders of the U.S. bot."""
    (due,) = PlainsRules().due(state)
    choices = UsBot().orders(state, due, LabelledDice(any_dice(), "bot/"))
    return "\n".join(PlainsNotation().write(choice.order) for choice in choices)


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory):
    """Yield the service with a game at the start of its fourth turn."""
    with local_service(tmp_path_factory.mktemp("plains")) as place:
        game_admin.new_game(
            place.service, game_admin.GameRequest("plains-indian-wars", "plains"), secret=b"p" * 32
        )
        game_admin.assign(place.service, "plains", "US", PLAYER)
        place.work()
        answer(place, FIRST)
        while state_of(place).turn <= TURNS:
            answer(place, plan(state_of(place)))
        yield place


def letters(place: LocalService, turn: int) -> list[str]:
    """Return the subjects of our emails about a turn: requests for orders, and replies."""
    subjects = [str(one["Subject"]) for one in place.mail(PLAYER)]
    return [one for one in subjects if re.search(rf"\[plains T{turn}[A-Z] ", one)]


def answers(place: LocalService) -> list[str]:
    """Return the reports, each with its answer to the email that completed a plan, but not the welcome."""
    return [text_of(one) for one in place.mail(PLAYER)[1:]]


def test_each_decision_is_one_email_to_write_and_one_to_read(war):
    """A turn has three. The report is also the reply."""
    assert [len(letters(war, turn)) for turn in range(1, TURNS + 1)] == [3] * TURNS
    assert not [one for one in war.mail(PLAYER) if str(one["Subject"]).startswith("Re:")]


def test_the_first_letter_was_understood_as_it_is_written_by_people(war):
    verdict = answers(war)[0]
    for order in (
        "begin",
        "withdraw Blue never",
        "withdraw Brown at 1",
        "wagons by California",
        "fight N5 then S5",
    ):
        assert f"✓ {order}" in verdict
    assert state_of(war).standing["trail"] == ("California",)


def test_every_order_of_every_letter_was_taken(war):
    verdicts = answers(war)
    assert len(verdicts) == 1 + 3 * TURNS
    for verdict in verdicts:
        block = verdict.partition("YOUR EMAIL: ")[2].partition("\n\n")[0]
        assert int(block.split()[0]) == block.count("✓ ") > 0
        assert "✗" not in verdict


def test_a_reply_to_a_plan_that_runs_now_says_each_order_once_and_offers_no_change(tmp_path):
    """An email with a request beside the orders has a reply of its own."""
    with local_service(tmp_path) as place:
        asked = game_admin.GameRequest("plains-indian-wars", "plains")
        game_admin.new_game(place.service, asked, secret=b"p" * 32)
        game_admin.assign(place.service, "plains", "US", PLAYER)
        place.work()
        answer(place, f"{FIRST}\nHELP VICTORY")
        (verdict,) = [text_of(one) for one in place.mail(PLAYER) if str(one["Subject"]).startswith("Re:")]
    assert sentence("reports.transcript.alone_in") in " ".join(verdict.split())
    assert SHEET_TITLE not in verdict
    assert "YOUR ORDERS FOR" not in verdict
    assert "CLEAR" not in verdict


def test_the_letter_shows_the_situation_and_the_choices(war):
    report = " ".join(text_of(war.mail(PLAYER)[-1]).split())
    for words in (
        "YOUR DECISIONS NOW",
        "CUBES BY REGION: WHAT CHANGED, AND YOURS",
        "THE REST OF THE POSITION",
        "Discs in the bag",
        "Railroad",
        "Unchanged: settlers hand, standing instructions.",
    ):
        assert words in report
    assert "Due now:" in report


def test_the_reports_tell_draws_throws_and_engagements(war):
    told = " ".join(" ".join(text_of(one).split()) for one in war.mail(PLAYER))
    for words in (
        "appeared in",
        "against",
        "There now:",
        "Night on the northern trail, die",
    ):
        assert words in told


def test_each_report_carries_the_map(war):
    for one in war.mail(PLAYER):
        pictures = [part for part in one.walk() if part.get_content_maintype() == "image"]
        assert bool(pictures) == (not str(one["Subject"]).startswith("Re:"))


def test_no_row_of_a_letter_is_too_long(war):
    for one in war.mail(PLAYER):
        assert max(len(row) for row in text_of(one).splitlines()) <= 72


def test_the_log_proves_the_game(war):
    log = stored_games.log(war.service.database, "plains")
    assert len(log) == 2 + 3 * TURNS
    assert {entry.by for entry, _ in log[1:]} != {"gm"}
    proof = game_admin.prove(war.service, "plains")
    assert (proof.agreed, proof.fault) == (len(log), None)
    assert US_SEAT in log[-1][0].orders
