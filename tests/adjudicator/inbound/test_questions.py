"""Questions for everyone: LIST, STATUS, HISTORY, MAP, RULES, GET, HELP. The examples in HELP work."""

import re
from dataclasses import replace

import pytest

import games
from adjudicator.inbound.commands import COMMANDS_WITHOUT_SEAT, SEAT_COMMANDS
from adjudicator.inbound.commands.queries import MAX_LISTED_GAMES
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Stop
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import GameOffer, GamePolicy, Person
from adjudicator.reports.messages import HELP_TOPICS, help_text, rules_text
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from tests.adjudicator.inbound.conftest import IROQUOIS, MUSKHOGEAN, PLAYER, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import NOON, address_for

STRANGER = "stranger@example.com"


def read_reply(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


def offer(context: MemoryPipeline, name: str = "elk") -> None:
    """A game of the toy that waits for two people."""
    context.repository.people.awaiting[name] = GameOffer(
        name=name, kind="cairn", options={"turns": 8}, needed=2
    )


def test_a_list_shows_what_may_be_joined_and_ones_own(context: MemoryPipeline) -> None:
    offer(context)
    context.repository.people.vacant.append(("demo", "Dakota"))
    text = read_reply(context.writes("LIST"))
    assert (
        sentence("inbound.queries.list_of_own") + " demo " + sentence("inbound.queries.own", seat="Iroquois")
        in text
    )
    assert "elk " + sentence("inbound.queries.offer", title="Cairn", there="0", needed="2") in text
    assert "demo " + sentence("inbound.queries.vacant", seats="Dakota") in text
    assert "solo Cairn, Turn 1" in text


def test_a_list_of_others_games_has_an_end(context: MemoryPipeline) -> None:
    """One's own are shown all the same."""
    solo = context.repository.positions["solo"]
    for number in range(100):
        context.repository.positions[f"pile-{number:03}"] = replace(solo, name=f"pile-{number:03}")
    text = context.writes("LIST").answers[0].text
    assert text.count("Cairn, Turn 1") == MAX_LISTED_GAMES
    assert "you play Iroquois" in text


def test_a_stranger_may_see_the_list_and_join_by_answering_it(context: MemoryPipeline) -> None:
    """The list's own Reply-To is the proof: the reply needs no confirmation."""
    offer(context)
    shown = context.takes(letter("list games", sender=STRANGER)).answers[0]
    assert "elk" in shown.text
    handled = context.takes(letter("join elk", sender=STRANGER, to=shown.reply_to))
    assert sentence("inbound.joining.signed_up", game="elk", liked=(), there=1, needed=2) in read_reply(
        handled
    )
    assert [one.address for one in context.repository.people.signups("elk")] == [STRANGER]


def test_a_status_counts_what_its_own_letter_says(context: MemoryPipeline) -> None:
    assert ("Iroquois " + sentence("inbound.queries.orders_awaited")) in read_reply(
        context.writes("Mohawk H\nSTATUS")
    )
    assert "Iroquois orders in" in read_reply(context.writes("STATUS\nREADY"))


@pytest.mark.parametrize("text", ["STATUS elk", "status demo"])
def test_a_status_may_be_asked_of_any_game(context: MemoryPipeline, text: str) -> None:
    offer(context)
    assert "game" in read_reply(context.takes(letter(text, sender=STRANGER)))


def test_names_of_players_are_shown_but_not_in_an_anonymous_game(context: MemoryPipeline) -> None:
    context.repository.people.known[MUSKHOGEAN] = Person(address=MUSKHOGEAN, name="Colleague of the South")
    assert (
        "Muskhogean " + sentence("inbound.queries.orders_awaited") + " (Colleague of the South)"
    ) in read_reply(context.writes("STATUS"))
    context.repository.people.rules["demo"] = GamePolicy(anonymous=True)
    assert "Colleague" not in read_reply(context.writes("STATUS"))
    for text in ("STATUS", "LIST"):
        assert MUSKHOGEAN not in read_reply(context.writes(text))


def test_strangers_are_told_nothing_of_people(context: MemoryPipeline) -> None:
    """No names, no absences, nothing about received orders; a seat of another game is a stranger too."""
    people_repository = context.repository.people
    people_repository.known[MUSKHOGEAN] = Person(address=MUSKHOGEAN, name="Tecumseh")
    context.writes("Absence 1 Aug to 14 Aug", seat="Muskhogean")
    context.writes("Mohawk H")
    own = read_reply(context.writes("STATUS demo"))
    assert "Muskhogean is away until Friday 14 August 2026." in own
    assert (sentence("inbound.queries.orders_awaited") + " (Tecumseh)") in own
    to = address_for(context.repository.positions["solo"], "player")
    for raw in (letter("STATUS demo", sender=STRANGER), letter("STATUS demo", sender=PLAYER, to=to)):
        text = read_reply(context.takes(raw))
        assert "Muskhogean " + sentence("inbound.queries.by_a_person") in text
        assert ("Dakota " + sentence("inbound.queries.by_a_bot")) in text
        for told in ("Tecumseh", "away", "awaited", "orders in"):
            assert told not in text


def test_strangers_are_not_told_why_a_game_stands_still(context: MemoryPipeline) -> None:
    """There is who sent no orders in it."""
    stop = Stop(kind="nmr", why="there were no orders from Muskhogean", since=NOON, left=0, by="clock")
    position = context.repository.positions["demo"]
    timing = replace_fields(position.timing, stop=stop)
    context.repository.positions["demo"] = replace(position, timing=timing)
    assert "no orders from Muskhogean" in read_reply(context.writes("STATUS"))
    told = read_reply(context.takes(letter("STATUS demo", sender=STRANGER)))
    assert sentence("inbound.queries.no_deadline") in told
    assert "no orders" not in told


def test_a_map_is_mailed(context: MemoryPipeline) -> None:
    handled = context.writes("MAP")
    assert handled.answers[0].picture is not None
    assert handled.answers[0].picture.startswith(b"\x89PNG")
    assert sentence(
        "inbound.maps_and_history.map_shown", game="demo", turn="Spring, year 1, moves"
    ) in read_reply(handled)
    assert 'src="cid:map"' in (handled.answers[0].html or "")
    assert sentence("inbound.maps_and_history.no_map", game="solo") in read_reply(context.writes("MAP solo"))


def test_a_game_that_does_not_know_it_says_so(context: MemoryPipeline) -> None:
    assert sentence("inbound.maps_and_history.nothing_played", game="demo") in read_reply(
        context.writes("HISTORY")
    )
    assert sentence("inbound.maps_and_history.no_such_game", game="heron") in read_reply(
        context.writes("STATUS heron")
    )
    assert sentence(
        "inbound.queries.nothing_called_so",
        word="moon",
        known="MAP, HISTORY, RULES, LIST, STATUS, PROVINCES, general, orders, signon, sheet, joining, press, "
        "ending, votes, trouble, absence, letters, data and games",
    ) in read_reply(context.writes("GET moon"))


def test_provinces_can_be_had_with_all_their_names(context: MemoryPipeline) -> None:
    text = read_reply(context.writes("get provinces"))
    assert re.search(r"MHK.*Mohawk|Mohawk.*MHK", text)


@pytest.mark.parametrize("kind", games.kinds())
def test_the_rules_of_each_kind_show_how_it_is_written(context: MemoryPipeline, kind: str) -> None:
    game = games.kinds()[kind]
    text = context.takes(letter(f"RULES {kind}", sender=STRANGER)).answers[0].text
    assert game.about.title in text
    assert f"| NEW {kind}" in text
    assert f"| {game.notation.forms[0].example}" in text


def test_the_rules_of_a_kind_say_which_bots_there_are(context: MemoryPipeline) -> None:
    """If there is a choice: how to make it in an email that begins a game."""
    asked = read_reply(context.takes(letter("RULES standard", sender=STRANGER)))
    assert "Your bots have the level intermediate. To choose another, name one of these: beginner," in asked
    assert "NEW standard BOTS " in asked
    assert "BOTS" not in read_reply(context.takes(letter("RULES cairn", sender=IROQUOIS)))


def test_rules_without_a_kind_are_those_of_the_seats_game(context: MemoryPipeline) -> None:
    assert sentence("inbound.queries.rules_of", title="Indianomacy II").upper() in read_reply(
        context.writes("RULES")
    )
    kinds = read_reply(context.takes(letter("RULES", sender=STRANGER)))
    assert "RULES cairn" in kinds
    assert sentence("inbound.queries.no_such_kind", kind="chess") in read_reply(context.writes("RULES chess"))


@pytest.mark.parametrize(
    "subject", ["LIST", "MAP", "STATUS demo", "HELP press", "RULES cairn", "TIMEZONE UTC"]
)
def test_a_command_of_one_line_works_in_the_subject(context: MemoryPipeline, subject: str) -> None:
    handled = context.writes("", subject=subject)
    assert "no orders found" not in handled.answers[0].subject
    assert handled.acts or handled.answers[0].picture or "REPLY TO" in handled.answers[0].text


# Help.


def lines_to_paste(text: str) -> list[str]:
    """Return the lines of a help text behind a bar: the examples."""
    return [line.removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]


FILLED = {"game": "demo", "nation": "Iroquois", "password": "three-canoes", "seat": "Dakota"}


def pasted(topic: str) -> str:
    """Return a help text's examples, with real names in place of the words that stand for names."""
    text = "\n".join(lines_to_paste(help_text(topic, games.kinds()["indianomacy"])))
    return re.sub(r"\b(game|nation|password|seat)\b", lambda word: FILLED[word[1]], text)


@pytest.mark.parametrize(
    "topic", [topic for topic in HELP_TOPICS if topic not in ("general", "signon", "sheet", "games")]
)
def test_each_example_works_when_it_is_pasted(context: MemoryPipeline, topic: str) -> None:
    """None of it is asked back or listed as not understood."""
    example = pasted(topic)
    handled = context.writes(example)
    text = read_reply(handled)
    assert example
    assert "✗" not in text or topic == "orders"
    assert "no orders found" not in handled.answers[0].subject
    for line in example.splitlines():
        assert f"no command {line.split()[0]}" not in text


def test_the_general_help_names_every_command() -> None:
    text = help_text("general")
    named = set(re.findall(r"\b[A-Z]{3,}\b", "\n".join(lines_to_paste(text))))
    named |= set(re.findall(r"\b[A-Z]{2,} [A-Z]{2,}\b", text))
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
        assert len(rules_text(game).splitlines()) < 125
    for topic in HELP_TOPICS:
        assert len(help_text(topic).splitlines()) < 60


def test_help_of_the_game_shows_its_own_orders(context: MemoryPipeline) -> None:
    assert IROQUOIS not in read_reply(context.writes("HELP absence"))
    assert "ABSENCE 20 December to 5 January" in read_reply(context.writes("HELP absence"))


NINE = (
    *(
        "PAUSE",
        "EXTEND 24h",
        "VOTE pause",
        "MY DATA",
        "FORGET ME",
        "REMATCH",
        "BLOCK Dakota",
        "REPORT Dakota",
    ),
    "GM please extend",
)


def test_nine_commands_of_other_hosts_in_one_email_are_each_answered(context: MemoryPipeline) -> None:
    text = " ".join(read_reply(context.writes("\n".join(NINE))).split())
    for typed in (
        "PAUSE",
        "EXTEND",
        "GM",
    ):
        assert f"{typed} isn't a command." in text
    moved = sentence("inbound.voting.cast", motion="pause", length="0h", moves=True, unanimous=False)
    assert " ".join(moved.split()) in text, "this one we have"
    assert sentence("inbound.rematch.still_runs", game="demo") in text, "this one too"
    assert " ".join(sentence("inbound.protection.report_which").split()) in text, "and this one"
    advice = sentence("inbound.unknown.advice", topic="players")
    assert " ".join(sentence("inbound.unknown.answer", typed="BLOCK", advice=advice).split()) in text
    assert sentence("inbound.privacy.data", address=IROQUOIS) in text
    assert sentence("inbound.privacy.asked", address=IROQUOIS) in text
    assert "PRESS TO GM" in text
