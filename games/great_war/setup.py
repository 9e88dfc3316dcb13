"""The opening of a campaign: the options of a game, and its first state."""

import re

from games.dice import Dice
from games.great_war import decks, legality
from games.great_war.components import NATIONS, Nation
from games.great_war.decks import DEFAULT, armies, reset_decks
from games.great_war.events import AnyEvent
from games.great_war.model import PLAYER, Draw, HandSplit, State
from games.great_war.owner_data import changed_cards
from games.great_war.sequence import begin_turn, set_up
from games.great_war.working_state import WorkingState
from games.messages import sentence
from games.protocol import GameOption, Invalid, Options, Outcome, Seat
from games.record import replace_fields

NATION_BY_SIDE: dict[str, Nation] = {"allies": NATIONS[0], "central": NATIONS[1]}
"""The nations by their names in the option."""

OPTIONS: tuple[GameOption, ...] = (
    GameOption(
        name="side",
        sort="choice",
        meaning="great_war.option_meanings.side",
        default="allies",
        values=tuple(NATION_BY_SIDE),
        ruling="GW1",
    ),
    GameOption(
        name="turns",
        sort="choice",
        meaning="great_war.option_meanings.turns",
        default="5",
        values=("5", "10"),
        ruling="GW48",
    ),
    GameOption(
        name="split",
        sort="text",
        meaning="great_war.option_meanings.split",
        default=DEFAULT.text,
        ruling="GW2",
    ),
    GameOption(
        name="exchange",
        sort="text",
        meaning="great_war.option_meanings.exchange",
        ruling="GW40",
    ),
    GameOption(
        name="ask",
        sort="flag",
        meaning="great_war.option_meanings.ask",
        default=False,
        ruling="GW49",
    ),
    GameOption(
        name="chains",
        sort="flag",
        meaning="great_war.option_meanings.chains",
        default=False,
        ruling="GW10",
    ),
    GameOption(
        name="cards",
        sort="file",
        meaning="great_war.option_meanings.cards",
    ),
)

_HAND_SPLIT_PATTERN = re.compile(r"(\d)\s*/\s*(\d)\s*/\s*(\d)")


def seats(_options: Options) -> tuple[Seat, ...]:
    """Return the player's seat, which is the only one. Rules and dice play the AI."""
    return (PLAYER,)


def parts_of(text: str) -> HandSplit:
    """Return a hand split from its text, such as 4/4/1. Raises Invalid."""
    match = _HAND_SPLIT_PATTERN.fullmatch(text.strip())
    if match is None:
        why = sentence("great_war.options.no_split", text=text)
        raise Invalid("option split", why, sentence("great_war.options.write_split"))
    parts = HandSplit(neutral=int(match[1]), nationality=int(match[2]), bonus=int(match[3]))
    if legality.objection(_blank({}), Draw(parts=parts)) is not None:
        why = sentence("great_war.options.split_limits", text=text)
        raise Invalid("option split", why, sentence("great_war.options.write_split"))
    return parts


def opening(options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
    """Return the first state: a set-up that waits for an email, or the first Turn after dealing.

    Raises Invalid for options that aren't possible.
    """
    blank = _blank({name: value for name, value in options.items() if name != "cards"})
    changes = changed_cards(str(options["cards"])) if "cards" in options else ()
    parts = parts_of(str(options.get("split", DEFAULT.text)))
    state = reset_decks(replace_fields(blank, changes=changes, split=None if parts == DEFAULT else parts))
    exchanges = str(options.get("exchange", ""))
    state = replace_fields(state, wishes=decks.pairs_of(exchanges, state) if exchanges.strip() else ())
    table = WorkingState(state, dice, "hands")
    if not options.get("ask"):
        begin(table)
    return Outcome(table.now, tuple(table.events))


def begin(table: WorkingState) -> None:
    """End the set-up with STEP 1 and the ordered exchanges, and begin the first Turn."""
    set_up(table)
    begin_turn(table)


def _blank(options: dict[str, str | int | bool]) -> State:
    nation = NATION_BY_SIDE[str(options.get("side", "allies"))]
    return State(options=options, stage="set-up", armies=armies(nation))
