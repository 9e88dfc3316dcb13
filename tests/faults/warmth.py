"""What a process does once is done before it forks: it took most of the time of those that write letters.

A plugin of the nursery, which notes what runs here.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.reports.render import check
from games import kinds
from games.diplomacy.boards import load
from games.diplomacy.lettering import lettering
from tests.kit.town import begun_books

BOARDS = ("fleet-rome", "indianomacy", "standard")
"""Those that most of the named tests play on."""


def pytest_collection_finish() -> None:
    """Compile templates, letter boards, lay out books."""
    for game in (None, *kinds().values()):
        assert not check(game), "a template is broken"
    for name in BOARDS:
        lettering(load(name).board)
    with TemporaryDirectory() as folder:
        begun_books(Path(folder))
