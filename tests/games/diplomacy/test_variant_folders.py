"""Faulty folders of variants: each is refused with file, entry and remedy, or can be played."""

import pytest

from tests.kit.variant_folders import try_folder

SHIPPED = ("standard", "indianomacy", "fleet-rome")


@pytest.mark.parametrize("hundred", range(3))
def test_a_faulty_folder_is_refused_with_a_remedy_or_can_be_played(hundred: int) -> None:
    """300 folders, each with its own seed. Bots play the accepted ones of every third seed."""
    said = [try_folder(seed, played=seed % 3 == 0) for seed in range(100 * hundred, 100 * hundred + 100)]
    assert any(text.startswith("can be played") for text in said)


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(100))
def test_ten_thousand_faulty_folders(hundred: int) -> None:
    """Nine of ten are small, since a folder with a whole board takes a second."""
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        try_folder(seed, SHIPPED if seed % 10 == 0 else ("example",))
