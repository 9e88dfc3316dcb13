"""Variants in the GM's folder and in packages can be played at once, and cost nothing until they are."""

import json
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from adjudicator.daemon import daemon
from adjudicator.variants import InstalledVariants, use_variants
from tests.kit.kinds import own_variants, put_variant, strait
from tests.kit.service_harness import LocalService, local_service


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """A service, whose folder of variants is empty."""
    service = tmp_path / "service"
    with own_variants(service / "variants"), local_service(service) as made:
        yield made


def gm(place: LocalService, line: str) -> tuple[int, str]:
    config = ["--config", str(place.folder / "gm.toml")]
    done = CliRunner().invoke(app, [*config, *line.split()], prog_name="gm")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, " ".join(done.output.split())


def test_a_variant_is_added_played_listed_and_removed(place: LocalService, tmp_path: Path) -> None:
    source = put_variant(tmp_path, "firth")
    assert "No variants in" in gm(place, "variant list")[1]
    code, said = gm(place, f"variant add {source}")
    assert (code, "The Strait can be played now: gm game new firth" in said) == (0, True), said
    code, said = gm(place, f"variant add {source}")
    assert (code, "there is a variant firth already" in said) == (1, True)
    assert gm(place, f"variant add {source} --replace")[0] == 0
    assert json.loads(gm(place, "variant list --json")[1]) == [
        {"name": "firth", "origin": str(place.folder / "variants"), "title": "The Strait", "why": ""}
    ]
    assert "Seats: North, South" in gm(place, "rules firth")[1]
    assert gm(place, "game new firth narrow")[0] == 0
    assert gm(place, "variant remove firth --yes")[0] == 0
    code, said = gm(place, "game new firth later")
    assert (code, 'No game is called "firth"' in said) == (1, True)
    assert "identical" in gm(place, "game replay narrow")[1]
    code, said = gm(place, "variant remove firth --yes")
    assert (code, 'No variant "firth" in' in said) == (1, True)


def test_a_zip_of_a_folder_will_do(place: LocalService, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "firth.zip", "w") as archive:
        for file, text in strait("firth").items():
            archive.writestr(f"anything/firth/{file}", text)
    assert gm(place, f"variant add {tmp_path / 'firth.zip'}")[0] == 0
    (tmp_path / "no.zip").write_bytes(b"none")
    code, said = gm(place, f"variant add {tmp_path / 'no.zip'}")
    assert (code, "or a ZIP file of one" in said) == (1, True), said


def test_what_cannot_be_played_is_not_added_and_harms_no_other(place: LocalService, tmp_path: Path) -> None:
    broken = put_variant(tmp_path, "broken", strait("broken") | {"map.json": "{"})
    code, said = gm(place, f"variant add {broken}")
    assert (code, "map.json" in said, (place.folder / "variants").exists()) == (1, True, False)
    code, said = gm(place, f"variant add {put_variant(tmp_path, 'chaos')}")
    assert (code, "chaos comes with Turnpost" in said) == (1, True), said
    put_variant(place.folder / "variants", "broken", strait("broken") | {"map.json": "{"})
    put_variant(place.folder / "variants", "firth")
    code, said = gm(place, "game new broken narrow")
    assert (code, "Can't play broken" in said) == (1, True), said
    assert gm(place, "game new firth narrow")[0] == 0
    assert "broken can't be played" in gm(place, "doctor --wait 0")[1]
    assert "firth The Strait" in gm(place, "variant list")[1]


def test_players_begin_games_of_it_by_mail(place: LocalService) -> None:
    put_variant(place.folder / "variants", "firth")
    use_variants(place.folder / "variants")
    place.write("north@example.org", "gm@example.org", "HELP GAMES")
    place.work()
    listed = place.mail("north@example.org")[-1].get_body(("plain",))
    assert listed is not None
    assert "NEW firth" in listed.get_content()
    game = games.find("FIRTH")
    assert game is not None
    assert game.about.title == "The Strait"


def test_a_service_looks_again_on_sighup(place: LocalService) -> None:
    use_variants(place.folder / "variants")
    assert "firth" not in games.kinds()
    seen: list[bool] = []

    def meanwhile() -> None:
        put_variant(place.folder / "variants", "firth")
        signal.raise_signal(signal.SIGHUP)

    def look() -> None:
        meanwhile()
        seen.append("firth" in games.kinds())
        stop.set()

    stop = threading.Event()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)}
    try:
        daemon.serve(place.service, stop, ready=look, jobs=("process",))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert seen == [True]


def test_a_package_brings_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_variant(tmp_path / "boards_of_ours" / "folders", "firth")
    (tmp_path / "boards_of_ours" / "__init__.py").touch()
    (tmp_path / "boards_of_ours" / "folders" / "__init__.py").touch()
    info = tmp_path / "boards_of_ours-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: boards-of-ours\nVersion: 1.0\n")
    points = "ours = boards_of_ours.folders\ngone = no_such_package.anywhere\n"
    (info / "entry_points.txt").write_text(f"[turnpost.variants]\n{points}")
    monkeypatch.syspath_prepend(str(tmp_path))
    installed = InstalledVariants(tmp_path / "variants")
    assert list(installed) == ["firth"]
    assert installed.origin("firth") == "the package boards_of_ours.folders"
    before = games.variants_in_use()
    games.use_variants(installed)
    try:
        assert games.kinds()["firth"].about.title == "The Strait"
    finally:
        games.use_variants(before)


def test_a_backup_carries_those_in_use(place: LocalService, tmp_path: Path) -> None:
    home = put_variant(place.folder / "variants", "firth")
    put_variant(place.folder / "variants", "unused")
    assert gm(place, "game new firth narrow")[0] == 0
    assert gm(place, f"backup {tmp_path / 'all.backup'}")[0] == 0
    assert gm(place, "variant remove firth --yes")[0] == 0
    assert gm(place, "variant remove unused --yes")[0] == 0
    code, said = gm(place, f"restore {tmp_path / 'all.backup'} --yes")
    assert (code, f"{home} was missing and has been restored" in said) == (0, True), said
    assert (home.is_dir(), (place.folder / "variants" / "unused").exists()) == (True, False)


SERVING = """
import resource, sys, time
from pathlib import Path
import games
from adjudicator.daemon import daemon
from adjudicator import variants

games.kinds()["standard"]
began = time.process_time()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
variants.use_variants(Path(sys.argv[1]))
games.folders()
daemon.settle_down(["standard"])
spent = time.process_time() - began
print(spent * 1000, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def test_150_unused_variants_cost_a_service_next_to_nothing(tmp_path: Path) -> None:
    for number in range(150):
        put_variant(tmp_path / "full", f"strait-{number}")
    (tmp_path / "none").mkdir()

    def measure(folder: Path) -> tuple[float, float]:
        command = [sys.executable, "-c", SERVING, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        milliseconds, megabytes = done.stdout.split()
        return float(milliseconds), float(megabytes)

    least: Callable[[Path], tuple[float, ...]] = lambda folder: tuple(  # noqa: E731  # it reads as a table
        min(several) for several in zip(*(measure(folder) for _ in range(3)), strict=True)
    )
    (time_full, memory_full), (time_none, memory_none) = least(tmp_path / "full"), least(tmp_path / "none")
    assert time_full - time_none < 50, "milliseconds"
    assert memory_full - memory_none < 3, "megabytes"
