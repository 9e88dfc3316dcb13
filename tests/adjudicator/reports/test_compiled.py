"""Templates are compiled once per machine, and again after any change to their sources."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import compile_cache, messages
from adjudicator.reports import render
from adjudicator.template_cache import CompiledTemplates

ROOT = Path(__file__).parents[3]
SETS = """
import json, os, sys
import jinja2
from adjudicator import compile_cache
compile_cache.enable(os.environ)
made = []
compile_ = jinja2.Environment.compile
def counted(self, source, name=None, filename=None, **others):
    made.append(name)
    return compile_(self, source, name, filename, **others)
jinja2.Environment.compile = counted
from adjudicator.reports import render
styled = []
write = render.inline_styles
render.inline_styles = lambda source: styled.append(1) or write(source)
work_out = render._compute_style
render._compute_style = lambda *asked: styled.append(1) or work_out(*asked)
from adjudicator.messages import sentence
from adjudicator.reports.messages import Heading, LetterReader, notice
letter = notice(LetterReader("elm@example.org"), Heading("key", "Hail"), ("One.", "Two."))
told = [letter.text, letter.html, render.class_attributes("tr own")]
told.append(sentence("outbound.composer.caption", names=["Spring 1", "Autumn 1"]))
print(json.dumps([told, made, len(styled)]))
"""


@pytest.fixture
def process(tmp_path):
    """A process of its own that renders two emails."""

    def run(cache=tmp_path):
        environ = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        done = subprocess.run(
            [sys.executable, "-c", SETS], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    return run


def test_the_second_process_compiles_nothing_and_writes_the_same(process):
    first, made, styled = process()
    assert {"letters/notice.html", "outbound.composer.caption"} <= set(made)
    assert styled
    assert first[2].startswith('class="tr own" style="')
    assert first[3].endswith("Autumn 1")
    again, made_again, styled_again = process()
    assert (made_again, styled_again) == ([], 0)
    assert again == first


def test_where_nothing_can_be_kept_all_is_compiled_as_ever(process, tmp_path):
    (tmp_path / "turnpost").write_text("a file in the way")
    first, made, _ = process()
    again, made_again, _ = process()
    assert made == made_again != []
    assert again == first


def test_what_is_damaged_is_compiled_anew(process, tmp_path):
    first, made, _ = process()
    for one in (tmp_path / "turnpost").iterdir():
        one.write_bytes(one.read_bytes()[:-3] + b"...")
    again, made_again, _ = process()
    assert made_again == made
    assert again == first


def test_what_templates_call_counts_for_what_they_are_made_of(tmp_path, monkeypatch):
    before = render.compilation_key([render.paragraph], True)
    assert before == render.compilation_key([render.paragraph, any], True)
    assert before != render.compilation_key([render.paragraph], False)
    copy = tmp_path / "typeset.py"
    copy.write_bytes(Path(render.__file__).read_bytes())
    monkeypatch.setattr(render, "__file__", str(copy))
    one = render.compilation_key([render.paragraph], True)
    copy.write_bytes(copy.read_bytes() + b"\n")
    assert render.compilation_key([render.paragraph], True) != one
    copy.unlink()
    assert render.compilation_key([render.paragraph], True) is None


def test_rooms_are_kept_for_what_is_written_there(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [tmp_path / "turnpost"])
    read = messages._load_sentences.__wrapped__
    assert read("inbound") == read("inbound") == messages.sentences("inbound")
    assert read("outbound") == messages.sentences("outbound")
    monkeypatch.setattr(messages, "_parse_sentences", lambda room, page: {"said": page.decode()})
    assert len(read("inbound")) > 100
    folder = tmp_path / "templates" / "messages"
    folder.mkdir(parents=True)
    (folder / "inbound.toml").write_text('joining.taken = "No."\n')
    monkeypatch.setattr(messages, "files", lambda package: tmp_path / package)
    assert read("inbound") == {"said": 'joining.taken = "No."\n'}


def test_styles_are_kept_for_what_was_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [tmp_path / "turnpost"])
    asked = (("div", "tr own", ""), ("div", "grid", ""), ("p", "", ""), ("div", "grid", "margin: 1px"))
    worked_out = [render.style_of.__wrapped__(*one) for one in asked]
    assert len(set(worked_out)) == len(list((tmp_path / "turnpost").iterdir())) == 4
    monkeypatch.setattr(render, "_compute_style", None)
    assert [render.style_of.__wrapped__(*one) for one in asked] == worked_out
    monkeypatch.undo()
    assert [render.style_of.__wrapped__(*one) for one in asked] == worked_out


def test_another_text_is_another_template(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_cache, "_folders", [tmp_path / "turnpost"])

    def said(text, made_of=b"this"):
        environment = render.Environment(bytecode_cache=CompiledTemplates(made_of))
        environment.loader = render.jinja2.DictLoader({"page.txt": text})
        return environment.get_template("page.txt").render(name="Elm")

    assert [said("Hail {{ name }}"), said("Hail {{ name }}"), said("Bye {{ name }}")] == [
        "Hail Elm",
        "Hail Elm",
        "Bye Elm",
    ]
    files = set((tmp_path / "turnpost").iterdir())
    assert len(files) == 2
    said("Bye {{ name }}", b"that")
    assert len(set((tmp_path / "turnpost").iterdir())) == 3
