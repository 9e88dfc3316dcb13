"""`gm bench reading`: emails of the promised size are all understood, and each step is measured."""

import json

import pytest
from typer.testing import CliRunner

import games
from adjudicator.bench.mail import READING_AIM_MS, SIZE_BYTES, ReadingSteps, measure_reading
from adjudicator.cli.app import app
from adjudicator.inbound.dry_run import opening_of, position_of


def test_each_step_is_measured_and_the_whole_against_its_aim() -> None:
    figures = measure_reading("indianomacy", 8)
    assert [one.unit for one in figures] == ["ms", "times", "ms", "ms", "ms", "ms"]
    assert all(one.value > 0 for one in figures)
    assert READING_AIM_MS == 0.8
    assert figures[1].value == pytest.approx(figures[0].value / READING_AIM_MS)
    assert figures[1].note == ("within the aim" if figures[0].value <= READING_AIM_MS else "above the aim")


def test_the_letters_are_of_four_kilobytes_and_all_their_orders_are_taken() -> None:
    for kind in ("indianomacy", "standard"):
        game = games.kinds()[kind]
        position = position_of(game, opening_of(game))
        for number, seat in enumerate(position.assignments):
            work = ReadingSteps(game, position, seat, number)
            work.whole()
            assert SIZE_BYTES - 200 < len(work.raw) <= SIZE_BYTES
            assert work.filed.rows
            assert {row.grade for row in work.filed.rows} == {"taken"}
            assert {row.source for row in work.filed.rows} == {"body"}


def test_it_is_printed_and_told_in_json() -> None:
    printed = CliRunner().invoke(app, ["bench", "reading", "--letters", "8"])
    assert (printed.exit_code, "an email read and judged" in printed.stdout) == (0, True)
    told = CliRunner().invoke(app, ["bench", "reading", "standard", "--letters", "8", "--json"])
    assert json.loads(told.stdout)[0]["what"] == "an email read and judged"


def test_a_kind_that_there_is_not_is_refused() -> None:
    refused = CliRunner().invoke(app, ["bench", "reading", "chess"])
    assert refused.exit_code == 1
    assert "chess" in refused.output
