"""What anybody may ask: LIST, STATUS, HISTORY, MAP, RULES, GET, HELP; and help whose examples work."""

import re
from dataclasses import replace

import pytest

import games
from adjudicator.inbound.commands import COMMANDS_WITHOUT_SEAT, SEAT_COMMANDS
from adjudicator.inbound.commands.queries import MAX_LISTED_GAMES
from adjudicator.model.deadlines import Stop
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import GameOffer, GamePolicy, Person
from adjudicator.reports.messages import HELP_TOPICS, help_text, rules_text
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from tests.adjudicator.inbound.conftest import IROQUOIS, MUSKHOGEAN, PLAYER, Desk
from tests.kit.mail import letter
from tests.kit.memory_repository import NOON, address_for

STRANGER = "stranger@example.com"


def said(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


def offer(desk: Desk, name: str = "elk") -> None:
    """A game of the toy that waits for two people."""
    desk.repository.people.awaiting[name] = GameOffer(name=name, kind="cairn", options={"turns": 8}, needed=2)


def test_a_list_shows_what_may_be_joined_and_ones_own(desk: Desk) -> None:
    offer(desk)
    desk.repository.people.vacant.append(("demo", "Dakota"))
    text = said(desk.writes("LIST"))
    assert "Your seats: demo you play Iroquois" in text
    assert "elk Cairn, 0 of 2 are there" in text
    assert "demo Dakota may be taken over" in text
    assert "solo Cairn, Turn 1" in text


def test_a_list_of_others_games_has_an_end(desk: Desk) -> None:
    """One's own are shown all the same."""
    solo = desk.repository.positions["solo"]
    for number in range(100):
        desk.repository.positions[f"pile-{number:03}"] = replace(solo, name=f"pile-{number:03}")
    text = desk.writes("LIST").answers[0].text
    assert text.count("Cairn, Turn 1") == MAX_LISTED_GAMES
    assert "you play Iroquois" in text


def test_a_stranger_may_see_the_list_and_join_by_answering_it(desk: Desk) -> None:
    """The list's own Reply-To is the proof: his answer needs no asking back."""
    offer(desk)
    shown = desk.takes(letter("list games", sender=STRANGER)).answers[0]
    assert "elk" in shown.text
    handled = desk.takes(letter("join elk", sender=STRANGER, to=shown.reply_to))
    assert "You are signed up for elk" in said(handled)
    assert [one.address for one in desk.repository.people.signups("elk")] == [STRANGER]


def test_a_status_counts_what_its_own_letter_says(desk: Desk) -> None:
    assert "Iroquois orders awaited" in said(desk.writes("Mohawk H\nSTATUS"))
    assert "Iroquois orders in" in said(desk.writes("STATUS\nREADY"))


@pytest.mark.parametrize("text", ["STATUS elk", "status demo"])
def test_a_status_may_be_asked_of_any_game(desk: Desk, text: str) -> None:
    offer(desk)
    assert "game" in said(desk.takes(letter(text, sender=STRANGER)))


def test_names_of_players_are_shown_but_not_in_an_anonymous_game(desk: Desk) -> None:
    desk.repository.people.known[MUSKHOGEAN] = Person(address=MUSKHOGEAN, name="Colleague of the South")
    assert "Muskhogean orders awaited (Colleague of the South)" in said(desk.writes("STATUS"))
    desk.repository.people.rules["demo"] = GamePolicy(anonymous=True)
    assert "Colleague" not in said(desk.writes("STATUS"))
    for text in ("STATUS", "LIST"):
        assert MUSKHOGEAN not in said(desk.writes(text))


def test_strangers_are_told_nothing_of_people(desk: Desk) -> None:
    """Neither names nor absences, nor whose orders are in; a seat of another game is a stranger too."""
    society = desk.repository.people
    society.known[MUSKHOGEAN] = Person(address=MUSKHOGEAN, name="Tecumseh")
    desk.writes("Absence 1 Aug to 14 Aug", seat="Muskhogean")
    desk.writes("Mohawk H")
    own = said(desk.writes("STATUS demo"))
    assert "Muskhogean is away until Friday 14 August 2026." in own
    assert "orders awaited (Tecumseh)" in own
    to = address_for(desk.repository.positions["solo"], "player")
    for raw in (letter("STATUS demo", sender=STRANGER), letter("STATUS demo", sender=PLAYER, to=to)):
        text = said(desk.takes(raw))
        assert "Muskhogean played by a person" in text
        assert "Dakota played by a bot" in text
        for told in ("Tecumseh", "away", "awaited", "orders in"):
            assert told not in text


def test_strangers_are_not_told_why_a_game_stands_still(desk: Desk) -> None:
    """There is who sent no orders in it."""
    stop = Stop(kind="nmr", why="there were no orders from Muskhogean", since=NOON, left=0, by="clock")
    position = desk.repository.positions["demo"]
    timing = replace_fields(position.timing, stop=stop)
    desk.repository.positions["demo"] = replace(position, timing=timing)
    assert "no orders from Muskhogean" in said(desk.writes("STATUS"))
    told = said(desk.takes(letter("STATUS demo", sender=STRANGER)))
    assert "No deadline runs for the moment." in told
    assert "no orders" not in told


def test_a_map_is_mailed(desk: Desk) -> None:
    handled = desk.writes("MAP")
    assert handled.answers[0].picture is not None
    assert handled.answers[0].picture.startswith(b"\x89PNG")
    assert "The map of demo as it stands now" in said(handled)
    assert 'src="cid:map"' in (handled.answers[0].html or "")
    assert "There is no map of solo" in said(desk.writes("MAP solo"))


def test_a_game_that_does_not_know_it_says_so(desk: Desk) -> None:
    assert "No turn of demo has been played yet." in said(desk.writes("HISTORY"))
    assert "There is no game called heron" in said(desk.writes("STATUS heron"))
    assert "There is nothing called moon to get." in said(desk.writes("GET moon"))


def test_provinces_can_be_had_with_all_their_names(desk: Desk) -> None:
    text = said(desk.writes("get provinces"))
    assert re.search(r"MHK.*Mohawk|Mohawk.*MHK", text)


@pytest.mark.parametrize("kind", games.kinds())
def test_the_rules_of_each_kind_show_how_it_is_written(desk: Desk, kind: str) -> None:
    game = games.kinds()[kind]
    text = desk.takes(letter(f"RULES {kind}", sender=STRANGER)).answers[0].text
    assert game.about.title in text
    assert f"| NEW {kind}" in text
    assert f"| {game.notation.forms[0].example}" in text


def test_the_rules_of_a_kind_say_which_bots_there_are(desk: Desk) -> None:
    """Where there is a choice, and how it is made in a letter that begins a game."""
    asked = said(desk.takes(letter("RULES standard", sender=STRANGER)))
    assert "Your bots are intermediate ones, unless you name another of these levels: beginner," in asked
    assert "NEW standard BOTS " in asked
    assert "BOTS" not in said(desk.takes(letter("RULES cairn", sender=IROQUOIS)))


def test_rules_without_a_kind_are_those_of_the_seats_game(desk: Desk) -> None:
    assert "RULES OF INDIANOMACY" in said(desk.writes("RULES"))
    kinds = said(desk.takes(letter("RULES", sender=STRANGER)))
    assert "RULES cairn" in kinds
    assert "There is no kind of game called chess." in said(desk.writes("RULES chess"))


@pytest.mark.parametrize(
    "subject", ["LIST", "MAP", "STATUS demo", "HELP press", "RULES cairn", "TIMEZONE UTC"]
)
def test_a_command_of_one_line_works_in_the_subject(desk: Desk, subject: str) -> None:
    handled = desk.writes("", subject=subject)
    assert "no orders found" not in handled.answers[0].subject
    assert handled.acts or handled.answers[0].picture or "ANSWER TO" in handled.answers[0].text


# Help.


def lines_to_paste(text: str) -> list[str]:
    """The lines of a help text that stand behind a bar: examples."""
    return [line.removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]


FILLED = {"game": "demo", "nation": "Iroquois", "password": "three-canoes", "seat": "Dakota"}


def pasted(topic: str) -> str:
    """A help text's examples, with names in the places of the words that stand for some."""
    text = "\n".join(lines_to_paste(help_text(topic, games.kinds()["indianomacy"])))
    return re.sub(r"\b(game|nation|password|seat)\b", lambda word: FILLED[word[1]], text)


@pytest.mark.parametrize(
    "topic", [topic for topic in HELP_TOPICS if topic not in ("general", "signon", "sheet", "games")]
)
def test_each_example_works_when_it_is_pasted(desk: Desk, topic: str) -> None:
    """Nothing of it is asked back, and nothing stands there as not understood."""
    example = pasted(topic)
    handled = desk.writes(example)
    text = said(handled)
    assert example
    assert "✗" not in text or topic == "orders"
    assert "no orders found" not in handled.answers[0].subject
    for line in example.splitlines():
        assert f"no command {line.split()[0]}" not in text


def test_the_general_help_names_every_command() -> None:
    text = help_text("general")
    named = set(re.findall(r"\b[A-Z]{3,}\b", "\n".join(lines_to_paste(text))))
    assert {verb.name for verb in PLAYER_COMMANDS} <= named
    assert {*COMMANDS_WITHOUT_SEAT, *SEAT_COMMANDS} == {verb.name for verb in PLAYER_COMMANDS}


@pytest.mark.parametrize(
    ("word", "topic"), [("draw", "ending"), ("JOIN", "joining"), ("timezone", "absence")]
)
def test_a_command_leads_to_the_topic_that_explains_it(word: str, topic: str) -> None:
    assert help_text(word) == help_text(topic)
    assert word.upper() in help_text(word)


def test_rules_texts_are_short() -> None:
    """A screen or two."""
    for game in games.kinds().values():
        assert len(rules_text(game).splitlines()) < 120
    for topic in HELP_TOPICS:
        assert len(help_text(topic).splitlines()) < 60


def test_help_of_the_game_shows_its_own_orders(desk: Desk) -> None:
    assert IROQUOIS not in said(desk.writes("HELP absence"))
    assert "ABSENCE 20 December to 5 January" in said(desk.writes("HELP absence"))
