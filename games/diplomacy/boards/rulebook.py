"""The decisions of a variant: its year, and every ruling by name."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from games.diplomacy.model import Kind, Phase, Season
from games.options import settle, with_starting_values
from games.protocol import GameOption, Invalid, OptionValue, Turn
from games.record import Malformed, Record, replace_fields, revive

SEASON_NAMES: dict[str, str] = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}

PHASE_KINDS: dict[str, str] = {"M": "moves", "R": "retreats", "A": "builds"}
"""What a phase asks for: it names the turn, and its deadline."""

REMOVALS = "removals"
"""What the phase of builds asks of a power that has too many units."""


class YearStep(Record, frozen=True, kw_only=True):
    """One phase of the year, and what happens when it closes.

    captures: centres go to whoever stands on them; storms: they meet whoever is on a stormy water (H3);
    ends_year: a new year begins, and the end of the game is looked for at the latest.
    """

    season: Season
    kind: Literal["M", "R", "A"]
    captures: bool = False
    storms: bool = False
    ends_year: bool = False


class Rulebook(Record, frozen=True, kw_only=True):
    """The year of a variant, where it comes from, and its rulings.

    source: where the rules were published; aliases: other names of the kind.
    turn_name: a pattern with {season}, {year}, {kind}; builds_of: the kinds that may be built.
    begins: season and kind of the phase in which a game begins ("WA"), "" for the year's first.
    canoes: whether there are canoe-fleets.
    builds_in: "starting": a power builds in the centres it started with (N5); "owned": in any it owns.
    twice: which valid order stands when a unit got two (V7).
    portage: a canoe-fleet is carried to any neighbouring shore, or along the same water only (C6).
    standoffs: walkers who stand each other off keep a canoe-fleet out too, or leave the way open to it (C9).
    attacked: what spoils the building of a canoe-fleet: foreign walkers, or whoever aims there (N6).
    destruction: which order stands when one canoe-fleet is to be both carried and destroyed (D2).
    taboo_ends: at once with the first who enters, or when that season's retreats are over (T6).
    bay_exit: where one comes off a stormy water: on any shore, or not on the one he came from (H2).
    convoy_routes: an army gets across while one way is open, or only if none of its fleets is dislodged (DATC
    4.A.1).
    paradoxes: of a convoy that hangs on its own success the army stays and does nothing, or whatever hangs
    on it holds, moves and supports alike (DATC 4.A.2).
    missing_convoy: an army that could walk, says VIA and is convoyed by nobody stays, or walks (DATC 6.G.8).
    beaten_by_sea: who was dislodged by a convoyed army still hinders others in the province that this came
    from, or not (DATC 4.A.7).
    unnamed_coast: a fleet that could go to several coasts, and names none, stays or goes to the first (DATC
    4.B.1).
    wrong_coast: a fleet that names a coast out of its reach stays, or goes to the one in reach (DATC 4.B.3).
    convoy_intent: what makes an army that could walk go by convoy: the word VIA or the order of a fleet of
    its own nation, the word or any fleet's order, or the word alone (DATC 4.A.3).
    retreat_overseas: who was beaten by a convoyed army may retreat to where that came from, or not (4.A.5).
    victory_after: whether the game can end as soon as centres have changed hands (fall), or only after the
    year's builds (winter). A game whose options do not say it goes by the rulebook.
    removal_near: how far a unit is from home when nobody says which to remove: from the nearest centre of its
    start, or from the nearest that its power owns (4.D.8).
    options: the rulings that a game may choose otherwise, each named as here, and choices of the board.
    why: for each ruling, by its name here, the reason in a sentence.
    """

    source: str
    aliases: tuple[str, ...] = ()
    turn_name: str
    year: tuple[YearStep, ...]
    builds_of: tuple[Kind, ...]
    begins: str = ""
    canoes: bool = False
    builds_in: Literal["starting", "owned"] = "starting"
    twice: Literal["last", "first"] = "last"
    portage: Literal["any-shore", "same-water"] = "any-shore"
    standoffs: Literal["bar-canoes", "admit-canoes"] = "bar-canoes"
    attacked: Literal["foreigners", "anyone"] = "foreigners"
    destruction: Literal["carried", "destroyed"] = "carried"
    taboo_ends: Literal["at-once", "with-season"] = "at-once"
    bay_exit: Literal["any-shore", "other-shore"] = "any-shore"
    convoy_routes: Literal["any", "all"] = "any"
    paradoxes: Literal["szykman", "all-hold"] = "szykman"
    missing_convoy: Literal["stays", "walks"] = "stays"
    beaten_by_sea: Literal["hinders", "spares"] = "hinders"
    unnamed_coast: Literal["void", "first"] = "void"
    wrong_coast: Literal["void", "mended"] = "void"
    convoy_intent: Literal["own-fleet", "any-fleet", "written"] = "own-fleet"
    retreat_overseas: Literal["allowed", "barred"] = "allowed"
    removal_near: Literal["starting", "owned"] = "starting"
    victory_after: Literal["fall", "winter"] = "winter"
    options: tuple[GameOption, ...] = ()
    why: dict[str, str] = {}

    def under(self, options: Mapping[str, OptionValue]) -> "Rulebook":
        """The rulebook of a game that chose otherwise; options that are no rulings are passed over."""
        chosen = {name: value for name, value in options.items() if name in RULINGS}
        return replace_fields(self, **chosen) if chosen else self

    def decides(self, step: YearStep) -> bool:
        """Whether the end of the game is looked for when a phase closes."""
        return step.ends_year or (step.captures and self.victory_after == "fall")

    @property
    def season_of_end(self) -> str:
        """The name of the season after which a game can end: "Fall"."""
        return SEASON_NAMES[next(step.season for step in self.year if self.decides(step))]

    def step(self, phase: Phase) -> YearStep:
        """The step of the year that a phase is. Raises KeyError for a phase that this year does not have."""
        for step in self.year:
            if (step.season, step.kind) == (phase.season, phase.kind):
                return step
        raise KeyError(phase.short)

    def beginning(self, year: int) -> Phase:
        """The phase in which a game begins: the year's first, or the one named by `begins`."""
        step = next((step for step in self.year if step.season + step.kind == self.begins), self.year[0])
        return Phase(season=step.season, year=year, kind=step.kind)

    def opening(self, year: int) -> Phase:
        """The first phase of a year."""
        first = self.year[0]
        return Phase(season=first.season, year=year, kind=first.kind)

    def following(self, phase: Phase) -> Phase:
        """The phase after another one."""
        step = self.step(phase)
        if step.ends_year:
            return self.opening(phase.year + 1)
        after = self.year[self.year.index(step) + 1]
        return Phase(season=after.season, year=phase.year, kind=after.kind)

    def turn(self, phase: Phase) -> Turn:
        """Return the names of a phase: "Spring, year 1, moves"."""
        return _turn(self.turn_name, phase.season, phase.year, phase.kind)


