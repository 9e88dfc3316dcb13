"""The start of a game: its options, its seats and the position of October 1899. Source: ruling 5."""

from games.boer_war.components import EVEN_NUMBERS, FIRST_NUMBERS, WEIGHED_NUMBERS, Side
from games.boer_war.events import AnyEvent
from games.boer_war.model import BOERS, EMPIRE, PLAYER, SIDES, LeaderStanding, State
from games.boer_war.owner_data import box_of
from games.boer_war.sequence import begin_round, begin_turn
from games.boer_war.working_state import WorkingState
from games.dice import Dice
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import GameOption, Options, Outcome, Seat

MODE_OPTION = GameOption(
    name="mode",
    sort="choice",
    meaning="boer_war.option_meanings.mode",
    default="war",
    values=("war", "both", "table"),
    ruling="2.8.table",
)
POOL_OPTION = GameOption(
    name="pool",
    sort="choice",
    meaning="boer_war.option_meanings.pool",
    default="unflipped_2",
    values=("unflipped_2", "stop_left_in_cup"),
    ruling="2.7.cup",
)
NUMBERS_OPTION = GameOption(
    name="numbers",
    sort="choice",
    meaning="boer_war.option_meanings.numbers",
    default="railways",
    values=("railways", EVEN_NUMBERS, WEIGHED_NUMBERS, FIRST_NUMBERS),
    ruling="11.numbers",
)
BOX_OPTION = GameOption(
    name=DATA,
    sort="folder",
    meaning="boer_war.option_meanings.data",
)
OPTIONS = (MODE_OPTION, POOL_OPTION, NUMBERS_OPTION, BOX_OPTION)


def seats(options: Options) -> tuple[Seat, ...]:
    """Return the seats of a game: one for each side, or one player for both."""
    return (BOERS, EMPIRE) if options.get("mode", MODE_OPTION.default) == "war" else (PLAYER,)


def open_game(options: Options, dice: Dice) -> Outcome[State, AnyEvent]:
    """Return the state before the first action of Turn I, and the events up to there."""
    working = WorkingState(starting_state(options), dice)
    begin_turn(working)
    begin_round(working)
    return Outcome(working.now, tuple(working.events))


def starting_state(options: Options) -> State:
    """Return the state with leaders and garrisons at the start. At the player's own table there are none."""
    box = box_of(options).materials
    here = {} if options["mode"] == "table" else box.leaders
    leaders = {
        name: LeaderStanding(at=leader.at, sp=leader.sp)
        for name, leader in here.items()
        if leader.at is not None
    }
    garrisons = {post.at: post.sp for post in box.garrisons} if here else {}
    brought: dict[Side, int] = {
        side: sum(there.sp for name, there in leaders.items() if box.leaders[name].side == side)
        for side in SIDES
    }
    brought["empire"] += sum(garrisons.values())
    return State(
        options=dict(options),
        counters={side: RoundCounters() for side in SIDES},
        leaders=leaders,
        garrisons=garrisons,
        boxes={side: () for side in SIDES},
        control={point: place.control for point, place in box.places.items()} if here else {},
        trenches={side: () for side in SIDES},
        pools=dict.fromkeys(SIDES, 0),
        scattered=dict.fromkeys(SIDES, 0),
        lost=dict.fromkeys(SIDES, 0),
        brought=brought,
    )
