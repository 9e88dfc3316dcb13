"""A town for those who order by touch."""

import pytest

from adjudicator.outbound import composer
from tests.kit import pictures
from tests.kit.service_harness import town


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A town whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with town(tmp_path / "town") as opened:
        yield opened


unseen = pictures.unseen
