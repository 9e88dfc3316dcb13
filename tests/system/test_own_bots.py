"""The GM's own bots at a table: programs that play, fail in every way, or haven't been agreed to."""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest

from adjudicator import external_bots
from adjudicator.admin import backup, game_admin, transfer
from adjudicator.clock import ManualClock
from adjudicator.config.service import AGREED_FILE, OwnBot, agree, load_settings
from adjudicator.daemon import doctor
from adjudicator.errors import Refusal
from adjudicator.external_bots import BotProcess, NoAnswerError, ProcessLimits
from adjudicator.messages import sentence
from adjudicator.service import Service, open_service
from adjudicator.storage import outbox, stored_games
from games.protocol import Seat
from games.record import canonical, load
from tests.adjudicator.tournament import own_bot
from tests.kit.attack_service import CONFIG, AttackedService
from tests.kit.mail import plain_text
from tests.kit.service_harness import START, create_database

GAME, ENGLAND, PLAYER = "crown", Seat("England"), "france@example.net"
PROGRAM = f"{sys.executable} {own_bot.__file__}"
BOT = """
[[bot]]
name = "mine"
command = "{command}"
seconds = {seconds}
memory = {memory}
"""

pytestmark = pytest.mark.usefixtures("undrawn")


@contextmanager
def service_with(
    folder: Path, mode: str = "", seconds: int = 10, memory: int = 128
) -> Iterator[AttackedService]:
    """Open the service in a folder, with a bot of the GM's own that behaves in a mode."""
    folder.mkdir(exist_ok=True)
    command = f"{PROGRAM} {mode}".strip()
    text = CONFIG.format(address="gm@example.org") + BOT.format(
        command=command, seconds=seconds, memory=memory
    )
    (folder / "gm.toml").write_text(text)
    create_database(folder)
    clock = ManualClock(START)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    try:
        with service.database.session():
            yield AttackedService(folder, service, clock)
    finally:
        service.database.close()


def mine(service: Service) -> OwnBot:
    (bot,) = service.settings.own_bots
    return bot


def begin(it: AttackedService, years: str = "1901") -> None:
    """Start a game in which the program has England, and France has a player."""
    asked = game_admin.GameRequest(
        "standard", GAME, seats={"France": PLAYER}, options={"last_year": years}, level="beginner"
    )
    game_admin.new_game(it.service, asked, secret=b"s" * 32)
    game_admin.set_bot(it.service, GAME, "england", "mine")


def run_turn(it: AttackedService) -> None:
    it.service.turns.play(it.position(GAME), it.clock.now(), ripe=True, by="gm")


def failures(it: AttackedService) -> list[object]:
    entries = [entry for entry, _ in stored_games.log(it.service.database, GAME) if entry.kind == "turn"]
    return [entry.stand_ins for entry in entries]


def test_a_program_plays_a_seat_of_a_game_to_its_end(tmp_path: Path) -> None:
    with service_with(tmp_path / "service") as it:
        agree(mine(it.service))
        begin(it)
        while it.position(GAME).is_running:
            run_turn(it)
        log = stored_games.log(it.service.database, GAME)
        assert "a centre for each" in str([entry.reasons.get("England") for entry, _ in log])
        assert not any(isinstance(failed, dict) for failed in failures(it))
        assert game_admin.prove(it.service, GAME).fault is None


@pytest.mark.parametrize(
    ("mode", "failure"),
    [
        ("silent", "no-answer"),
        ("floods", "no-answer"),
        ("ends", "no-answer"),
        ("eats", "no-answer"),
        ("garbage", "unreadable"),
    ],
)
def test_whatever_a_program_does_the_game_ends_and_the_report_says_who_ordered(
    tmp_path: Path, mode: str, failure: str
) -> None:
    with service_with(tmp_path / "service", mode, seconds=20 if mode == "eats" else 1) as it:
        agree(mine(it.service))
        begin(it)
        while it.position(GAME).is_running:
            run_turn(it)
        failed = [some for some in failures(it) if isinstance(some, dict)]
        assert failed
        assert all(some == {"England": failure} for some in failed)
        assert game_admin.prove(it.service, GAME).fault is None
        told = " ".join(sentence("reports.posts.stand_ins", seats=(ENGLAND,), asked=True).split())
        emails = [posted.sealed for posted in outbox.list_posted(it.service.database, 100)]
        reports = [" ".join(plain_text(sealed.raw).split()) for sealed in emails if sealed.to == PLAYER]
        assert sum(told in text for text in reports) == len(failed)
        assert sum("/own-bot/" in sealed.key for sealed in emails) == 1, "the GM learns of it once"


