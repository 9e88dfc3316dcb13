"""``gm judge``: positions and orders in JSON in, outcomes and the next positions out."""

from adjudicator import judge
from adjudicator.cli.arguments import Json, Kind, alone, example
from adjudicator.cli.questions import Lines, answer_all

app = alone()


@app.command(
    "judge",
    epilog=example(
        "gm judge indianomacy < position.json",
        "gm judge indianomacy --lines < positions.jsonl > answers.jsonl",
        then='A question looks like  {"phase": "S1M", "units": {"Dakota": ["W Santee"]}, '
        '"orders": {"Dakota": ["W Santee - Menominee"]}}  ; README.md has the rest.',
    ),
)
def judge_position(kind: Kind, lines: Lines = False, as_json: Json = False) -> None:
    """Adjudicate a position given as JSON on standard input."""
    answer_all(judge.find_judge(kind), lines)
