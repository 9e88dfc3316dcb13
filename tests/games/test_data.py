"""Files inside the packages of games."""

import pytest

from games.data import read_text
from games.protocol import Invalid


def test_a_missing_file_is_told_by_its_package_and_without_a_path_of_the_machine() -> None:
    with pytest.raises(Invalid) as refused:
        read_text("games.diplomacy", "variants/nowhere/outline.geojson")
    assert refused.value.what == "variants/nowhere/outline.geojson"
    assert refused.value.why == "is missing in games.diplomacy"
