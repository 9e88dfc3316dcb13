"""External bots: which of their answers count, and the remarks about the others."""

import json
import sys
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from adjudicator.errors import Refusal
from adjudicator.external_bots import MAX_UNANSWERED, ExternalBot, check
from adjudicator.tournament.tournament import FixtureRequest, contest, ending_after, fixture
from games.dice import SealedDice
from games.protocol import Seat

GAME = games.kinds()["standard"]
OWN = f"{sys.executable} {Path(__file__).parent / 'own_bot.py'}"
DICE = SealedDice(b"secret", "foreign", 1)
FRANCE = Seat("France")


def opening():
    """The opening, and what France owes."""
    state = GAME.rules.setup({}, DICE).state
    (due,) = [due for due in GAME.rules.due(state) if due.seat == FRANCE]
    return state, due


def ask_bot(mode: str, patience: float = 10.0, times: int = 1) -> tuple[list[str], list[str]]:
    """Return the orders of an external bot in the opening, in its own mode, and the remarks."""
    state, due = opening()
    with closing(ExternalBot(GAME, "mine", f"{OWN} {mode}", patience)) as bot:
        for _ in range(times):
            orders = [GAME.notation.write(one.order) for one in bot.orders(state, due, DICE)]
        return orders, bot.remarks


def test_it_sits_at_the_table_to_the_end_and_takes_centres():
    plan = fixture(
        GAME,
        ending_after(GAME, 2),
        FixtureRequest("france=mine,others=hold", foreign={"mine": OWN}, seed="foreign"),
    )
    (game,) = contest(plan, 1)
    assert game.remarks == ()
    assert game.scores[1902][FRANCE] > 3
    assert game.players[FRANCE] == "mine"


def test_of_an_answer_that_is_wrong_in_part_the_rest_counts_and_all_of_it_is_told():
    orders, remarks = ask_bot("unlawful")
    right, _ = ask_bot("")
    assert orders == right[1:]
    moscow, dance, again, missing = (remark.partition("S1901M: ")[2] for remark in remarks)
    assert moscow == "A PAR - MOS: it is against the rules: not-adjacent"
    assert dance.startswith("dance: ")
    assert again.endswith("it already has an order")
    assert missing.startswith("no order for ")
    assert all(remark.startswith("mine as France, S1901M: ") for remark in remarks)


def test_an_answer_to_an_earlier_question_is_passed_over():
    assert ask_bot("tardy", times=2) == ask_bot("")


@pytest.mark.parametrize(
    ("mode", "why"),
    [("garbage", "isn't JSON"), ("ends", "the process ended"), ("silent", "within 0.2 seconds")],
)
def test_who_does_not_answer_has_written_nothing_and_is_not_asked_for_ever(mode, why):
    patience = 0.2 if mode == "silent" else 10.0
    orders, remarks = ask_bot(mode, patience, times=MAX_UNANSWERED + 2)
    assert orders == []
    assert [why in one for one in remarks] == [True] * MAX_UNANSWERED + [False]
    assert "stop asking it" in remarks[-1]


@pytest.mark.parametrize(
    ("kind", "foreign", "why"),
    [
        ("standard", {"advanced": OWN}, "can't have that name"),
        ("standard", {"mi/ne": OWN}, "can't have that name"),
        ("war-chest", {"mine": OWN}, "hidden"),
    ],
)
def test_names_and_games_that_cannot_be_are_refused(kind, foreign, why):
    with pytest.raises(Refusal, match=why):
        check(games.kinds()[kind], {}, foreign)


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("", "The command is empty"),
        ("no-such-program --fast", "Can't run no-such-program --fast: the program no-such-program isn't"),
        ('python3 "half', "Can't run python3 \"half: its quotation marks don't match"),
    ],
)
def test_a_command_that_starts_nothing_is_refused_before_the_first_game(command, what):
    with pytest.raises(Refusal, match=what):
        fixture(GAME, {}, FixtureRequest("mine", foreign={"mine": command}))


def test_a_position_can_be_asked_about_alone_and_what_does_not_count_is_told():
    position = {**GAME.whatif.question(opening()[0]), "seat": "france"}
    shown = CliRunner().invoke(
        app, ["bot", "standard", "--stdio", f"{OWN} unlawful"], input=json.dumps(position), prog_name="gm"
    )
    answer = json.loads(shown.stdout)
    assert (shown.exit_code, sorted(answer)) == (0, ["orders", "reasons", "remarks"])
    assert set(answer["reasons"].values()) == {"a centre for each"}
    assert len(answer["remarks"]) >= 3
    nobody = CliRunner().invoke(app, ["bot", "standard", "--stdio", OWN], input="{}", prog_name="gm")
    assert json.loads(nobody.stdout) == {"error": "is missing", "at": "seat"}


def test_a_tournament_tells_what_was_amiss():
    words = [
        "tournament",
        "standard",
        "--stdio",
        f"mine={OWN} unlawful",
        "--seats",
        "france=mine,others=hold",
    ]
    shown = CliRunner().invoke(app, [*words, "--games", "1", "--years", "1"], prog_name="gm")
    assert shown.exit_code == 0
    assert "mine as France, S1901M: dance: " in shown.stderr
