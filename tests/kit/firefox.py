"""A headless Firefox for tests of pages on a phone, driven by Marionette, its own remote control.

Marionette is a TCP port that takes WebDriver commands as JSON, so nothing besides Firefox is needed.
Playwright can drive only a Firefox of its own, which no package of Debian has.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from tests.kit import servers
from tests.kit.ports import free_ports
from tests.kit.servers import ServerMissingError

_PROGRAMS = ("firefox-esr", "firefox")
_WIDTH, _HEIGHT = 375, 812
_FLAGS = ("--headless", "--marionette", "--remote-allow-system-access", "--no-remote")
_NO_NETWORK = "data:,none"
_PREFERENCES: dict[str, object] = {
    "dom.w3c_touch_events.enabled": 1,
    "ui.primaryPointerCapabilities": 1,
    "ui.allPointerCapabilities": 1,
    "app.normandy.enabled": False,
    "services.settings.server": _NO_NETWORK,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}
"""A touch screen and no mouse; no questions to servers of its maker."""

_NARROW = f"gBrowser.selectedBrowser.style.maxWidth = '{_WIDTH}px'"
"""No window of Firefox is narrower than 500 pixels, but the page in it can be."""
_SAID = """return Services.console.getMessageArray().filter(one => one instanceof Ci.nsIScriptError
  && one.sourceName.startsWith('file:') && !(one.flags & one.warningFlag)).map(one => one.errorMessage)"""
_MIDDLE = """selector => {
  const one = document.querySelector(selector);
  one.scrollIntoView({block: 'end'});
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);
}"""


@dataclass(frozen=True)
class Firefox:
    """A running Firefox with one window as wide as a phone."""

    sends: socket.socket
    answers: BinaryIO
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def open(self, place: Path) -> None:
        """Open a page from its folder."""
        self._command("WebDriver:Navigate", url=place.resolve().as_uri())

    def reload(self) -> None:
        """Load the page again."""
        self._command("WebDriver:Refresh")

    def run(self, function: str, *values: object) -> Any:
        """Call a JavaScript function in the page. Returns its value."""
        script = f"return ({function}).apply(null, arguments)"
        return self._command("WebDriver:ExecuteScript", script=script, args=list(values))["value"]

    def text(self, selector: str) -> str:
        """Return the text of an element as it is shown."""
        return str(self.run("selector => document.querySelector(selector).innerText", selector))

    def tap(self, selector: str) -> None:
        """Tap the middle of an element with a finger."""
        self.slide([self.run(_MIDDLE, selector)])

    def slide(self, *ways: list[tuple[int, int]]) -> None:
        """Let a finger for each way touch its first point, move along with the others, and leave."""
        fingers = []
        for number, (first, *others) in enumerate(ways):
            moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 20} for x, y in (first, *others)]
            down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
            fingers.append(
                {
                    "type": "pointer",
                    "id": f"finger {number}",
                    "parameters": {"pointerType": "touch"},
                    "actions": [moves[0], down, *moves[1:], up],
                }
            )
        self._command("WebDriver:PerformActions", actions=fingers)

    @contextmanager
    def preferences(self, **values: bool | int) -> Iterator[None]:
        """Set preferences of the browser inside the context; a double underscore stands for a dot."""
        names = {name.replace("__", "."): value for name, value in values.items()}
        for name, value in names.items():
            kind = "Bool" if isinstance(value, bool) else "Int"
            self._run_inside(f"Services.prefs.set{kind}Pref({json.dumps(name)}, {json.dumps(value)})")
        try:
            yield
        finally:
            for name in names:
                self._run_inside(f"Services.prefs.clearUserPref({json.dumps(name)})")

    def errors(self) -> list[str]:
        """Return what the browser said about scripts of pages from files since the last call."""
        said = self._run_inside(_SAID)
        self._run_inside("Services.console.reset()")
        return list(said)

    def _run_inside(self, script: str) -> Any:
        """Run a script in the browser itself."""
        self._command("Marionette:SetContext", value="chrome")
        try:
            return self._command("WebDriver:ExecuteScript", script=script, args=[])["value"]
        finally:
            self._command("Marionette:SetContext", value="content")

    def _command(self, name: str, **values: object) -> Any:
        """Run a command. Raises RuntimeError with Firefox's own words if it fails."""
        text = json.dumps([0, next(self.numbers), name, values]).encode()
        self.sends.sendall(b"%d:%s" % (len(text), text))
        _, _, error, found = _read(self.answers)
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return found

    def begin(self) -> None:
        """Begin a session, in a narrow window."""
        _read(self.answers)  # It greets first.
        self._command("WebDriver:NewSession", capabilities={})
        self._command("WebDriver:SetWindowRect", width=_WIDTH, height=_HEIGHT)
        self._run_inside(_NARROW)


def _read(answers: BinaryIO) -> Any:
    """Read a message: its length, a colon, and JSON."""
    length = b""
    while (character := answers.read(1)) != b":":
        assert character, "Firefox has ended"
        length += character
    return json.loads(answers.read(int(length)))


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Run a headless Firefox. Raises ServerMissingError if it isn't installed."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise ServerMissingError(f"no Firefox is here: apt-get install {_PROGRAMS[0]}")
    (port,) = free_ports(1)
    with servers.server_folder("firefox") as folder:
        chosen = {**_PREFERENCES, "marionette.port": port}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in chosen.items())
        (folder / "user.js").write_text("\n".join(lines))
        log = folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [program, *_FLAGS, "--profile", str(folder)],
                env={**os.environ, "HOME": str(folder)},
                stdout=output,
                stderr=output,
            )
        try:
            servers.wait_for(port, process, log)
            with socket.create_connection(("127.0.0.1", port)) as sends:
                browser = Firefox(sends, sends.makefile("rb"))
                browser.begin()
                yield browser
        finally:
            servers.end(process)
