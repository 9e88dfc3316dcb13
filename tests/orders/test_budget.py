"""The cost of reading in steps: proportional to the text, and never more than an email's allowance."""

from collections.abc import Callable
from functools import cache, partial
from random import Random

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.bench.mail import ReadingSteps
from adjudicator.inbound.dry_run import opening_of, position_of
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from games.protocol import Seat
from orders.mail.body import fresh_lines
from orders.mail.letter import open_letter
from orders.reading.budget import (
    MAX_COMMANDS_PER_LETTER,
    MAX_LINES_PER_LETTER,
    MAX_WORK_PER_LETTER,
    ReadingBudget,
)
from orders.reading.condition_blocks import MAX_IF_DEPTH, MAX_QUESTIONS_PER_ORDER
from orders.reading.letter_reader import LetterReading, read_lines
from tests.kit.mail import letter
from tests.kit.random_letters import RandomLetters
from tests.kit.steps import steps

pytestmark = pytest.mark.long

MANY, SOAKED = 200, 20_000
FACTOR = 2.5
"""What is twice as long may take so many times as many steps."""

ONE_LINE = 60_000
"""So far beyond the allowance the line may lead in which it ends."""

MOST_STEPS = 4_000_000
KINDS = ("standard", "indianomacy", "war-chest", "boer-war")
QUICKEST = "indianomacy"
EACH_KIND = [QUICKEST, *(pytest.param(kind, marks=pytest.mark.long) for kind in KINDS if kind != QUICKEST)]

CONSTRUCTS: dict[str, Callable[[int], str]] = {
    "MAP": lambda n: "MAP\n" * n,
    "GET PROVINCES": lambda n: "GET PROVINCES\n" * n,
    "questions": lambda n: "\n".join(f"STATUS game{i}" for i in range(n)),
    "brackets": lambda n: f"IF {'(' * n} A VEN {')' * n} THEN A PAR - BUR ENDIF",
    "open brackets": lambda n: "IF " + "(" * n,
    "NOT": lambda n: f"IF {'NOT ' * n}A VEN THEN A PAR - BUR",
    "AND": lambda n: f"IF A VEN{' AND A ROM' * n} THEN A PAR - BUR ENDIF",
    "AND by lines": lambda n: "IF A VEN\n" + "AND A ROM\n" * n,
    "IF": lambda n: "IF A VEN THEN A PAR - BUR\n" * n,
    "IF of nothing": lambda n: "IF … is empty\n" * n,
    "IF misspelt": lambda n: "IF A Venicee THEN A PAR - BUR ENDIF\n" * n,
    "IF in IF": lambda n: "IF A VEN THEN\n" * n + "A PAR - BUR\n",
    "IF in IF with orders": lambda n: "IF A VEN THEN\nA PAR - BUR\n" * n,
    "IF below gaps": lambda n: "IF A VEN\n\nA PAR - BUR\n\n" * n,
    "ELSE IF": lambda n: "IF A VEN THEN\nA PAR - BUR\n" + "ELSE IF A ROM THEN\nA PAR - GAS\n" * n,
    "ELSE IF in a line": lambda n: "IF A VEN THEN A PAR - BUR " + "ELSE IF A ROM THEN A PAR - GAS " * n,
    "ELSE": lambda n: "ELSE\n" * n,
    "ENDIF": lambda n: "ENDIF\n" * n,
    "then then": lambda n: f"if {'then ' * n}x",
    "if with commas": lambda n: "if " + "a, " * n + "then b, c",
    "STOP": lambda n: "STOP IF A VEN\n" * n,
    "PHASE": lambda n: "PHASE F1901M\nA PAR - BUR\n" * n,
    "PHASE in PHASE": lambda n: "PHASE F1901M: " * n + "A PAR - BUR",
    "PHASE of nothing": lambda n: "PHASE Xyz 1901\n" * n,
    "headings": lambda n: "Fall 1901:\nA PAR - BUR\n" * n,
    "the same order": lambda n: "A PAR - BUR\n" * n,
    "misspelt orders": lambda n: "".join(f"A Parris{i} - Burgndy\n" for i in range(n)),
    "lists": lambda n: "A PAR - BUR, F BRE - MAO, A MAR H\n" * n,
    "a list": lambda n: "A PAR - BUR, " * n,
    "run on": lambda n: "A PAR - BUR " * n,
    "numbered": lambda n: " ".join(f"{i + 1}. A PAR - BUR" for i in range(n)),
    "all hold": lambda n: "all hold\n" * n,
    "talk": lambda n: "I think that we should talk about this if you can\n" * n,
    "ideas": lambda n: "if if if if your last year\n" * n,
    "press": lambda n: "PRESS TO ENGLAND\nhello\nENDPRESS\n" * n,
    "open press": lambda n: "PRESS TO ENGLAND\n" + "hello\n" * n,
    "SIGNON": lambda n: "SIGNON demo France x\n" * n,
    "misspelt commands": lambda n: "HELPP\nHISTROY\n" * n,
    "quotations": lambda n: "> A PAR - BUR\n" * n,
    "attributions": lambda n: "On Monday 2020 you wrote:\n" * n,
    "headers": lambda n: "From: a@b\nTo: c\n" * n,
    "signed": lambda n: "-----BEGIN PGP SIGNED MESSAGE-----\n\nA PAR - BUR\n" * n,
}


