"""NEW: a player starts a game by email."""

from dataclasses import replace

import pytest

import games
from adjudicator.messages import as_sentence, sentence
from adjudicator.model.games import BeginGame, FoundedGame
from adjudicator.model.mail import LetterOutcome
from tests.adjudicator.inbound.conftest import IROQUOIS, PASSWORD, MemoryPipeline
from tests.kit.mail import letter


def list_begun_games(handled: LetterOutcome) -> list[BeginGame]:
    """The games that a letter begins."""
    return [act for act in handled.acts if isinstance(act, BeginGame)]


def read_reply(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


def test_a_game_of_ones_own_is_begun(context: MemoryPipeline) -> None:
    """The player takes its first seat; kind and number name it."""
    handled = context.writes("NEW cairn turns=8")
    (act,) = list_begun_games(handled)
    assert (act.game, act.kind, act.seat, act.by) == ("cairn-1", "cairn", "player", IROQUOIS)
    assert act.options == {"turns": 8}
    assert sentence(
        "inbound.new_game.begun",
        title="Cairn",
        game="cairn-1",
        seat="player",
        level=None,
        temper=None,
        drawn=False,
    ) in read_reply(handled)


@pytest.mark.parametrize(
    ("line", "name", "seat"),
    [
        ("new cairns heap", "heap", "player"),
        ("New game cairn Heap seat=bot", "heap", "bot"),
        ("NEW indianomacy seat=Dakota", "indianomacy-1", "Dakota"),
    ],
)
def test_name_and_seat_may_be_chosen(context: MemoryPipeline, line: str, name: str, seat: str) -> None:
    (act,) = list_begun_games(context.writes(line))
    assert (act.game, act.seat) == (name, seat)


@pytest.mark.parametrize(
    ("line", "level", "temper", "told"),
    [
        (
            "NEW standard",
            "intermediate",
            None,
            sentence(
                "inbound.new_game.begun",
                title="Diplomacy",
                game="standard-1",
                seat="Austria",
                level="intermediate",
                temper=None,
                drawn=False,
            ),
        ),
        (
            "NEW cairn",
            None,
            None,
            sentence(
                "inbound.new_game.begun",
                title="Cairn",
                game="cairn-1",
                seat="player",
                level=None,
                temper=None,
                drawn=False,
            ),
        ),
        (
            "NEW standard BOTS intermediate",
            "intermediate",
            None,
            sentence(
                "inbound.new_game.begun",
                title="Diplomacy",
                game="standard-1",
                seat="Austria",
                level="intermediate",
                temper=None,
                drawn=False,
            ),
        ),
        (
            "NEW standard lynx seat=Italy bots Beginner raider",
            "beginner",
            "raider",
            sentence(
                "inbound.new_game.begun",
                title="Diplomacy",
                game="lynx",
                seat="Italy",
                level="beginner",
                temper="raider",
                drawn=False,
            ),
        ),
        (
            "NEW standard bots drawn intermediate",
            "intermediate",
            "drawn",
            sentence(
                "inbound.new_game.begun",
                title="Diplomacy",
                game="standard-1",
                seat="Austria",
                level="intermediate",
                temper="drawn",
                drawn=True,
            ),
        ),
        (
            "NEW standard bots=intermediate temperament=settler",
            "intermediate",
            "settler",
            sentence(
                "inbound.new_game.begun",
                title="Diplomacy",
                game="standard-1",
                seat="Austria",
                level="intermediate",
                temper="settler",
                drawn=False,
            ),
        ),
    ],
)
def test_the_bots_may_be_chosen(
    context: MemoryPipeline, line: str, level: str | None, temper: str | None, told: str
) -> None:
    handled = context.writes(line)
    (act,) = list_begun_games(handled)
    assert (act.level, act.temper) == (level, temper)
    assert told in read_reply(handled)


def refusal(what: str, why: str, instead: str) -> str:
    problem = sentence("inbound.new_game.not_begun", what=what, why=why)
    return " ".join([*problem.split(), as_sentence(instead)])


NO_GAME = refusal("", "", "").partition(". ")[0]
"""How each refusal begins."""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "NEW standard BOTS expert",
            refusal(
                "bot expert",
                "this game doesn't have that bot",
                "use one of: beginner, intermediate, advanced",
            ),
        ),
        (
            "NEW standard BOTS beginner grumpy",
            refusal(
                "personality grumpy",
                "this game doesn't have that personality",
                "use one of: raider, settler, guardian, drawn",
            ),
        ),
        (
            "NEW standard BOTS beginner raider drawn",
            refusal(
                "BOTS beginner raider drawn",
                sentence("inbound.new_game.more_than_two_words_on_bots"),
                sentence("inbound.new_game.write_bots", level="beginner"),
            ),
        ),
        (
            "NEW cairn BOTS drawn",
            refusal("personality drawn", "the bots of Cairn have none", "leave it out"),
        ),
        (
            "NEW chess",
            refusal(
                "chess",
                sentence("inbound.new_game.no_such_kind"),
                sentence("inbound.new_game.there_are", names=sorted({*games.kinds(), "cairn", "stones"})),
            ),
        ),
        (
            "NEW cairn turns=99",
            refusal(
                what="option turns",
                why='"99" is out of range',
                instead="write a number from 2 to 40",
            ),
        ),
        (
            "NEW cairn cards=no",
            refusal(
                what="option cards",
                why="there is no such option",
                instead="this kind has: turns",
            ),
        ),
        (
            "NEW cairn seat=nobody",
            refusal(
                what=sentence("inbound.new_game.seat", seat="nobody"),
                why=sentence("inbound.new_game.no_such_seat"),
                instead=sentence("inbound.new_game.there_are", names=("player", "bot")),
            ),
        ),
        (
            "NEW cairn demo",
            refusal(
                "name demo",
                sentence("inbound.new_game.name_is_taken"),
                sentence("inbound.new_game.choose_another"),
            ),
        ),
        (
            "NEW cairn a.b",
            refusal(
                "name a.b",
                sentence("inbound.new_game.no_name_of_a_game"),
                sentence("inbound.new_game.one_is_found"),
            ),
        ),
        (
            "NEW cairn one two",
            refusal(
                "one two",
                sentence("inbound.new_game.more_than_a_name"),
                sentence("inbound.new_game.write_new"),
            ),
        ),
    ],
)
def test_what_cannot_be_begun_is_told_with_what_can(context: MemoryPipeline, line: str, told: str) -> None:
    handled = context.writes(line)
    assert list_begun_games(handled) == []
    assert told.startswith(NO_GAME)
    assert told in read_reply(handled)