@lru_cache(maxsize=4096)
def _turn(name: str, season: Season, year: int, kind: str) -> Turn:
    """Each is asked for many times: of the turns to come, by every letter."""
    words = {"season": SEASON_NAMES[season], "year": year, "kind": PHASE_KINDS[kind]}
    return Turn(name=name.format(**words), short=f"{season}{year}{kind}", kind=PHASE_KINDS[kind])


RULINGS: dict[str, tuple[str, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Rulebook).items() if get_origin(hint) is Literal
}
"""The named rulings, and what each may be."""


def read_rulebook(raw: Any) -> Rulebook:
    """The rulebook of a rulebook.toml's plain value. Raises Invalid that names the entry at fault.

    An option that is a ruling gets its values from the ruling, and its default unless it names another one.
    """
    try:
        book: Rulebook = revive(Rulebook, raw)
    except Malformed as fault:
        raise Invalid("rulebook.toml", str(fault)) from fault
    ends = [step.ends_year for step in book.year]
    if not ends or not ends[-1] or any(ends[:-1]):
        raise Invalid("rulebook.toml: year", "the last phase ends the year, and no other does")
    if book.begins and book.begins not in {step.season + step.kind for step in book.year}:
        raise Invalid("rulebook.toml: begins", f"{book.begins} is no phase of the year", 'write it like "WA"')
    if len({(step.season, step.kind) for step in book.year}) < len(book.year):
        raise Invalid("rulebook.toml: year", "a phase stands there twice")
    for name in book.why:
        if name not in Rulebook.__struct_fields__:
            raise Invalid(f"rulebook.toml: why: {name}", "there is no such ruling")
    options = tuple(_complete_option(book, option) for option in book.options)
    try:
        settle(options, with_starting_values(options, {}))
    except Invalid as fault:
        raise Invalid(f"rulebook.toml: options: {fault.what}: begins", fault.why, fault.instead) from fault
    return replace_fields(book, options=options)


def _complete_option(book: Rulebook, option: GameOption) -> GameOption:
    if option.name not in RULINGS:
        return option
    default = getattr(book, option.name) if option.default is None else option.default
    return replace_fields(option, values=RULINGS[option.name], default=default)