@cache
def seated(kind: str = "standard") -> AuthenticatedSeat:
    """Somebody who plays; in standard it is France."""
    game = games.kinds()[kind]
    position = position_of(game, opening_of(game))
    seat = Seat("France") if kind == "standard" else next(iter(position.assignments))
    return AuthenticatedSeat(position, seat, "test")


def understood(text: str, kind: str = "standard", allowance: ReadingBudget | None = None) -> LetterReading:
    """The way of a letter from its bytes to the orders that are on file."""
    one = seated(kind)
    game = one.position.game
    lines = fresh_lines(open_letter(letter(text, subject="Re: x")))
    reading = read_lines(lines, parse_context(game, one), allowance)
    file_orders(game, one, reading.orders, (), 0)
    return reading


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_what_is_twice_as_long_costs_twice_as_much(name: str) -> None:
    made = CONSTRUCTS[name]
    understood(made(80))
    short, long = (steps(partial(understood, made(n))) for n in (40, 80))
    assert long <= FACTOR * short, f"{short} steps for 40, {long} for 80"


@pytest.mark.long
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_however_much_is_said_it_costs_no_more_than_a_letter_may(name: str) -> None:
    allowance = ReadingBudget()
    understood(CONSTRUCTS[name](2_000), allowance=allowance)
    assert MAX_WORK_PER_LETTER - allowance.work < MAX_WORK_PER_LETTER / 2, (
        "what is short to say is read far below the allowance"
    )


@pytest.mark.parametrize("kind", EACH_KIND)
def test_whatever_is_said_costs_twice_as_much_when_it_is_said_twice_as_often(kind: str) -> None:
    lot, babble = Random(7), babbling(kind)
    for _ in range(3):
        text = "\n".join(babble.line(lot) for _ in range(3)) + "\n"
        understood(text * 30, kind)
        short, long = (steps(partial(understood, text * n, kind)) for n in (15, 30))
        assert long <= FACTOR * short, text


def babbling(kind: str) -> RandomLetters:
    """Letters about a kind of game, with orders that its first bot gives."""
    one = seated(kind)
    game = games.kinds()[kind]
    work = ReadingSteps(game, one.position, one.seat, 1)
    work.parse()
    work.clean()
    return RandomLetters(game, [line.text for line in work.lines] or [game.notation.forms[0].example])


def babble(kind: str, count: int, seed: int) -> None:
    """Random letters: each is read within its allowance, and nothing of it is passed over unsaid."""
    lot, babble = Random(seed), babbling(kind)
    for number in range(count):
        text, allowance = babble.letter(lot), ReadingBudget()
        reading = understood(text, kind, allowance)
        assert allowance.work > -ONE_LINE, (seed, number, text[:500])
        assert allowance.lines > -70, "a line holds 60 orders at most"
        assert len(reading.commands) <= MAX_COMMANDS_PER_LETTER
        assert allowance.lines <= 0 or allowance.work <= 0 or not reading.beyond
        if number % 50 == 0:
            assert steps(partial(understood, text, kind)) < MOST_STEPS, (seed, number, text[:500])


