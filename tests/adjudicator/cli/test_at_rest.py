"""The memory of an idle service, counted in modules, because bytes depend on the machine."""

import subprocess
import sys
from pathlib import Path

from tests.adjudicator.cli.conftest import Terminal

SERVED = """
import sys
from adjudicator.cli.lazy_import import LazyModule
from adjudicator.cli import lazy_import
lazy_import.begin()
from adjudicator.cli.app import app
from adjudicator.cli import service

def rest(house, stop, **named):
    house.poll(), house.resume_after_downtime(), house.process(), house.send()
    loaded = [name for name, module in sys.modules.items() if type(module) is not LazyModule]
    print("LOADED", *sorted(loaded))

service.daemon.patiently  # it is loaded before a function of it is replaced
service.daemon.serve = rest
app(["serve", "--json"], prog_name="gm", standalone_mode=False)
"""
SPARED = {
    *("psycopg", "pydantic", "rich.console", "dkim", "dns", "imapclient", "aiosmtpd", "prometheus_client"),
    *("rapidfuzz", "css_inline", "resvg_py", "PIL.Image"),
}
"""What it does not use, or not before there is something to draw, to style or to be read otherwise."""

MOST = 840
"""Modules of a service that has looked once through mailbox and books, the library's own among them."""


def test_a_service_loads_no_driver_it_does_not_use_and_no_game_that_nobody_plays(tmp_path: Path) -> None:
    for line in ("init --address gm@example.org --local --yes", "game new war-chest beaver"):
        Terminal(tmp_path).says(line)
    done = subprocess.run(
        [sys.executable, "-c", SERVED], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    found = set(done.stdout.rsplit("LOADED", 1)[1].split())
    assert "adjudicator.inbound.pipeline" in found
    assert found & SPARED == set()
    assert "games.war_chest" in found
    assert found & {"games.boer_war", "games.great_war", "games.diplomacy"} == set()
    assert len(found) < MOST
