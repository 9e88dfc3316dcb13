"""Several workers without a container: compose.workers.yaml by its schema, its steps as processes."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from adjudicator.mail.maildir import write_letter
from adjudicator.storage import outbox
from adjudicator.storage.database import open_database
from adjudicator.storage.workers import current_workers
from tests.deploy.conftest import PATIENCE, ROOT, SECONDS
from tests.kit.servers import PostgreSQL
from tests.kit.worker_process import wait_until

DEPLOY = ROOT / "deploy"
COMPOSE, EXAMPLE = DEPLOY / "compose.workers.yaml", DEPLOY / "compose.workers.env.example"
GM = [sys.executable, "-m", "adjudicator"]
ASKS = b"From: you@example.org\r\nTo: gm@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"
CONFIG = """\
[service]
address = "gm@example.org"
database = { env = "GM_DATABASE" }
[inbox]
url = "maildir:./in"
poll = "1s"
[outbox]
url = "maildir:./out"
"""
pytestmark = PATIENCE


def composed() -> dict[str, Any]:
    """The file, with what it merges."""
    return YAML(typ="safe").load(COMPOSE.read_text())


def expanded(text: str, values: dict[str, str]) -> str:
    """A value of the file with its variables, as `docker compose` puts them in."""

    def value(found: re.Match[str]) -> str:
        default = found[3] if found[2] == ":-" else ""
        given = values.get(found[1]) or default
        assert given or found[2] != ":?", found[0]
        return given

    return re.sub(r"\$\{(\w+)(:[-?])?([^}]*)\}", value, text)


def test_it_is_one_by_the_schema_and_tells_of_every_variable() -> None:
    program = Path(sys.executable).with_name("check-jsonschema")
    words = [program, "--builtin-schema", "vendor.compose-spec", COMPOSE]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout
    used = set(re.findall(r"\$\{(\w+)", COMPOSE.read_text()))
    assert used == set(re.findall(r"^(\w+)=", EXAMPLE.read_text(), re.MULTILINE))
    services = composed()["services"]
    one = YAML(typ="safe").load((DEPLOY / "compose.yaml").read_text())["services"]
    assert services["worker"]["deploy"] == {"replicas": 3}
    # What is said of the database and of containers in general is the same as for one service.
    kept = {
        "build",
        "image",
        "read_only",
        "tmpfs",
        "cap_drop",
        "stop_grace_period",
        "security_opt",
        "logging",
    }
    assert {name: services["worker"][name] for name in kept} == {name: one["turnpost"][name] for name in kept}
    same = {"image", "environment", "volumes", "healthcheck"}
    assert {name: services["database"][name] for name in same} == {
        name: one["database"][name] for name in same
    }


def test_the_database_of_three_machines_is_found_by_all() -> None:
    """By the example as it is, on one machine; by an address of a private network on three."""
    service = composed()["services"]
    url, port = service["worker"]["environment"]["GM_DATABASE"], service["database"]["ports"][0]
    told = dict(re.findall(r"^(\w+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE)) | {"DATABASE_PASSWORD": "s3"}
    assert expanded(url, told) == "postgresql://turnpost:s3@database/turnpost"
    assert expanded(port, told) == "127.0.0.1:5432:5432"
    told |= {"DATABASE_HOST": "10.0.0.1", "DATABASE_LISTEN": "10.0.0.1"}
    assert expanded(url, told) == "postgresql://turnpost:s3@10.0.0.1/turnpost"
    assert expanded(port, told) == "10.0.0.1:5432:5432"


@contextmanager
def running_process(
    folder: Path, words: list[str], around: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with us."""
    with (
        (folder / "log").open("ab") as log,
        subprocess.Popen(words, cwd=folder, env=around, stderr=log) as one,
    ):
        try:
            yield one
        finally:
            one.kill()


def test_three_workers_as_the_file_begins_them(postgresql: PostgreSQL, tmp_path: Path) -> None:
    """All at once, on an empty database; each in its own folder, with one mailbox."""
    worker = composed()["services"]["worker"]
    around = {**os.environ, "PYTHONPATH": str(ROOT), "GM_DATABASE": postgresql.fresh()}
    assert tomllib.loads(CONFIG)["service"]["database"] == {"env": "GM_DATABASE"}
    with ExitStack() as stack:
        workers, folders = [], [tmp_path / name for name in ("one", "two", "three")]
        for folder in folders:
            folder.mkdir()
            (folder / "gm.toml").write_text(CONFIG.replace("./", f"{tmp_path}/"))
            workers.append(stack.enter_context(running_process(folder, [*GM, *worker["command"]], around)))

        repository = open_database(around["GM_DATABASE"])
        stack.callback(repository.close)
        wait_until(lambda: len(current_workers(repository)) == len(workers))
        write_letter(tmp_path / "in", "1.1", ASKS)
        wait_until(lambda: outbox.counts(repository)["sent"] == 1)
        status = [*GM, "status", "--json"]
        found = json.loads(subprocess.check_output(status, cwd=folders[2], env=around))
        assert (found["letters_in"]["read"], len(found["workers"])) == (1, 3)
        assert {tuple(one["jobs"]) for one in found["workers"]} == {("poll", "process", "send")}
        assert len([*(tmp_path / "out").glob("new/*")]) == 1
        for one in workers:
            one.send_signal(signal.SIGTERM)
        assert [one.wait(SECONDS) for one in workers] == [0, 0, 0]
