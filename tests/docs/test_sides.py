"""The sides of solo games in docs/even-boards.md: the bots' results, as shipped with each game."""

from pathlib import Path

import games
from adjudicator.tournament.tournament import share_interval
from tests.kit.handbook import fill_sections

PAGE = Path(__file__).parents[2] / "docs" / "even-boards.md"
SOLO = [game for game in games.kinds().values() if game.campaign is not None]


def row(title, case, results):
    """One case: how many of its games the bot won, and how many nobody did."""
    ended = {end: sum(counts.values()) for end, counts in results.cases[case.name].items()}
    count = sum(ended.values())
    span = share_interval(ended.get("won", 0), count)
    wins = f"{100 * span.value:.1f} ({100 * span.low:.1f} to {100 * span.high:.1f})"
    drawn = f"{100 * ended.get('drawn', 0) / count:.1f}"
    return f"| {title} | {case.name} | {results.bot} | {count} | {wins} | {drawn} |"


def test_the_sides_stand_as_bots_left_them(request):
    """`make golden` writes the table."""
    rows = ["| game | case | bot | games | wins %, 95 % | drawn % |", "|---|---|---|---|---|---|"]
    for game in SOLO:
        results = game.campaign.results()
        rows += [row(game.about.title, case, results) for case in game.campaign.cases]
    assert len(rows) > 2 + len(SOLO)
    page = fill_sections(PAGE.read_text(), {"sides": "\n".join(rows)})
    if request.config.getoption("--write-golden"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page
