"""Plains Indian Wars in words: each event in a sentence, the headline, the tables of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.plains_indian_wars import front, pointing, tables
from games.plains_indian_wars import scene as scenes
from games.plains_indian_wars.events import (
    AnyEvent,
    CardPlayed,
    CusterFell,
    CusterRode,
    Decided,
    Drawn,
    Ended,
    Fought,
    Instructed,
    LastTurn,
    LeftOut,
    Moved,
    NightRaid,
    Placed,
    Raided,
    RailsLaid,
    Recovered,
    Redrawn,
    Refilled,
    Removed,
    WagonsCame,
    WagonsFought,
    WagonsMoved,
)
from games.plains_indian_wars.headline import headline
from games.plains_indian_wars.introduction import introduction, setting
from games.plains_indian_wars.model import US, View
from games.plains_indian_wars.nations import tables as nations_tables
from games.plains_indian_wars.nations import telling as nations
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.phrases import LINES, advice, card, cubes, faction, listed, place, reason
from games.plains_indian_wars.scoring import points, schedule, totals
from games.plains_indian_wars.telling_engagements import engagement, night, raid
from games.protocol import Advice, Concern, Line, Objection, Seat, Table
from games.protocol.optional import Mention, Spot

_NOTATION = PlainsNotation()


class PlainsTelling:
    """The words: implements `protocol.Telling`."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under the disc on which it happened."""
        heading = "Standing instructions" if isinstance(event, Instructed) else _heading(event)
        harmless = isinstance(event, NightRaid) and not event.thrown
        return Line(heading=heading, text=_said(event), failed=isinstance(event, LeftOut), routine=harmless)

    def setting(self, view: View, seat: Seat | None) -> str:
        """What the game is, and whom the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """The story of the discs in a sentence or two."""
        return headline(events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """How it would end if it were counted now; in Variant II how it stands; "" once it has ended.

        Source: PIW1.score.rail to PIW1.score.tie; Variant II has no points.
        """
        if any(isinstance(event, Ended | Decided) for event in events):
            return ""
        if view.options["scenario"] != "1":
            return f"{nations_tables.state_of_play(view)}."
        nations, us = (points(one) for one in totals(schedule(view)))
        return f"If it were counted now, it would stand {nations} for the tribes and {us} for the U.S."

    def tables(self, view: View) -> tuple[Table, ...]:
        """What there is to decide, the board region by region, boxes, railroad, score."""
        return tables.tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """What board.svg draws."""
        return scenes.scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """What board.svg draws of the part of the map that concerns a side; no part of it is crowded."""
        return None if seat is None else front.closer(view, seat, events)

    def spots(self, view: View) -> tuple[Spot, ...]:
        """Every region: who holds it, and what stands there."""
        return pointing.spots(view)

    def mention(self, event: AnyEvent) -> Mention | None:
        """Where an event happens."""
        return pointing.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


def _heading(event: AnyEvent) -> str:
    if event.disc is None:
        return "The end" if event.turn else "Set-up"
    return f"Turn {event.turn}: {faction(event.disc, event.scenario)}"


def _said(event: AnyEvent) -> str:
    """What happens in every scenario; Variant II alone knows the rest."""
    match event:
        case Drawn():
            return "The disc was drawn."
        case Raided():
            return _raided(event)
        case CardPlayed():
            return _card_played(event)
        case Redrawn():
            return _redrawn(event)
        case Refilled():
            return _refilled(event)
        case Placed():
            return _placed(event)
        case Moved():
            return _moved(event)
        case Recovered():
            return _recovered(event)
        case Removed():
            return _removed(event)
        case LeftOut():
            return _left_out(event)
        case Fought():
            return engagement(event)
        case WagonsFought():
            return raid(event)
        case WagonsMoved():
            return _wagons_moved(event)
        case WagonsCame():
            return _wagons_came(event)
        case NightRaid():
            return night(event)
        case RailsLaid():
            return _rails(event)
        case CusterRode():
            return _custer_rode(event)
        case CusterFell():
            return _custer_fell(event)
        case Instructed():
            return _instructed(event)
        case LastTurn():
            return _last_turn(event)
        case Ended():
            return _ended(event)
        case _:
            return nations.said(event)


def _raided(event: Raided) -> str:
    if not event.placed:
        said = f"No {event.colour} cube came to {place(event.at)}"
    else:
        verb = "pressed on to" if not event.number else "appeared in"
        said = f"{event.placed} {event.colour} {verb} {place(event.at)}"
    if event.number:
        said += f" (die {event.number})"
    if event.borrowed:
        said += f", {event.borrowed} of them out of {place(event.lender)}, since the Ready Box was empty"
    why = {
        "limit": "no more may stand there",
        "supply": "none were left",
        "quiet": "a card forbids it",
        "": "",
    }
    return f"{said}: {why[event.why]}." if event.why else f"{said}."


def _card_played(event: CardPlayed) -> str:
    if event.discarded:
        return f"{card(event.card)} was given up."
    where = f" in {place(event.at)}" if event.at else ""
    return f"{card(event.card)} was played{where}{f' against {place(event.to)}' if event.to else ''}."


def _redrawn(event: Redrawn) -> str:
    times = "once" if event.times == 1 else f"{event.times} times"
    return f"The {event.deck} hand had no action card; it went back and was drawn anew {times}."


def _refilled(event: Refilled) -> str:
    return f"Drawn into the {event.deck} hand: {listed([card(one) for one in event.cards])}."


def _placed(event: Placed) -> str:
    verb = "joined the party in" if event.why == "party" else "came to"
    return f"{event.count} {event.colour} {verb} {place(event.at)}."


def _moved(event: Moved) -> str:
    verb = "parted from Purple and moved" if event.parted else "moved"
    return f"{cubes(event.cubes, event.scenario)} {verb} from {place(event.start)} to {place(event.to)}."


def _recovered(event: Recovered) -> str:
    return f"{event.count} {event.colour} came back from the Casualty Box to the Ready Box."


def _removed(event: Removed) -> str:
    return f"{card(event.card)} sent {event.count} {event.colour} of {place(event.at)} back to the Ready Box."


def _left_out(event: LeftOut) -> str:
    how = "carried out in part" if event.partly else "left out"
    return f"{_NOTATION.write(event.order)}: {how}, since {reason(event.why.code, event.why.detail)}."


def _wagons_moved(event: WagonsMoved) -> str:
    return f"{cubes({'White': event.count})} rolled from {place(event.start)} to {place(event.to)}."


def _wagons_came(event: WagonsCame) -> str:
    return f"{cubes({'White': event.count})} gathered in St. Louis."


def _rails(event: RailsLaid) -> str:
    said = f"{LINES[event.line]} got {event.count or 'no'} space{'s' * (event.count != 1)}"
    if event.brown is not None:
        said += f" by {event.brown} Brown at its railhead"
    if event.dice:
        said += f" (Brown dice: {', '.join(event.dice)})"
    return f"{said[0].upper()}{said[1:]}; it has {event.built} now."


def _custer_rode(event: CusterRode) -> str:
    tied = f"; {listed([place(one) for one in event.tied])} would have done too" if event.tied else ""
    return f"Custer rode into {place(event.at)} with {event.count} Blue{tied}."


def _custer_fell(event: CusterFell) -> str:
    return f"Custer and all his men fell in {place(event.at)}."


def _instructed(event: Instructed) -> str:
    return f"From now on: {_NOTATION.write(event.order)}."


def _last_turn(event: LastTurn) -> str:
    why = "The railroad is complete" if event.why == "railroad" else f"The last {event.why} card was played"
    return f"{why}: the game ends with this turn."


def _ended(event: Ended) -> str:
    nations, us = (points(one) for one in totals(event.rows))
    if event.winner == US:
        return f"The U.S. won the game by {us} points to {nations}."
    tie = ", since ties are theirs" * (us == nations)
    return f"The Plains nations won the game by {nations} points to {us}{tie}."
