"""The cache between commands: never outdated, never a stranger's, and never an obstacle."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import compile_cache


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home in which things are kept."""
    monkeypatch.setattr(compile_cache, "_folders", [])
    compile_cache.enable({"HOME": str(tmp_path)})
    return tmp_path / ".cache" / "turnpost"


def test_what_is_kept_is_there_for_the_next_who_asks(home):
    assert compile_cache.load("map") is None
    compile_cache.save("map", b"\0land")
    assert compile_cache.load("map") == b"\0land"
    assert [one.name for one in home.iterdir()] == ["map"]
    assert home.stat().st_mode & 0o777 == 0o700


def test_nothing_is_kept_before_it_is_begun_nor_without_a_home(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [])
    monkeypatch.chdir(tmp_path)
    compile_cache.save("map", b"land")
    for nowhere in ({}, {"HOME": ""}, {"HOME": "here"}, {"XDG_CACHE_HOME": "here", "HOME": str(tmp_path)}):
        compile_cache.enable(nowhere)
        compile_cache.save("map", b"land")
        assert compile_cache.load("map") is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_damaged_is_taken_for_missing(home):
    compile_cache.save("map", b"land and sea")
    file = home / "map"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert compile_cache.load("map") is None
    file.write_bytes(b"")
    assert compile_cache.load("map") is None


def test_a_folder_into_which_others_may_write_is_not_read(home):
    compile_cache.save("map", b"land")
    home.chmod(0o770)
    assert compile_cache.load("map") is None
    compile_cache.save("other", b"sea")
    assert not (home / "other").exists()
    home.chmod(0o700)
    assert compile_cache.load("map") == b"land"


def test_a_folder_that_is_somebody_else_s_is_not_read(home, monkeypatch):
    compile_cache.save("map", b"land")
    monkeypatch.setattr(os, "geteuid", lambda: home.stat().st_uid + 1)
    assert compile_cache.load("map") is None


def test_none_is_made_in_somebody_else_s_home(home, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: home.parents[1].stat().st_uid + 1)
    compile_cache.save("map", b"land")
    assert not home.exists()


def test_where_nothing_may_be_written_nothing_is_said(home):
    home.parent.write_text("a file in the way")
    compile_cache.save("map", b"land")
    assert compile_cache.load("map") is None


def test_it_does_not_grow_for_ever(home):
    for number in range(compile_cache.MAX_CACHED_FILES + 1):
        compile_cache.save(f"map-{number}", b"land")
    assert [one.name for one in home.iterdir()] == [f"map-{compile_cache.MAX_CACHED_FILES}"]


WRITER = """
import sys
from adjudicator import compile_cache
compile_cache.enable({"HOME": sys.argv[1]})
for _ in range(60):
    compile_cache.save("map", sys.argv[2].encode() * 50_000)
    assert set(compile_cache.load("map")) in ({97}, {98}), "half of it"
"""


def test_several_processes_may_keep_the_same_at_once(tmp_path):
    root = Path(__file__).parents[2]
    begun = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), letter], cwd=root) for letter in "ab"
    ]
    assert [one.wait() for one in begun] == [0, 0]
    assert len(list((tmp_path / ".cache" / "turnpost").iterdir())) == 1


def test_many_small_values_are_kept_in_one_file_for_later_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [])
    off = compile_cache.CachedTable("table.sqlite", 1_000_000)
    off.write({"a": b"1"})
    assert off.read("a") is None
    compile_cache.enable({"HOME": str(tmp_path)})
    compile_cache.CachedTable("table.sqlite", 1_000_000).write({"a": b"1", "b": b"\0" * 9000})
    later = compile_cache.CachedTable("table.sqlite", 1_000_000)
    assert later.read("a") == b"1"
    assert later.read("c") is None
    later.write({"a": b"2"})
    assert later.read("a") == b"2"
    file = tmp_path / ".cache" / "turnpost" / "table.sqlite"
    assert compile_cache.CachedTable("table.sqlite", file.stat().st_size - 1).read("b") is None


def test_a_changed_value_and_a_damaged_file_count_as_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [])
    compile_cache.enable({"HOME": str(tmp_path)})
    table = compile_cache.CachedTable("table.sqlite", 1_000_000)
    table.write({"a": b"here is what was kept"})
    file = tmp_path / ".cache" / "turnpost" / "table.sqlite"
    content = file.read_bytes()
    file.write_bytes(content.replace(b"what was kept", b"what they put"))
    assert compile_cache.CachedTable("table.sqlite", 1_000_000).read("a") is None
    file.write_bytes(b"no table" * 2000)
    damaged = compile_cache.CachedTable("table.sqlite", 1_000_000)
    assert damaged.read("a") is None
    compile_cache.CachedTable("table.sqlite", 1_000_000).write({"a": b"again"})
    assert compile_cache.CachedTable("table.sqlite", 1_000_000).read("a") == b"again"
