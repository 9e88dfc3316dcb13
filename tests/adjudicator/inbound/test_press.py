"""PRESS and BROADCAST, DRAW and CONCEDE: messages and votes between players."""

from dataclasses import replace

import pytest

from adjudicator.inbound.commands.context import find_signature
from adjudicator.messages import sentence
from adjudicator.model.games import EndGame
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import CastVote, GamePolicy, Person, Press, SendPress
from games.protocol import GameResult
from games.record import replace_fields
from tests.adjudicator.inbound.conftest import IROQUOIS, MUSKHOGEAN, PLAYER, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import address_for, with_changed_seat

TEXT = "Shall we share the bay?\n\nYours"


def said(handled: LetterOutcome) -> str:
    """The text of the answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


def sent(handled: LetterOutcome) -> list[Press]:
    """The press that a letter sends."""
    return [act.press for act in handled.acts if isinstance(act, SendPress)]


@pytest.mark.parametrize(
    ("line", "to", "kind"),
    [
        ("PRESS TO Dakota", ("Dakota",), "white"),
        ("press to dakota, the Apache and Blackfoot", ("Dakota", "Apache", "Blackfoot"), "white"),
        ("PRESS TO Mus Dak", ("Muskhogean", "Dakota"), "white"),
        ("GREY PRESS TO ALL", None, "grey"),
        ("press gray to everybody", None, "grey"),
        (
            "WHITE PRESS TO ALL BUT Dakota, Apache",
            ("Blackfoot", "Caddoan", "Illinois", "Muskhogean", "Shoshoni"),
            "white",
        ),
        ("BROADCAST", None, "white"),
        ("broadcast grey", None, "grey"),
        ("PRESS TO GM", ("gm",), "white"),
    ],
)
def test_press_reaches_whom_it_names(
    context: MemoryPipeline, line: str, to: tuple[str, ...] | None, kind: str
) -> None:
    """The lines around it are read as always."""
    handled = context.writes(f"Mohawk H\n{line}\n{TEXT}\nENDPRESS\nOneida H")
    (press,) = sent(handled)
    assert (press.seat, press.to, press.kind, press.text) == ("Iroquois", to, kind, TEXT)
    assert context.filed() == ["W MHK H", "W ONE H"]
    assert "| Shall we share the bay?" in handled.answers[0].text


def test_press_is_no_order_and_no_command(context: MemoryPipeline) -> None:
    """Nothing else can end it."""
    handled = context.writes("PRESS TO ALL\nMohawk - Delaware\nWAIT\nCLEAR\nENDPRESS")
    assert context.filed() == []
    assert [type(act) for act in handled.acts] == [SendPress]


def test_a_text_may_begin_on_the_line_itself(context: MemoryPipeline) -> None:
    (press,) = sent(context.writes("PRESS TO Dakota: see you\nat the bay\nENDPRESS"))
    assert press.text == "see you\nat the bay"


def test_press_in_the_subject_takes_the_body(context: MemoryPipeline) -> None:
    (press,) = sent(context.writes("Hello neighbours", subject="PRESS TO ALL"))
    assert press.text == "Hello neighbours"


@pytest.mark.parametrize(
    ("customs", "line", "told"),
    [
        (GamePolicy(press="none"), "PRESS TO ALL", "played without press"),
        (GamePolicy(press="white"), "GREY PRESS TO ALL", "all press is white"),
        (GamePolicy(press="grey"), "WHITE PRESS TO ALL", "all press is grey"),
        (
            GamePolicy(),
            "PRESS TO Prussia",
            sentence(
                "inbound.press.no_such_hearer",
                unknown="Prussia",
                game="demo",
                seats=("Apache", "Blackfoot", "Caddoan", "Dakota", "Illinois", "Muskhogean", "Shoshoni"),
            ),
        ),
        (
            GamePolicy(),
            "PRESS TO Iroquois",
            sentence(
                "inbound.press.no_such_hearer",
                unknown="Iroquois",
                game="demo",
                seats=("Apache", "Blackfoot", "Caddoan", "Dakota", "Illinois", "Muskhogean", "Shoshoni"),
            ),
        ),
        (
            GamePolicy(reach="neighbours"),
            "PRESS TO Apache",
            sentence("inbound.press.too_far", far="Apache", count=1, near="Illinois"),
        ),
        (
            GamePolicy(reach="neighbours"),
            "BROADCAST",
            sentence(
                "inbound.press.too_far",
                far="Apache, Blackfoot, Caddoan, Dakota, Muskhogean and Shoshoni",
                count=6,
                near="Illinois",
            ),
        ),
    ],
)
def test_what_a_game_does_not_carry_is_told(
    context: MemoryPipeline, customs: GamePolicy, line: str, told: str
) -> None:
    context.repository.people.rules["demo"] = customs
    handled = context.writes(f"{line}\n{TEXT}\nENDPRESS")
    assert sent(handled) == []
    assert " ".join(told.split()) in said(handled)


def test_what_a_bot_understands_is_told(context: MemoryPipeline) -> None:
    """One of the toy does not read at all."""
    told = said(context.writes(f"PRESS TO Dakota, Muskhogean\n{TEXT}\nENDPRESS"))
    assert (
        sentence(
            "inbound.press.bots_understand",
            seats="Dakota",
            count=1,
            phrases="propose truce; propose attack on PLACE; propose attack on NATION; "
            "propose demilitarised PLACE; accept; refuse",
        )
        in told
    )
    assert "propose truce; propose attack on PLACE" in told
    grey = said(context.writes(f"GREY PRESS TO Dakota, Apache\n{TEXT}\nENDPRESS"))
    assert sentence("inbound.press.bots_react", seats="Dakota and Apache", count=2) in grey
    assert "played by a bot" not in said(context.writes(f"PRESS TO Muskhogean\n{TEXT}\nENDPRESS"))
    to = address_for(context.repository.positions["solo"], "player")
    deaf = said(context.takes(letter(f"PRESS TO bot\n{TEXT}\nENDPRESS", sender=PLAYER, to=to)))
    assert sentence("inbound.press.bots_deaf", seats="bot", count=1) in deaf


NAMES = ("Ann Marie Gruber", "am.gruber@example.net", "Annie", "Iroquois")


@pytest.mark.parametrize(
    "end",
    [
        "Iroquois", "Yours, Iroquois", "Yours,\nAnn", "-- \nAnn Gruber", "— A.M.G.", "Best regards Ann",
        "AMG", "Thanks! Annie", "See you at the bay. Ann", "Mit freundlichen Grüßen\nA. M. Gruber\nVienna",
        "Ann of the Iroquois", "ánn", "(Iroquois)", "*Ann Marie*", "am.gruber@example.net",
        "Signed: the Iroquois",
    ],
)  # fmt: skip
def test_a_name_at_the_end_is_a_signature(end: str) -> None:
    """The signature is the name of a person, a nation or a mailbox, below a greeting or alone; other lines
    may follow.
    """
    assert find_signature(f"Shall we share the bay?\n\n{end}", NAMES) is not None


@pytest.mark.parametrize(
    "end",
    [
        "Yours", "", "Best regards", "Dakota", "Let us attack the Iroquois!", "Beware of Ann", "a friend",
        "The Iroquois cannot hold.", "The Iroquois\nare weak:\nattack\nthem\nsoon", "G.", "And then?",
    ],
)  # fmt: skip
def test_a_name_within_a_sentence_is_none(end: str) -> None:
    assert find_signature(f"Shall we share the bay?\n\n{end}", NAMES) is None


@pytest.mark.parametrize(
    ("customs", "line", "end", "asked"),
    [
        (GamePolicy(), "GREY PRESS TO ALL", "Iroquois", True),
        (GamePolicy(), "GREY PRESS TO Dakota", "Yours, Ann", True),
        (GamePolicy(), "GREY PRESS TO Dakota", "Dakota", False),
        (GamePolicy(), "PRESS TO ALL", "Iroquois", False),
        (GamePolicy(), "PRESS TO ALL", "Ann", False),
        (GamePolicy(), "PRESS TO GM", "Ann", False),
        (GamePolicy(press="grey"), "PRESS TO ALL", "Ann", True),
        (GamePolicy(anonymous=True), "WHITE PRESS TO ALL", "Iroquois", False),
        (GamePolicy(anonymous=True), "WHITE PRESS TO ALL", "Ann of the Iroquois", True),
        (GamePolicy(anonymous=True), "WHITE PRESS TO ALL", "Ann", True),
        (GamePolicy(anonymous=True), "PRESS TO ALL", "Iroquois", True),
    ],
)
def test_press_that_nobody_is_to_sign_is_asked_back_if_it_is_signed(
    context: MemoryPipeline, customs: GamePolicy, line: str, end: str, asked: bool
) -> None:
    """By the writer's name in the email's headers, the name that we know, and the seat."""
    context.repository.people.rules["demo"] = customs
    to = address_for(context.repository.positions["demo"], "Iroquois")
    sender = "Ann Gruber <iroquois@example.net>"
    handled = context.takes(letter(f"{line}\nShare the bay?\n\n{end}\nENDPRESS", sender=sender, to=to))
    assert bool(sent(handled)) is not asked
    assert (f'but it ends with "{end}"' in said(handled)) is asked
    assert ("WHITE PRESS to sign it" in said(handled)) is (
        asked and "white" in customs.allows and "WHITE" not in line
    )


def test_the_name_by_which_we_know_somebody_is_a_signature_too(context: MemoryPipeline) -> None:
    context.repository.people.known[IROQUOIS] = Person(address=IROQUOIS, name="Hiawatha")
    assert sent(context.writes("GREY PRESS TO ALL\nShare the bay?\n\nHiawatha\nENDPRESS")) == []


def test_press_without_text_is_none(context: MemoryPipeline) -> None:
    handled = context.writes("PRESS TO ALL\nENDPRESS")
    assert sent(handled) == []
    assert sentence("inbound.press.no_text") in said(handled)


def test_neighbours_may_write_to_neighbours(context: MemoryPipeline) -> None:
    context.repository.people.rules["demo"] = GamePolicy(reach="neighbours", press="grey")
    (press,) = sent(context.writes(f"PRESS TO Illinois\n{TEXT}\nENDPRESS"))
    assert (press.to, press.kind) == (("Illinois",), "grey")


def test_an_anonymous_game_writes_without_names_unless_asked(context: MemoryPipeline) -> None:
    context.repository.people.rules["demo"] = GamePolicy(anonymous=True)
    assert sent(context.writes(f"PRESS TO ALL\n{TEXT}\nENDPRESS"))[0].signature == "somebody"


def test_the_gamesmaster_is_reached_even_in_a_game_without_press(context: MemoryPipeline) -> None:
    context.repository.people.rules["demo"] = GamePolicy(press="none")
    assert sent(context.writes(f"PRESS TO GM\n{TEXT}\nENDPRESS"))[0].to == ("gm",)


@pytest.mark.parametrize(
    "line", ["press to the north with all you have", "press on to Dakota", "Broadcast news at nine"]
)
def test_talk_is_no_press(context: MemoryPipeline, line: str) -> None:
    handled = context.writes(f"{line}\nMohawk H")
    assert sent(handled) == []
    assert context.filed() == ["W MHK H"]


@pytest.mark.parametrize(("to", "hears"), [(None, "BCO"), (("B",), "AB"), (("B", "C"), "ABC")])
def test_press_is_heard_by_writer_and_hearers(to: tuple[str, ...] | None, hears: str) -> None:
    """An observer (O) hears what is said to all."""
    press = Press(turn="S1M", seat="A", kind="grey", to=to, text="x", at=0)
    seats = {"A": "A", "B": "B", "C": "C", "O": None}
    heard = {name for name, seat in seats.items() if press.is_heard_by(seat)}
    assert heard - {"A"} == set(hears) - {"A"}


@pytest.mark.parametrize("line", ["PRESS TO Dakota", "PRESS TO ALL BUT Dakota", "WHITE PRESS TO Illinois"])
def test_where_everybody_reads_everything_nothing_goes_to_some(context: MemoryPipeline, line: str) -> None:
    """Press that a player believes secret is returned. Press for everyone or for the GM is sent."""
    context.repository.people.rules["demo"] = GamePolicy(reach="public")
    handled = context.writes(f"{line}\n{TEXT}\nENDPRESS")
    assert sent(handled) == []
    assert sentence("inbound.press.all_read_it", game="demo") in said(handled)
    (press,) = sent(context.writes(f"PRESS TO ALL\n{TEXT}\nENDPRESS"))
    assert press.to is None
    assert sent(context.writes(f"PRESS TO GM\n{TEXT}\nENDPRESS"))[0].to == ("gm",)


@pytest.mark.parametrize(("kind", "goes"), [("M", True), ("A", False), ("R", False)])
def test_rulebook_press_is_for_moves(context: MemoryPipeline, kind: str, goes: bool) -> None:
    context.repository.people.rules["demo"] = GamePolicy(press_in="moves")
    position = context.repository.positions["demo"]
    phase = replace_fields(position.state.phase, season={"M": "S", "R": "U", "A": "W"}[kind], kind=kind)
    state = replace_fields(position.state, phase=phase)
    context.repository.positions["demo"] = replace(position, state=state)
    handled = context.writes(f"PRESS TO ALL\n{TEXT}\nENDPRESS")
    assert bool(sent(handled)) is goes
    assert (sentence("inbound.press.closed_now", game="demo") in said(handled)) is not goes
    assert sent(context.writes(f"PRESS TO GM\n{TEXT}\nENDPRESS"))[0].to == ("gm",)


# DRAW, CONCEDE.


def test_a_draw_comes_about_when_all_have_agreed(context: MemoryPipeline) -> None:
    """Only persons are asked: bots play six of the eight."""
    first = context.writes("DRAW")
    assert [type(act) for act in first.acts] == [CastVote]
    assert sentence("inbound.draws.agrees", majority=False, seats="") in said(first)
    (end,) = context.writes("DRAW", seat="Muskhogean").acts
    assert isinstance(end, EndGame)
    assert end.result.winners == ()
    assert "a draw between Apache, Blackfoot" in end.result.reason


def test_a_draw_may_be_taken_back(context: MemoryPipeline) -> None:
    context.writes("DRAW")
    assert sentence("inbound.draws.taken_back") in said(context.writes("NODRAW"))
    assert sentence("inbound.draws.nothing_to_take_back") in said(context.writes("no draw"))
    (act,) = context.writes("DRAW", seat="Muskhogean").acts
    assert isinstance(act, CastVote)


def test_a_majority_may_be_enough(context: MemoryPipeline) -> None:
    context.repository.positions["demo"] = with_changed_seat(
        context.repository.positions["demo"], "Dakota", address="dakota@example.net"
    )
    context.repository.people.rules["demo"] = GamePolicy(draws="majority")
    context.writes("DRAW")
    (act,) = context.writes("DRAW", seat="Muskhogean").acts
    assert isinstance(act, EndGame)


def test_a_draw_may_leave_others_out_if_all_survivors_agree_on_the_same_names(
    context: MemoryPipeline,
) -> None:
    """Other names are another proposal, in any order they are the same, and all names are everybody."""
    context.repository.people.rules["demo"] = GamePolicy(draws="named")
    first = context.writes("DRAW Muskhogean, Dakota")
    (act,) = first.acts
    assert isinstance(act, CastVote)
    assert act.vote.named == ("Dakota", "Muskhogean")
    assert sentence("inbound.draws.agrees", majority=False, seats="Dakota and Muskhogean") in said(first)
    for other in ("DRAW", "DRAW Dakota", "CONCEDE TO Dakota"):
        (act,) = context.writes(other, seat="Muskhogean").acts
        assert isinstance(act, CastVote)
    (end,) = context.writes("vote draw with dakota and muskhogean", seat="Muskhogean").acts
    assert isinstance(end, EndGame)
    assert end.result.winners == ("Dakota", "Muskhogean")
    assert end.result.reason == sentence("inbound.draws.why_drawn", seats="Dakota and Muskhogean", named=True)


@pytest.mark.parametrize("rule", ["all", "majority"])
def test_in_other_games_all_survivors_share_a_draw(context: MemoryPipeline, rule: str) -> None:
    context.repository.people.rules["demo"] = GamePolicy(draws=rule)
    handled = context.writes("DRAW Dakota")
    assert handled.acts == ()
    assert sentence("inbound.draws.all_share", game="demo") in said(handled)


def test_a_draw_with_nobody_we_know_is_asked_back(context: MemoryPipeline) -> None:
    context.repository.people.rules["demo"] = GamePolicy(draws="named")
    handled = context.writes("DRAW Freedonia")
    assert handled.acts == ()
    seats = tuple(context.repository.positions["demo"].assignments)
    assert sentence("inbound.draws.draw_with_whom", unknown="Freedonia", seats=seats) in said(handled)


@pytest.mark.parametrize(
    "line",
    ["draw the line somewhere", "Draw your own conclusions.", "DRAW or no draw, that is the question."],
)
def test_talk_of_drawing_is_talk(context: MemoryPipeline, line: str) -> None:
    assert context.writes(f"{line}\nMohawk H").acts != ()
    assert context.repository.people.cast == {}


def test_a_game_may_know_no_draw(context: MemoryPipeline) -> None:
    context.repository.people.rules["demo"] = GamePolicy(draws="none")
    handled = context.writes("DRAW")
    assert handled.acts == ()
    assert sentence("inbound.draws.no_draw", game="demo") in said(handled)


@pytest.mark.parametrize("line", ["CONCEDE Dakota", "concede dakota", "CONCEDE to Dakota"])
def test_a_concession_names_a_seat_with_to_or_without(context: MemoryPipeline, line: str) -> None:
    (act,) = context.writes(line).acts
    assert isinstance(act, CastVote)
    assert act.vote.to == "Dakota"


def test_a_concession_needs_all_others(context: MemoryPipeline) -> None:
    context.repository.positions["demo"] = with_changed_seat(
        context.repository.positions["demo"], "Dakota", address="dakota@example.net"
    )
    (first,) = context.writes("CONCEDE TO Dakota").acts
    assert isinstance(first, CastVote)
    (end,) = context.writes("concede to dakota", seat="Muskhogean").acts
    assert isinstance(end, EndGame)
    assert end.result == GameResult(winners=("Dakota",), reason=sentence("inbound.draws.why_conceded"))


@pytest.mark.parametrize("other", ["CONCEDE TO Apache", "DRAW"])
def test_votes_for_different_ends_do_not_add_up(context: MemoryPipeline, other: str) -> None:
    context.writes("CONCEDE TO Dakota")
    (act,) = context.writes(other, seat="Muskhogean").acts
    assert isinstance(act, CastVote)


def test_with_many_players_it_has_to_be_said_to_whom(context: MemoryPipeline) -> None:
    handled = context.writes("CONCEDE")
    assert handled.acts == ()
    assert "CONCEDE TO one of Apache" in said(handled)


def test_alone_against_a_bot_a_concession_is_the_end(context: MemoryPipeline) -> None:
    """A draw is impossible, because nobody could agree."""
    to = address_for(context.repository.positions["solo"], "player")
    assert sentence("inbound.draws.nobody_to_agree") in said(
        context.takes(letter("DRAW", sender=PLAYER, to=to))
    )
    (act,) = context.takes(letter("CONCEDE", sender=PLAYER, to=to)).acts
    assert act.result == GameResult(winners=("bot",), reason=sentence("inbound.draws.why_conceded"))


def test_where_a_game_has_an_order_of_that_word_capitals_tell_them_apart(context: MemoryPipeline) -> None:
    """The toy's players draw stones; a draw among players is asked for in capitals."""
    to = address_for(context.repository.positions["solo"], "player")
    context.takes(letter("draw", sender=PLAYER, to=to))
    assert context.filed("player", "solo") == ["draw"]
    context.takes(letter("CLEAR", sender=PLAYER, to=to))
    context.takes(letter("DRAW", sender=PLAYER, to=to))
    assert context.filed("player", "solo") == []


@pytest.mark.parametrize("text", ["DRAW", "NODRAW", "CONCEDE TO Dakota", "CLEAR", "WAIT"])
def test_when_it_is_over_nothing_can_be_agreed(context: MemoryPipeline, text: str) -> None:
    context.repository.positions["demo"] = replace(
        context.repository.positions["demo"],
        status="finished",
        agreed=GameResult(winners=(), reason="a draw"),
    )
    handled = context.writes(text)
    assert handled.acts == ()
    assert "The game is over" in said(handled)
    assert sentence("reports.results.ended_in", why="a draw") in said(context.writes("STATUS"))


def test_nobody_learns_who_has_agreed(context: MemoryPipeline) -> None:
    context.writes("DRAW")
    for text in ("STATUS", "LIST", "HISTORY"):
        assert "draw" not in said(context.writes(text, seat="Muskhogean")).lower()
    assert {IROQUOIS, MUSKHOGEAN} == {
        assignment.address
        for assignment in context.repository.positions["demo"].assignments.values()
        if assignment.is_person
    }