@pytest.mark.parametrize(
    ("said_of_it", "board"),
    [
        ("", ("defended", False)),
        (" centres=assumed", ("assumed", False)),
        (" crossings=yes centres=even", ("even", True)),
    ],
)
def test_a_game_has_what_games_of_its_kind_begin_with(
    context: MemoryPipeline, said_of_it: str, board: object
) -> None:
    (act,) = list_begun_games(context.writes(f"NEW indianomacy{said_of_it}"))
    assert (act.options["centres"], act.options["crossings"]) == board


@pytest.mark.parametrize("line", ["new plan: I go north", "New ideas for Dakota", "news from the bay"])
def test_talk_that_begins_with_the_word_begins_no_game(context: MemoryPipeline, line: str) -> None:
    handled = context.writes(line)
    assert list_begun_games(handled) == []
    assert NO_GAME not in read_reply(handled)


def test_three_games_a_day(context: MemoryPipeline) -> None:
    """Counted with those of earlier letters; two of one letter have different names."""
    context.repository.begun.append((IROQUOIS, context.now - 1000))
    handled = context.writes("NEW cairn\nNEW cairn\nNEW cairn")
    assert [act.game for act in list_begun_games(handled)] == ["cairn-1", "cairn-2"]
    assert sentence("inbound.new_game.enough_for_a_day", most=3) in read_reply(handled)
    context.repository.begun[:] = [(IROQUOIS, context.now - 25 * 3_600_000)] * 3
    assert len(list_begun_games(context.writes("NEW cairn"))) == 1


