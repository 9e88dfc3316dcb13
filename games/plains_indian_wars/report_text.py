"""Plains Indian Wars in words: each event in a sentence, the headline, the tables of a report."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.plains_indian_wars import front, pointing, tables
from games.plains_indian_wars import map as scenes
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
from games.plains_indian_wars.model import US_SEAT, View
from games.plains_indian_wars.nations import report_text as nations
from games.plains_indian_wars.nations import tables as nations_tables
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.phrases import (
    RAILROAD_LINES,
    advice,
    card_name,
    cubes_text,
    faction_name,
    fault_text,
    join_words,
    region_name,
)
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.plains_indian_wars.telling_engagements import engagement_text, night_raid_text, wagon_raid_text
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat
from games.protocol.optional import EventPlaces, MapRegion

_PLAINS_NOTATION = PlainsNotation()


class PlainsTelling:
    """The words: implements `protocol.Telling`."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence, under the disc on which it happened."""
        heading = "Standing instructions" if isinstance(event, Instructed) else _heading(event)
        harmless = isinstance(event, NightRaid) and not event.thrown
        return ReportLine(
            heading=heading, text=_sentence(event), failed=isinstance(event, LeftOut), routine=harmless
        )

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and which side the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """The story of the discs in a sentence or two."""
        return headline(events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return the result if points were counted now, or how Variant II stands; "" once it has ended.

        Source: PIW1.score.rail to PIW1.score.tie; Variant II has no points.
        """
        if any(isinstance(event, Ended | Decided) for event in events):
            return ""
        if view.options["scenario"] != "1":
            return f"{nations_tables.standing_text(view)}."
        nations, us = (points_text(halves) for halves in totals(schedule(view)))
        return f"If it were counted now, it would stand {nations} for the tribes and {us} for the U.S."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return what there is to decide, the board region by region, boxes, railroad, score."""
        return tables.tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """Return what board.svg draws."""
        return scenes.board_scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return what board.svg draws of the part of the map that concerns a side.

        No part of it is crowded.
        """
        return None if seat is None else front.front_scene(view, seat, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Every region: who holds it, and what stands there."""
        return pointing.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Where an event happens."""
        return pointing.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


def _heading(event: AnyEvent) -> str:
    if event.disc is None:
        return "The end" if event.turn else "Set-up"
    return f"Turn {event.turn}: {faction_name(event.disc, event.scenario)}"


def _sentence(event: AnyEvent) -> str:
    """Return the sentence of an event; those of Variant II alone are in nations/."""
    match event:
        case Drawn():
            return "The disc was drawn."
        case Raided():
            return _raided_text(event)
        case CardPlayed():
            return _card_played_text(event)
        case Redrawn():
            return _redrawn_text(event)
        case Refilled():
            return _refilled_text(event)
        case Placed():
            return _placed_text(event)
        case Moved():
            return _moved_text(event)
        case Recovered():
            return _recovered_text(event)
        case Removed():
            return _removed_text(event)
        case LeftOut():
            return _left_out_text(event)
        case Fought():
            return engagement_text(event)
        case WagonsFought():
            return wagon_raid_text(event)
        case WagonsMoved():
            return _wagons_moved_text(event)
        case WagonsCame():
            return _wagons_came_text(event)
        case NightRaid():
            return night_raid_text(event)
        case RailsLaid():
            return _rails_laid_text(event)
        case CusterRode():
            return _custer_rode_text(event)
        case CusterFell():
            return _custer_fell_text(event)
        case Instructed():
            return _instructed_text(event)
        case LastTurn():
            return _last_turn_text(event)
        case Ended():
            return _ended_text(event)
        case _:
            return nations.nations_sentence(event)


def _raided_text(event: Raided) -> str:
    if not event.placed:
        text = f"No {event.colour} cube came to {region_name(event.at)}"
    else:
        verb = "pressed on to" if not event.number else "appeared in"
        text = f"{event.placed} {event.colour} {verb} {region_name(event.at)}"
    if event.number:
        text += f" (die {event.number})"
    if event.borrowed:
        text += (
            f", {event.borrowed} of them out of {region_name(event.lender)}, since the Ready Box was empty"
        )
    why = {
        "limit": "no more may stand there",
        "supply": "none were left",
        "quiet": "a card forbids it",
        "": "",
    }
    return f"{text}: {why[event.why]}." if event.why else f"{text}."


def _card_played_text(event: CardPlayed) -> str:
    if event.discarded:
        return f"{card_name(event.card)} was given up."
    where = f" in {region_name(event.at)}" if event.at else ""
    return (
        f"{card_name(event.card)} was played{where}{f' against {region_name(event.to)}' if event.to else ''}."
    )


def _redrawn_text(event: Redrawn) -> str:
    times = "once" if event.times == 1 else f"{event.times} times"
    return f"The {event.deck} hand had no action card; it went back and was drawn anew {times}."


def _refilled_text(event: Refilled) -> str:
    return f"Drawn into the {event.deck} hand: {join_words([card_name(card_id) for card_id in event.cards])}."


def _placed_text(event: Placed) -> str:
    verb = "joined the party in" if event.why == "party" else "came to"
    return f"{event.count} {event.colour} {verb} {region_name(event.at)}."


def _moved_text(event: Moved) -> str:
    verb = "parted from Purple and moved" if event.parted else "moved"
    return (
        f"{cubes_text(event.cubes, event.scenario)} {verb} from {region_name(event.start)} to "
        f"{region_name(event.to)}."
    )


def _recovered_text(event: Recovered) -> str:
    return f"{event.count} {event.colour} came back from the Casualty Box to the Ready Box."


def _removed_text(event: Removed) -> str:
    return (
        f"{card_name(event.card)} sent {event.count} {event.colour} of {region_name(event.at)} back to the "
        f"Ready Box."
    )


def _left_out_text(event: LeftOut) -> str:
    how = "carried out in part" if event.partly else "left out"
    return (
        f"{_PLAINS_NOTATION.write(event.order)}: {how}, since {fault_text(event.why.code, event.why.detail)}."
    )


def _wagons_moved_text(event: WagonsMoved) -> str:
    return (
        f"{cubes_text({'White': event.count})} rolled from {region_name(event.start)} to "
        f"{region_name(event.to)}."
    )


def _wagons_came_text(event: WagonsCame) -> str:
    return f"{cubes_text({'White': event.count})} gathered in St. Louis."


def _rails_laid_text(event: RailsLaid) -> str:
    text = f"{RAILROAD_LINES[event.line]} got {event.count or 'no'} space{'s' * (event.count != 1)}"
    if event.brown is not None:
        text += f" by {event.brown} Brown at its railhead"
    if event.dice:
        text += f" (Brown dice: {', '.join(event.dice)})"
    return f"{text[0].upper()}{text[1:]}; it has {event.built} now."


def _custer_rode_text(event: CusterRode) -> str:
    tied = (
        f"; {join_words([region_name(region) for region in event.tied])} would have done too"
        if event.tied
        else ""
    )
    return f"Custer rode into {region_name(event.at)} with {event.count} Blue{tied}."


def _custer_fell_text(event: CusterFell) -> str:
    return f"Custer and all his men fell in {region_name(event.at)}."


def _instructed_text(event: Instructed) -> str:
    return f"From now on: {_PLAINS_NOTATION.write(event.order)}."


def _last_turn_text(event: LastTurn) -> str:
    why = "The railroad is complete" if event.why == "railroad" else f"The last {event.why} card was played"
    return f"{why}: the game ends with this turn."


def _ended_text(event: Ended) -> str:
    nations, us = (points_text(halves) for halves in totals(event.rows))
    if event.winner == US_SEAT:
        return f"The U.S. won the game by {us} points to {nations}."
    tie = ", since ties are theirs" * (us == nations)
    return f"The Plains nations won the game by {nations} points to {us}{tie}."
