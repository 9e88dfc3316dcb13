"""``gm bot``: positions in JSON in, a bot's orders and its reasons out."""

from adjudicator import whatif
from adjudicator.gm.help_examples import Json, Kind, alone, example
from adjudicator.gm.questions import Lines, answer_all

app = alone()


@app.command(
    epilog=example(
        "gm bot indianomacy < position.json",
        "gm bot indianomacy --lines < positions.jsonl > answers.jsonl",
        then='The position is that of  gm judge  with the seat that the bot is to play: "seat": "Dakota".',
    )
)
def bot(kind: Kind, lines: Lines = False, as_json: Json = False) -> None:
    """Ask a bot what it would order in a position given as JSON, and why."""
    answer_all(whatif.bot_of(kind), lines)
