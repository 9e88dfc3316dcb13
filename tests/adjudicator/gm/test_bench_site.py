"""`gm bench site`: what it measures."""

from adjudicator.bench import archive


def test_it_builds_games_and_a_turn_and_tells_how_large_a_page_is():
    """Three games of two turns, and one of four."""
    figures = {figure.what: figure for figure in archive.measure("war-chest", 3, 2, 4)}
    assert [figure.unit for figure in figures.values()] == ["s", "ms", "s", "ms", "ms", "ms", "KB", "KB"]
    assert all(figure.value > 0 for figure in figures.values())
    assert figures["nothing new"].value < figures["turn 4 of a long game"].value