@pytest.mark.parametrize("kind", EACH_KIND)
def test_no_letter_costs_more_than_its_allowance(kind: str) -> None:
    babble(kind, MANY // len(KINDS), seed=0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_no_letter_of_very_many_costs_more_than_its_allowance(kind: str, seed: int) -> None:
    babble(kind, SOAKED // len(KINDS) // 5, seed)


def test_400_lines_are_read_and_the_rest_is_handed_on() -> None:
    reading = understood(
        "".join(f"A PAR - BUR {'#' * (i % 3)} {i}\n" for i in range(MAX_LINES_PER_LETTER + 3))
    )
    assert len(reading.beyond) == 3
    assert reading.beyond[-1].endswith(str(MAX_LINES_PER_LETTER + 2))
    assert len(reading.orders) == MAX_LINES_PER_LETTER


def test_orders_count_as_lines_however_many_stand_on_one() -> None:
    line = ", ".join(["A PAR - BUR"] * 50) + "\n"
    reading = understood(line * 10)
    assert (len(reading.orders), len(reading.beyond)) == (MAX_LINES_PER_LETTER, 2)


def test_the_text_of_press_is_no_line_that_counts() -> None:
    reading = understood("PRESS TO ENGLAND\n" + "hello\n" * 900 + "ENDPRESS\nA PAR - BUR\n")
    assert [command.verb for command in reading.commands] == ["PRESS"]
    assert len(reading.orders) == 1
    assert reading.beyond == ()


def test_a_question_is_asked_once_however_it_is_spelt() -> None:
    reading = understood("MAP\nMAP\nmap.\nGET MAP\nGET map\nHELP press\nHELP PRESS\nHELP\n")
    assert [command.line for command in reading.commands] == ["MAP", "HELP press", "HELP"]
    assert reading.unheard == ()


def test_what_is_no_question_is_done_as_often_as_it_is_said() -> None:
    reading = understood("WAIT\nNOWAIT\nWAIT\n")
    assert [command.verb for command in reading.commands] == ["WAIT", "NOWAIT", "WAIT"]


def test_40_commands_are_heard_and_the_others_handed_on() -> None:
    reading = understood("".join(f"STATUS game{i}\n" for i in range(50)) + "WAIT\n")
    assert len(reading.commands) == MAX_COMMANDS_PER_LETTER
    assert [command.verb for command in reading.unheard] == ["STATUS"] * 10 + ["WAIT"]


def test_a_history_counts_as_many_commands() -> None:
    reading = understood("".join(f"HISTORY S19{i:02}M\n" for i in range(10)))
    assert len(reading.commands) == 5
    assert len(reading.unheard) == 5


def test_the_line_in_which_the_work_ends_is_handed_on_whole() -> None:
    """Otherwise half of it would count."""
    text = "A PAR - BUR\nF BRE - MAO\nA MAR - SPA\n"
    spent = ReadingBudget()
    understood(text, allowance=spent)
    need = MAX_WORK_PER_LETTER - spent.work
    for work in range(1, need, 7):
        reading = understood(text, allowance=ReadingBudget(work=work))
        read_lines = [order.line for order in reading.orders]
        assert [*read_lines, *reading.beyond] == text.splitlines()
        assert all(order.grade == "taken" for order in reading.orders)


def test_sections_share_an_allowance() -> None:
    allowance = ReadingBudget()
    first = understood("A PAR - BUR\n" * 300, allowance=allowance)
    second = understood("A PAR - BUR\n" * 300, allowance=allowance)
    assert (len(first.beyond), len(second.beyond)) == (0, 200)


def test_ifs_stand_twelve_deep_and_what_is_deeper_is_asked_back() -> None:
    deep = "IF A VEN THEN\n" * (MAX_IF_DEPTH + 2) + "A PAR - BUR\n" + "ENDIF\n" * 2
    inside = understood(deep + "F BRE - MAO\n" + "ENDIF\n" * MAX_IF_DEPTH + "A MAR H\n")
    fates = {order.line: order.grade for order in inside.orders}
    assert fates["A PAR - BUR"] == "doubtful"
    assert fates["F BRE - MAO"] == "taken"
    (last,) = [order for order in inside.orders if order.line == "A MAR H"]
    assert (last.grade, last.when) == ("taken", None)
    whole = [len(order.when.path) for order in inside.orders if order.line == "F BRE - MAO" and order.when]
    assert whole == [MAX_IF_DEPTH]


def test_an_order_hangs_on_60_questions_at_most() -> None:
    chain = "".join(f"ELSE IF A {place} THEN A PAR - GAS\n" for place in ("ROM", "NAP", "TUN", "SMY") * 20)
    reading = understood("IF A VEN THEN A PAR - BUR\n" + chain)
    kept = [order for order in reading.orders if order.grade == "taken"]
    assert len(kept) == MAX_QUESTIONS_PER_ORDER
    assert any("order can have up to" in (order.problem or "") for order in reading.orders)


def test_every_misspelt_order_is_told_of_however_many_there_are() -> None:
    """Beyond 150 of them they once were passed over."""
    reading = understood("".join(f"A Parris{i} S F Breest - Picardyy\n" for i in range(200)))
    assert len(reading.orders) + len(reading.beyond) == 200
    assert len(reading.orders) > 150
