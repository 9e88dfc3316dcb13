"""A whole game of each scenario by email: a player replies to each email with a plan in their own words."""

import re
from dataclasses import dataclass, field

import pytest

from adjudicator.admin import game_admin
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.model.games import GamePosition
from adjudicator.storage import stored_games
from adjudicator.turns.runner import play_turns, position_after
from games.dice import LabelledDice
from games.plains_indian_wars.bots import PlainsBot
from games.plains_indian_wars.model import NATIONS_SEAT, State
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.rules import PlainsRules
from tests.kit import pictures
from tests.kit.dice import any_dice
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import (
    HOUR,
    NOON,
    OFFICE,
    MemoryRepository,
    address_for,
    game_of,
    new_position,
)
from tests.kit.nations import ALL_SCENARIOS
from tests.kit.service_harness import LocalService, local_service, text_of

pytestmark = pytest.mark.long
skip_drawing = pictures.skip_drawing

PLAYER = "nations@example.org"
RULES, NOTATION = PlainsRules(), PlainsNotation()
each_scenario = pytest.mark.parametrize("scenario", ALL_SCENARIOS)


def in_words(order) -> str:
    """Return an order as a player might write it."""
    text = NOTATION.write(order)
    text = re.sub(r"^place (\d+) (\w+) (\w+)$", r"put \1 \2 cubes in \3", text)
    return re.sub(r"^move (\w+) (\w+) (\w+) - (\w+)$", r"Send \1 \2 from \3 to \4.", text)


def plan(state: State) -> list[str]:
    """Return the orders of the nations' bot in a player's words, without groups that would all go back."""
    (due,) = RULES.due(state)
    orders = [choice.order for choice in PlainsBot().orders(state, due, LabelledDice(any_dice(), "bot/"))]
    view = RULES.view(state, due.seat)
    in_vain = {place for concern in RULES.concerns(view, due.seat, orders) for place in concern.about}
    return [in_words(order) for place, order in enumerate(orders) if place not in in_vain]


@dataclass
class Letters:
    """A game that is played email by email. answers: the subjects and texts of the replies."""

    position: GamePosition
    written: list[list[str]] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)

    def write(self, lines: list[str]) -> None:
        """Process an email, and run the turns that are then complete."""
        now = NOON + len(self.written) * HOUR
        repository = MemoryRepository({self.position.name: self.position})
        to = address_for(self.position, NATIONS_SEAT)
        raw = letter("\n".join(lines), sender=PLAYER, to=to, date=now, number=len(self.written))
        handled = handle_letter(stored_letter(raw, now, len(self.written)), repository, OFFICE, now)
        repository.do(handled.acts)
        self.written.append(lines)
        self.answers += [(one.subject, one.text) for one in handled.answers]
        self.position = repository.positions[self.position.name]
        self.turns.append(RULES.turn(self.position.state).short)
        played = play_turns(game_of(self.position), self.position, now, ripe=False)
        assert played is not None, "the plan was not complete"
        self.position = position_after(self.position, played)


def by_letters(scenario: str) -> Letters:
    """Return a game that was played from its first email to its last."""
    options = {"scenario": scenario}
    start = new_position(
        "plains-indian-wars", f"war{scenario[-1]}", {NATIONS_SEAT: PLAYER}, options, secret=b"n" * 32
    )
    found = Letters(start)
    while RULES.due(found.position.state):
        found.write(plan(found.position.state))
    return found


@each_scenario
def test_a_whole_game_is_played_through_the_clerk(scenario):
    """One email a phase is enough: each gets one reply, and every line is accepted, until the game ends."""
    war = by_letters(scenario)
    assert RULES.result(war.position.state) is not None
    assert not war.position.is_running
    assert len(war.answers) == len(war.written) == len(set(war.turns))
    for lines, (subject, text) in zip(war.written, war.answers, strict=True):
        assert f"{len(lines)} accepted" in subject
        assert "✗" not in text
        assert text.split("YOUR ORDERS FOR")[0].count("✓") == len(lines)


def answer(place: LocalService, text: str) -> None:
    place.clock.advance(HOUR)
    place.answer(PLAYER, place.mail(PLAYER)[-1], text)
    place.work()


def state_of(place: LocalService) -> State:
    state = game_admin.position_of(place.service, "trail").state
    assert isinstance(state, State)
    return state


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory):
    """Return a game of the Oregon Trail by real mail, from the welcome to the end."""
    with local_service(tmp_path_factory.mktemp("trail")) as place:
        game_admin.new_game(
            place.service,
            game_admin.GameRequest("plains-indian-wars", "trail", {"scenario": "2.1"}),
            secret=b"n" * 32,
        )
        game_admin.assign(place.service, "trail", "nations", PLAYER)
        place.work()
        while RULES.due(state_of(place)):
            answer(place, "\n".join(plan(state_of(place))))
        yield place


def test_a_game_on_the_trail_takes_one_email_a_turn(trail):
    """The report answers each line of a plan: there are the welcome, and a report for each turn."""
    letters = trail.mail(PLAYER)
    assert not [one for one in letters if str(one["Subject"]).startswith("Re:")]
    assert all("YOUR EMAIL: " in text_of(one) for one in letters[1:])
    assert len(letters) <= 7
    assert "The game is over" in " ".join(text_of(letters[-1]).split())


def test_the_letters_ask_for_a_plan_and_tell_what_the_us_is_about(trail):
    first = " ".join(text_of(trail.mail(PLAYER)[0]).split())
    for words in (
        "YOUR DECISIONS NOW",
        "one War Party card",
        "NORTHERN HAND: 12 CARDS LEFT IN THE DECK",
        "WHAT THE U.S. IS ABOUT",
        "10 wagons, 8 Brown and 4 Blue in Omaha (N5); next: Fort Kearny (N4)",
        "CUBES BY REGION",
        "HELP INSTRUCTIONS",
    ):
        assert words in first


def test_the_reports_tell_the_engagements_and_carry_the_map(trail):
    told = " ".join(" ".join(text_of(one).split()) for one in trail.mail(PLAYER))
    for sentence in ("6 Green against", "The northern train rolled from", "Drawn into the Northern hand"):
        assert sentence in told
    for one in trail.mail(PLAYER):
        assert max(len(row) for row in text_of(one).splitlines()) <= 72
        pictures = [part for part in one.walk() if part.get_content_maintype() == "image"]
        assert bool(pictures) == (not str(one["Subject"]).startswith("Re:"))


def test_the_log_proves_the_game(trail):
    log = stored_games.log(trail.service.database, "trail")
    proof = game_admin.prove(trail.service, "trail")
    assert (proof.agreed, proof.fault) == (len(log), None)
    assert all(set(entry.orders) == {NATIONS_SEAT} for entry, _ in log[1:])
