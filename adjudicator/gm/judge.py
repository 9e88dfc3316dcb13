"""``gm judge``: positions and orders in JSON in, outcomes and the next positions out."""

from adjudicator import whatif
from adjudicator.gm.help_examples import Json, Kind, alone, example
from adjudicator.gm.questions import Lines, answer_all

app = alone()


@app.command(
    epilog=example(
        "gm judge indianomacy < position.json",
        "gm judge indianomacy --lines < positions.jsonl > answers.jsonl",
        then='A question looks like  {"phase": "S1M", "units": {"Dakota": ["W Santee"]}, '
        '"orders": {"Dakota": ["W Santee - Menominee"]}}  ; README.md has the rest.',
    )
)
def judge(kind: Kind, lines: Lines = False, as_json: Json = False) -> None:
    """Adjudicate a position given as JSON on standard input."""
    answer_all(whatif.find_judge(kind), lines)
