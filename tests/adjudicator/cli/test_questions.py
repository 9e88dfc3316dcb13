"""`gm judge` and `gm bot` at the command line: one question or one per line, and the exit codes."""

import json
import subprocess
import sys

from typer.testing import CliRunner, Result

from adjudicator import judge
from adjudicator.cli.app import app
from tests.kit.gm_process import gm_forker

GOOD = '{"phase": "S1M", "units": {"Dakota": ["W SNT"]}, "orders": {"Dakota": ["Santee→Menominee"]}}'
BAD = '{"phase": "S1M", "units": {"Dakota": ["W Rome"]}}'


def typed(*words: str, given: str = "") -> Result:
    """Run a command with a text on its standard input and return its output."""
    return CliRunner().invoke(app, list(words), input=given, prog_name="gm")


def test_one_question_is_answered_with_one_document_that_people_can_read():
    shown = typed("judge", "indianomacy", given=GOOD)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)["results"][0]["outcome"] == "moved"
    assert "Santee→Menominee" in shown.stdout
    assert typed("judge", "Indianonacy", "--json", given=GOOD).stdout == shown.stdout


def test_what_cannot_be_read_is_told_on_standard_output_and_exits_with_one():
    shown = typed("judge", "indianomacy", given=BAD)
    assert shown.exit_code == 1
    assert json.loads(shown.stdout) == {"error": "there is no province Rome", "at": "units.Dakota[0]"}


def test_line_by_line_the_rest_goes_on_and_the_end_exits_with_one():
    shown = typed("judge", "indianomacy", "--lines", given="\n".join([GOOD, BAD, "nonsense", "", GOOD]))
    answers = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [sorted(one)[0] for one in answers] == ["next", "at", "at", "next"]
    assert shown.exit_code == 1
    assert typed("judge", "indianomacy", "--lines", given=f"{GOOD}\n{GOOD}\n").exit_code == 0
    assert typed("judge", "indianomacy", "--lines").exit_code == 0


def test_a_bot_is_asked_likewise():
    question = json.dumps({"phase": "S1M", "units": {"Dakota": ["W SNT"]}, "seat": "Dakota"})
    shown = typed("bot", "indianomacy", given=question)
    assert (shown.exit_code, json.loads(shown.stdout)["orders"]) == (0, ["W SNT - CHP"])
    assert typed("bot", "indianomacy", "--lines", given=f"{question}\n").stdout.count("\n") == 1
    assert typed("bot", "indianomacy", given=GOOD).exit_code == 1, "whose bot?"


def test_a_kind_that_is_not_there_is_refused_with_those_that_are():
    for command in ("judge", "bot"):
        shown = typed(command, "chess", given=GOOD)
        assert shown.exit_code == 1
        assert "indianomacy" in shown.stderr
    assert typed("judge").exit_code == 2


def test_each_line_is_answered_before_the_next_one_is_asked():
    with gm_forker().running(["judge", "indianomacy", "--lines"]) as judge:
        for _ in range(2):
            judge.stdin.write(f"{GOOD}\n")
            judge.stdin.flush()
            assert json.loads(judge.stdout.readline())["phase"] == "S1M"
        judge.stdin.close()
        assert judge.wait() == 0


def test_a_judge_that_starts_loads_neither_books_nor_post_nor_templates():
    script = (
        "import sys\n"
        "from adjudicator.cli import lazy_import\nlazy_import.begin()\n"
        "from adjudicator.cli import judge\nfrom adjudicator.judge import find_judge\n"
        "from adjudicator.cli.lazy_import import LazyModule\n"
        "find_judge('indianomacy')\n"
        "heavy = {'peewee', 'jinja2', 'asyncio', 'smtplib', 'PIL', 'adjudicator.service'}\n"
        "run = {name for name, module in sys.modules.items() if type(module) is not LazyModule}\n"
        "print('imported:', sorted(heavy & run))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "imported: []" in done.stdout


def test_a_text_is_read_once_in_a_process(monkeypatch):
    made, reader = [], judge.make_reader

    def counted(*given, **fields):
        made.append(fields)
        return reader(*given, **fields)

    monkeypatch.setattr(judge, "make_reader", counted)
    ask = judge.find_judge("indianomacy")
    question = GOOD.replace("Santee→Menominee", "W SNT - MEN").encode()
    first = judge.answer_question(ask, question)
    assert len(made) == 1
    assert judge.answer_question(ask, question) == first
    assert len(made) == 1
