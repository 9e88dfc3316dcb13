"""Many games of the bot at the command line: winners, and the distribution of points."""

import json

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app

pytestmark = pytest.mark.long


def typed(line):
    """Return the result of a command."""
    return CliRunner().invoke(app, line.split(), prog_name="gm")


def test_a_tournament_prints_the_distribution_of_points():
    """The tribes have no seat, but their points count."""
    shown = typed("tournament plains-indian-wars --games 5")
    assert shown.exit_code == 0
    assert "Distribution of victory points at the end" in shown.stdout
    rows = [line.split() for line in shown.stdout.splitlines()]
    assert ["seat", "minimum", "lower", "quartile", "median", "upper", "quartile", "maximum"] in rows
    assert sum(row[:1] == ["Nations"] for row in rows) == 3


def test_the_distribution_is_told_to_programs_in_order():
    told = json.loads(typed("tournament plains-indian-wars --games 3 --json").stdout)
    assert set(told["spread"]) == {"US", "Nations"}
    assert all(values == sorted(values) and len(values) == 5 for values in told["spread"].values())
    assert sum(told["wins"].values()) == 3


def test_scenarios_have_tournaments_of_their_own():
    """Variant II has no points, so a won game counts as one."""
    told = json.loads(typed("tournament plains-indian-wars --games 4 --option scenario=2.1 --json").stdout)
    assert set(told["wins"]) == {"Nations", "US"}
    assert sum(told["wins"].values()) == 4
    refused = typed("tournament plains-indian-wars --option scenario=2.9")
    assert refused.exit_code == 1
    assert "Choose one of 1, 2.1, 2.2" in refused.output
