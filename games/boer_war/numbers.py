"""The numbers of the rules (data/numbers.json): one record for each table, with its mark."""

from collections.abc import Mapping

from games.boer_war.codes import EventId, LeaderId, Mark, Point, Role, Side
from games.record import Record


class TurnNumbers(Record, frozen=True, kw_only=True):
    """A Turn's dates, the SP that come into the pools, and how many REINFORCE brings the Empire."""

    number: int
    dates: str
    empire_pool: int
    boer_pool: int
    reinforce: int
    mark: Mark


class Losses(Record, frozen=True, kw_only=True):
    """SP that loser and winner lose from a difference up."""

    low: int
    loser: int
    winner: int


class RoundNumbers(Record, frozen=True, kw_only=True):
    """Rounds of a side in a Turn, and who begins."""

    of_a_side: int
    first: Side
    mark: Mark


class ReinforcementNumbers(Record, frozen=True, kw_only=True):
    """SP that come to leaders. recruits_below: who has so many recruits no more."""

    boers: int
    reorganized: int
    recruit_pool: int
    recruits_below: int
    mark: Mark


class MoveNumbers(Record, frozen=True, kw_only=True):
    """Links. rail: of one RAIL; supply: from a rail point; unsupplied: of one MOVE; trek: of one TREK.

    commando: what a Boer leader may lead in Turns III and IV; group: whom a Commander-in-Chief takes along.
    """

    rail: int
    supply: int
    unsupplied: int
    trek: int
    commando: int
    group: int
    mark: Mark


class MarkerNumbers(Record, frozen=True, kw_only=True):
    """Markers: how many, how far men go to cut and to repair, and how many cuts one REPAIR removes.

    cut_near, repair_near: links from where they stand to an end of the link; mends: the lowest roll that
    removes a cut, 0 if none is rolled. Earlier boxes do not say how repairs are done.
    """

    cut_near: int
    repaired: int
    blockhouses: int
    camps: int
    mark: Mark
    repair_near: int = 1
    mends: int = 0


class BattleNumbers(Record, frozen=True, kw_only=True):
    """Cards, modifiers and losses of battles.

    hand: the most cards kept; beyond: so many SP more count one; mobile: what beaten Boers lose less without
    ox wagons, which go with a Move of ox_wagons or less; slip_move, slip_from: who slips away, and when.
    """

    hand: int
    beyond: int
    garrison_command: int
    terrain: int
    trench: int
    unsupplied: int
    losses: tuple[Losses, ...]
    mobile: int
    ox_wagons: int
    decisive: int
    slip_move: int
    slip_from: int
    mark: Mark


class EstimateNumbers(Record, frozen=True, kw_only=True):
    """The average score of a side in a battle."""

    empire: dict[Role, float]
    boers: dict[Role, float]
    command: float
    base: float
    mark: Mark


class SkirmishNumbers(Record, frozen=True, kw_only=True):
    """Evasion, modifiers and losses of skirmishes; drive: leaders of one DRIVE."""

    evades: int
    blockhouses: int
    boer_attack: int
    boer_veld: int
    twice: int
    four_times: int
    losses: tuple[Losses, ...]
    repulsed: int
    decisive: int
    drive: int
    mark: Mark


class BlockhouseNumbers(Record, frozen=True, kw_only=True):
    """Crossing a line of blockhouses, and raiding one.

    ends: 1 if who comes into a point at which a line ends crosses it, 0 if only who goes along its link does.
    quiet: 1 if nobody recruits where one ends. Boxes of before say neither.
    """

    loses: int
    skilled: int
    skill: int
    raid_cuts: int
    raid_loses: int
    mark: Mark
    ends: int = 0
    quiet: int = 0


class SiegeNumbers(Record, frozen=True, kw_only=True):
    """SP that a siege takes, what raises its level and by how much, the bonus of a strong force."""

    least: int
    rises: int
    step: int
    strong: int
    bonus: int
    mark: Mark


class AttritionNumbers(Record, frozen=True, kw_only=True):
    """After which rounds of the Empire, how near camps wear, and how many at most."""

    rounds: tuple[int, ...]
    near: int
    most: int
    mark: Mark