def test_the_bots_of_ones_games_think_no_more_than_they_may(context: MemoryPipeline) -> None:
    """Two games against advanced bots, say; plain ones cost next to nothing. The answer says what to do."""
    context.service_context = replace(context.service_context, effort=4_500)
    hard = FoundedGame(game="elk", kind="standard", bots=("advanced",) * 6)
    context.repository.hosted[IROQUOIS] = (hard,)
    first = context.writes("NEW standard BOTS advanced\nNEW standard BOTS advanced\nNEW standard")
    assert [act.game for act in list_begun_games(first)] == ["standard-1", "standard-2"]
    assert [act.level for act in list_begun_games(first)] == ["advanced", "intermediate"]
    assert (
        " ".join(
            sentence(
                "inbound.new_game.too_dear",
                wanted=1800,
                others=3600,
                most=4500,
                finish="elk and standard-1",
                kind="standard",
                plain="intermediate",
            ).split()
        )
    ) in read_reply(first)
    context.repository.hosted.clear()
    assert len(list_begun_games(context.writes("NEW standard BOTS advanced"))) == 1


def test_a_game_whose_bots_think_too_much_by_themselves(context: MemoryPipeline) -> None:
    """Thirty-three advanced bots: no other game has to end for that."""
    context.service_context = replace(context.service_context, effort=4_500)
    context.repository.hosted[IROQUOIS] = (FoundedGame(game="elk", kind="standard", bots=(None,) * 6),)
    dear = context.writes("NEW chaos BOTS advanced")
    assert list_begun_games(dear) == []
    assert " ".join(
        sentence(
            "inbound.new_game.too_dear",
            wanted=9900,
            others=30,
            most=4500,
            finish="",
            kind="chaos",
            plain="intermediate",
        ).split()
    ) in read_reply(dear)
    assert " ".join(
        sentence(
            "inbound.new_game.too_dear",
            wanted=9900,
            others=30,
            most=4500,
            finish="",
            kind="chaos",
            plain="intermediate",
        ).split()
    ) in read_reply(dear)
    assert len(list_begun_games(context.writes("NEW chaos BOTS intermediate"))) == 1
    context.service_context = replace(context.service_context, effort=10_000)
    assert len(list_begun_games(context.writes("NEW chaos BOTS advanced"))) == 1


def test_a_password_and_an_old_token_will_do(context: MemoryPipeline) -> None:
    """They identify a person in any turn."""
    text = f"SIGNON demo Iroquois {PASSWORD}\nNEW cairn"
    (act,) = list_begun_games(context.takes(letter(text, sender="home@example.net")))
    assert act.by == "home@example.net"


@pytest.mark.parametrize("sender", [IROQUOIS, "nobody@example.net"])
def test_an_address_alone_begins_nothing(context: MemoryPipeline, sender: str) -> None:
    """It is asked back; the answer to that letter is the proof, and begins the game."""
    handled = context.takes(letter("NEW cairn turns=8", sender=sender))
    assert list_begun_games(handled) == []
    assert sentence("inbound.unknown_senders.asked_back") in read_reply(handled)
    assert "| NEW cairn turns=8" in handled.answers[0].text
    back = handled.answers[0].reply_to
    (act,) = list_begun_games(context.takes(letter("", sender=sender, to=back, subject="Re: NEW")))
    assert (act.kind, act.by, act.options) == ("cairn", sender, {"turns": 8})
    assert list_begun_games(context.takes(letter("", sender=sender, to=back, subject="Re: NEW"))) == []


def test_the_answer_counts_from_its_own_address_alone(context: MemoryPipeline) -> None:
    """The answer is useless to anyone else who gets it."""
    back = context.takes(letter("NEW cairn", sender="nobody@example.net")).answers[0].reply_to
    assert list_begun_games(context.takes(letter("NEW cairn", sender="thief@example.net", to=back))) == []


def test_what_was_asked_back_is_forgotten_after_a_week(context: MemoryPipeline) -> None:
    """The address itself works for that month and the next."""
    back = context.takes(letter("NEW cairn", sender="nobody@example.net")).answers[0].reply_to
    context.now += 8 * 24 * 3_600_000
    assert list_begun_games(context.takes(letter("", sender="nobody@example.net", to=back))) == []
    assert (
        len(list_begun_games(context.takes(letter("NEW cairn", sender="nobody@example.net", to=back)))) == 1
    )
    context.now += 60 * 24 * 3_600_000
    assert list_begun_games(context.takes(letter("NEW cairn", sender="nobody@example.net", to=back))) == []