def test_a_program_has_the_memory_that_it_may_have(tmp_path: Path) -> None:
    line = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0])"
    with ProcessLimits(tmp_path, 64).start([sys.executable, "-c", line], "mark") as process:
        assert process.stdout is not None
        assert int(process.stdout.read()) == 64 * 1024 * 1024


PARENT = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdin=-3, stdout=-3, start_new_session={leaves})
open("child", "w").write(str(child.pid))
time.sleep({seconds})
"""


def ask_parent(folder: Path, child: str, *, leaves: bool, seconds: int = 600) -> tuple[int, str]:
    """Ask a program that starts another and doesn't answer. Return the other's number, and why none came.

    leaves: whether the other leaves the session. seconds: how long the program itself lives.
    """
    (folder / "parent.py").write_text(PARENT.format(child=child, leaves=leaves, seconds=seconds))
    program = BotProcess(f"{sys.executable} parent.py", 20, ProcessLimits(folder, 96))
    try:
        with pytest.raises(NoAnswerError) as fault:
            program.ask({})
    finally:
        program.close()
    return int((folder / "child").read_text()), fault.value.why


def is_alive(number: int) -> bool:
    """Return whether a process runs. One that has ended may wait for its parent to notice."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends_soon(number: int) -> bool:
    """Return whether a process ends within seconds, and end it otherwise."""
    for _ in range(100):
        if not is_alive(number):
            return True
        sleep(0.05)
    os.kill(number, signal.SIGKILL)
    return False


@pytest.mark.parametrize("leaves", [False, True])
def test_what_a_program_has_started_ends_with_it(tmp_path: Path, leaves: bool) -> None:
    """Also when it has left the session, and its parent has ended."""
    number, why = ask_parent(tmp_path, "import time; time.sleep(600)", leaves=leaves, seconds=0)
    assert why == "the process ended without an answer"
    assert ends_soon(number)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_program_and_what_it_has_started_share_their_memory(tmp_path: Path, leaves: bool) -> None:
    """Two processes with 60 MB each are more than 96 MB, though none of them reaches its own limit."""
    both = "import os, time; os.fork(); some = b'x' * 60_000_000; time.sleep(600)"
    number, why = ask_parent(tmp_path, both, leaves=leaves)
    assert why == "it needed more than 96 MB of memory"
    assert ends_soon(number)


def test_processes_that_share_memory_have_it_once(tmp_path: Path) -> None:
    """Eight processes that read the same 40 MB stay within 96 MB."""
    shares = "import os, time; some = b'x' * 40_000_000; [os.fork() for _ in range(3)]; time.sleep(600)"
    (tmp_path / "shares.py").write_text(f"print('{{\"id\": 1}}', flush=True); {shares}")
    program = BotProcess(f"{sys.executable} shares.py", 20, ProcessLimits(tmp_path, 96))
    assert program.ask({}) == {"id": 1}
    sleep(1)
    family = program._family
    assert family is not None
    assert not family.is_too_large
    assert len(family._members()) == 8
    program.close()
    assert family._members() == []


