"""A service for players who use order pages."""

import pytest

from adjudicator.outbound import composer
from tests.kit import pictures
from tests.kit.service_harness import local_service


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A service whose emails have no maps, which would take more time than all the rest."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path / "service") as opened:
        yield opened


skip_drawing = pictures.skip_drawing
