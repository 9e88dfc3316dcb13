"""Lazy modules are executed once, by the first thread that needs them, while all others wait."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from adjudicator.cli.lazy_import import LazyLoader, LazyModule


def waiting(folder: Path, source: str) -> ModuleType:
    """A module of that source that was found, and is not executed yet."""
    file = folder / "patient_one.py"
    file.write_text(source)
    spec = spec_from_file_location("patient_one", file)
    assert spec is not None
    assert spec.loader is not None
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_threads_that_ask_at_once_both_find_a_whole_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = ModuleType("gate")
    begun, go = threading.Event(), threading.Event()
    vars(gate).update(begun=begun, go=go, times=[])
    monkeypatch.setitem(sys.modules, "gate", gate)
    source = "import gate\ngate.times.append(1)\ngate.begun.set()\nassert gate.go.wait(300)\nlast = 7\n"
    module = waiting(tmp_path, source)
    assert module.__spec__ is not None
    assert not vars(gate)["times"], "to ask what it is executes nothing"
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(getattr, module, "last")
        assert begun.wait(300)
        second = threads.submit(getattr, module, "last")
        go.set()
        assert (first.result(300), second.result(300)) == (7, 7)
    assert vars(gate)["times"] == [1]
    assert type(module) is ModuleType


def test_a_module_that_fails_says_so_to_each_who_asks(tmp_path: Path) -> None:
    module = waiting(tmp_path, "half = 1\nraise ImportError('not today')\n")
    for _ in range(2):
        with pytest.raises(ImportError, match="not today"):
            assert module.last
    assert type(module) is LazyModule