class ArrivalNumbers(Record, frozen=True, kw_only=True):
    """Where leaders come who have no other place; taken: SP that one takes over from whom he joins."""

    cape: Point
    republics: Point
    taken: int
    mark: Mark


class ScatteredNumbers(Record, frozen=True, kw_only=True):
    """The share of the Scattered box that is lost at the end of a Turn: one SP of each `one_of`."""

    one_of: int
    mark: Mark


class LeaderTestNumbers(Record, frozen=True, kw_only=True):
    """The number on which a leader is out of the game."""

    out: int
    mark: Mark


class RisingNumbers(Record, frozen=True, kw_only=True):
    """The Boers at the beginning of Turn III: SP at least and at most."""

    least: int
    most: int
    mark: Mark


class TransitionNumbers(Record, frozen=True, kw_only=True):
    """The leaders of the Boers from Turn III on."""

    roster: tuple[LeaderId, ...]
    mark: Mark


class VictoryNumbers(Record, frozen=True, kw_only=True):
    """Completed sieges, targets, centres; Boer SP when they are broken, gone, unbeaten; camps ahead of R.

    camps_last: by how many they are to be more at the end of Turn IV; unbeaten_first: 1 if Boers who are
    unbeaten then win all the same. Boxes of before say neither.
    centres_turn, centres_round: the last round of the Empire's after which the three centres win at once.
    """

    sieges: int
    targets: int
    centres: int
    centres_turn: int
    centres_round: int
    broken: int
    gone: int
    camps_ahead: int
    unbeaten: int
    mark: Mark
    camps_last: int = 0
    unbeaten_first: int = 0


class EarlierNumbers(Record, frozen=True, kw_only=True):
    """The numbers of games that were begun before, where these are others now.

    markers, blockhouse, skirmish: None in a box that a game of before keeps: it has them in their places.
    needs: those of some events.
    """

    rising: RisingNumbers
    siege: SiegeNumbers
    victory: VictoryNumbers
    markers: MarkerNumbers | None = None
    blockhouse: BlockhouseNumbers | None = None
    skirmish: SkirmishNumbers | None = None
    needs: dict[EventId, int] = {}
    mark: Mark


class RuleNumbers(Record, frozen=True, kw_only=True):
    """All numbers of the rules."""

    about: str
    marks: str
    rounds: RoundNumbers
    turns: tuple[TurnNumbers, ...]
    reinforcing: ReinforcementNumbers
    moving: MoveNumbers
    markers: MarkerNumbers
    battle: BattleNumbers
    estimate: EstimateNumbers
    skirmish: SkirmishNumbers
    blockhouse: BlockhouseNumbers
    siege: SiegeNumbers
    attrition: AttritionNumbers
    arriving: ArrivalNumbers
    scattered: ScatteredNumbers
    leader_test: LeaderTestNumbers
    rising: RisingNumbers
    transition: TransitionNumbers
    victory: VictoryNumbers
    first: EarlierNumbers
    weighed: EarlierNumbers | None = None
    even: EarlierNumbers | None = None
    """None in a box that a game of before keeps: it has these in their places."""


NUMBER_TABLES: Mapping[str, type[Record]] = {
    "rounds": RoundNumbers,
    "reinforcing": ReinforcementNumbers,
    "moving": MoveNumbers,
    "markers": MarkerNumbers,
    "battle": BattleNumbers,
    "estimate": EstimateNumbers,
    "skirmish": SkirmishNumbers,
    "blockhouse": BlockhouseNumbers,
    "siege": SiegeNumbers,
    "attrition": AttritionNumbers,
    "arriving": ArrivalNumbers,
    "scattered": ScatteredNumbers,
    "leader_test": LeaderTestNumbers,
    "rising": RisingNumbers,
    "transition": TransitionNumbers,
    "victory": VictoryNumbers,
    "first": EarlierNumbers,
    "weighed": EarlierNumbers,
    "even": EarlierNumbers,
}
"""The tables that have fields, by name; the Turns are a list."""
