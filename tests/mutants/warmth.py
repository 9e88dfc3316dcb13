"""Does the common work of a process before it forks, because it takes most of the time of many tests."""

from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.admin import game_admin
from adjudicator.reports.render import check
from games import kinds
from games.diplomacy.boards.variants import load
from games.diplomacy.map.labels import province_labels
from tests.kit.cached_services import make_all
from tests.kit.pictures import without_drawing
from tests.kit.service_harness import HOUR, LocalService, local_service

BOARDS = ("fleet-rome", "indianomacy", "standard")
"""Those that most of the named tests play on."""

SEATS = {
    "fleet-rome": "England",
    "standard": "France",
    "indianomacy": "Iroquois",
    "plains-indian-wars": "US",
    "war-chest": "player",
    "great-war": "player",
    "boer-war": "Boers",
}
"""What is played on, to have its letters written and its boards laid out."""


def warm() -> None:
    """Compile templates and patterns, letter and draw boards, lay out books."""
    for game in (None, *kinds().values()):
        assert not check(game), "a template is broken"
    for name in BOARDS:
        province_labels(load(name).board)
    make_all()
    # To draw took two thirds of the time, and hardly a named test looks at a picture.
    with without_drawing(), TemporaryDirectory() as folder, local_service(Path(folder)) as place:
        for kind, seat in SEATS.items():
            _play(place, kind, seat)


def _play(place: LocalService, kind: str, seat: str) -> None:
    """A game is begun, asked about and played on by a turn."""
    name, address = "".join(kind.split("-")), f"{kind}@example.org"
    game_admin.new_game(place.service, game_admin.GameRequest(kind, name))
    game_admin.assign(place.service, name, seat, address)
    place.work()
    place.clock.advance(HOUR)
    place.answer(address, place.mail(address)[-1], "STATUS\nMOVES\nMAP\nPRESS TO ALL\nIt is cold.\nENDPRESS")
    place.work()
    game_admin.play_now(place.service, name)
    place.work()