def test_all_programs_of_a_table_share_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of thirty programs that hang holds up other games no longer than one."""
    monkeypatch.setattr(external_bots, "MAX_SECONDS_PER_TURN", 0.0)
    with service_with(tmp_path / "service") as it:
        agree(mine(it.service))
        begin(it)
        run_turn(it)
        assert failures(it) == [{"England": "no-answer"}]


def test_the_usual_bot_orders_what_it_would_order_anyway(tmp_path: Path) -> None:
    """The log holds its orders, so replay needs no program, and a copy elsewhere takes the game whole."""
    with service_with(tmp_path / "service", "ends", seconds=1) as it:
        agree(mine(it.service))
        begin(it)
        run_turn(it)
        entry = stored_games.log(it.service.database, GAME)[1][0]
        assert entry.orders["England"]
        document = transfer.export(it.service, GAME)
        with service_with(tmp_path / "elsewhere") as other:
            transfer.bring_in(other.service, load(type(document), canonical(document)))
            run_turn(other)
            assert failures(other)[-1] == {"England": "not-agreed"}


def test_no_command_starts_before_the_operator_has_agreed(tmp_path: Path) -> None:
    """Neither for a new game nor for one in a backup, and not on another machine or in another folder."""
    ran = tmp_path / "ran"
    with service_with(tmp_path / "service", f"counts {ran}") as it:
        with pytest.raises(Refusal):
            begin(it)
        agree(mine(it.service))
        game_admin.set_bot(it.service, GAME, "england", "mine")
        backup.back_up(it.service, tmp_path / "a.backup")
        shutil.copytree(tmp_path / "service", tmp_path / "copy")
        run_turn(it)
        assert ran.exists()
        assert "PYTEST" not in ran.read_text(), "the environment may hold passwords"
    ran.unlink()
    with service_with(tmp_path / "restored", f"counts {ran}") as other:
        backup.restore_file(other.service, tmp_path / "a.backup")
        assert not (tmp_path / "restored" / AGREED_FILE).exists()
        run_turn(other)
        assert failures(other) == [{"England": "not-agreed"}]
        (finding,) = [finding for finding in doctor.examine(other.service, 0) if finding.about == "bots"]
        assert finding.grade == "odd"
    with service_with(tmp_path / "copy", f"counts {ran}") as copied:
        assert (tmp_path / "copy" / AGREED_FILE).exists()
        assert not mine(copied.service).is_agreed
    assert not ran.exists()


def test_an_agreement_is_to_one_command(tmp_path: Path) -> None:
    bot = OwnBot("mine", "python3 one.py", tmp_path)
    agree(bot)
    assert bot.is_agreed
    assert not replace_command(bot).is_agreed


def replace_command(bot: OwnBot) -> OwnBot:
    return OwnBot(bot.name, "python3 other.py", bot.folder)


def test_a_preview_starts_no_program(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    with service_with(tmp_path / "service", f"counts {ran}") as it:
        agree(mine(it.service))
        begin(it)
        game_admin.next_rolls(
            it.service.repository, it.position(GAME).game, it.position(GAME), it.clock.now()
        )
    assert not ran.exists()


def test_a_program_plays_no_game_with_hidden_information(tmp_path: Path) -> None:
    with service_with(tmp_path / "service") as it:
        agree(mine(it.service))
        position = game_admin.new_game(
            it.service, game_admin.GameRequest("war-chest", GAME), secret=b"s" * 32
        )
        with suppress(Refusal):
            game_admin.set_bot(it.service, GAME, next(iter(position.assignments)), "mine")
            raise AssertionError("nothing was refused")


@pytest.mark.parametrize(
    "text",
    [
        '[[bot]]\nname = "Mine!"\ncommand = "x"',
        '[[bot]]\nname = "mine"',
        '[[bot]]\nname = "mine"\ncommand = "x"\nmemory = 1',
        '[[bot]]\nname = "mine"\ncommand = "x"\n[[bot]]\nname = "mine"\ncommand = "y"',
        '[bot]\nname = "mine"\ncommand = "x"',
    ],
)
def test_what_is_wrong_in_gm_toml_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "gm.toml").write_text(CONFIG.format(address="gm@example.org") + text)
    with pytest.raises(Refusal) as refused:
        load_settings(tmp_path / "gm.toml")
    assert "bot" in refused.value.what
