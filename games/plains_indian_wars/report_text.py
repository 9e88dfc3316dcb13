"""The report texts of Plains Indian Wars: events, headlines, introduction. Implements `protocol.Telling`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games import close_up
from games.own_box import DATA, short_hash
from games.plains_indian_wars import map, tables
from games.plains_indian_wars import map as scenes
from games.plains_indian_wars.components import Scenario
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
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US_SEAT, Colour, View
from games.plains_indian_wars.nations import report_text as nations
from games.plains_indian_wars.nations import tables as nations_tables
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.phrases import (
    RAILROAD_LINES,
    advice,
    card_name,
    cubes_text,
    engagement_text,
    faction_name,
    fault_text,
    join_words,
    night_raid_text,
    region_name,
    wagon_raid_text,
)
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.protocol import (
    Advice,
    Concern,
    EventPlaces,
    MapRegion,
    Objection,
    ReportLine,
    ReportTable,
    Seat,
    Telling,
)

_PLAINS_NOTATION = PlainsNotation()


class PlainsTelling(Telling[View, AnyEvent]):
    """The report texts: implements `protocol.Telling`."""

    has_fronts = True

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence, under the disc on which it happened."""
        heading = "Standing instructions" if isinstance(event, Instructed) else _heading(event)
        harmless = isinstance(event, NightRaid) and not event.thrown
        return ReportLine(
            heading=heading, text=_sentence(event), failed=isinstance(event, LeftOut), routine=harmless
        )

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and which side the seat plays."""
        return setting(view)

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
        return f"The score is now {us} for the U.S. and {nations} for the tribes."

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
        return None if seat is None else map.front_scene(view, seat, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Every region: who holds it, and what stands there."""
        return map.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return map.mention(event)

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
            times = "once" if event.times == 1 else f"{event.times} times"
            return f"The {event.deck} hand had no action card, so we shuffled it back and drew again {times}."
        case Refilled():
            return _refilled_text(event)
        case Placed():
            verb = "joined the party in" if event.why == "party" else "came to"
            return f"{event.count} {event.colour} {verb} {region_name(event.at)}."
        case Moved():
            return _moved_text(event)
        case Recovered():
            return f"{event.count} {event.colour} returned from the Casualty Box to the Ready Box."
        case Removed():
            return _removed_text(event)
        case LeftOut():
            return _left_out_text(event)
        case Fought():
            return engagement_text(event)
        case WagonsFought():
            return wagon_raid_text(event)
        case WagonsMoved():
            return (
                f"{cubes_text({'White': event.count})} rolled from {region_name(event.start)} to "
                f"{region_name(event.to)}."
            )
        case WagonsCame():
            return f"{cubes_text({'White': event.count})} gathered in St. Louis."
        case NightRaid():
            return night_raid_text(event)
        case RailsLaid():
            return _rails_laid_text(event)
        case CusterRode():
            return _custer_rode_text(event)
        case CusterFell():
            return f"Custer's whole force fell in {region_name(event.at)}."
        case Instructed():
            return f"From now on: {_PLAINS_NOTATION.write(event.order)}."
        case LastTurn():
            return _last_turn_text(event)
        case Ended():
            return _ended_text(event)
        case _:
            return nations.nations_sentence(event)


def _raided_text(event: Raided) -> str:
    if not event.placed:
        text = f"No {event.colour} cube arrived in {region_name(event.at)}"
    else:
        verb = "pressed on to" if not event.number else "appeared in"
        text = f"{event.placed} {event.colour} {verb} {region_name(event.at)}"
    if event.number:
        text += f" (die {event.number})"
    if event.borrowed:
        text += (
            f", {event.borrowed} of them from {region_name(event.lender)}, because the Ready Box was empty"
        )
    why = {
        "limit": "the region is full",
        "supply": "none were left",
        "quiet": "a card forbids it",
        "": "",
    }
    return f"{text}: {why[event.why]}." if event.why else f"{text}."


def _card_played_text(event: CardPlayed) -> str:
    if event.discarded:
        return f"{card_name(event.card)} was discarded."
    where = f" in {region_name(event.at)}" if event.at else ""
    return (
        f"{card_name(event.card)} was played{where}{f' against {region_name(event.to)}' if event.to else ''}."
    )


def _refilled_text(event: Refilled) -> str:
    return f"Drawn into the {event.deck} hand: {join_words([card_name(card_id) for card_id in event.cards])}."


def _moved_text(event: Moved) -> str:
    verb = "parted from Purple and moved" if event.parted else "moved"
    return (
        f"{cubes_text(event.cubes, event.scenario)} {verb} from {region_name(event.start)} to "
        f"{region_name(event.to)}."
    )


def _removed_text(event: Removed) -> str:
    return (
        f"{card_name(event.card)} sent {event.count} {event.colour} of {region_name(event.at)} back to the "
        f"Ready Box."
    )


def _left_out_text(event: LeftOut) -> str:
    how = "only partly carried out" if event.partly else "not carried out"
    why = fault_text(event.why.code, event.why.detail)
    return f"{_PLAINS_NOTATION.write(event.order)}: {how}, because {why}."


def _rails_laid_text(event: RailsLaid) -> str:
    text = f"{RAILROAD_LINES[event.line]} got {event.count or 'no'} space{'s' * (event.count != 1)}"
    if event.brown is not None:
        text += f" by {event.brown} Brown at its railhead"
    if event.dice:
        text += f" (Brown dice: {', '.join(event.dice)})"
    return f"{text[0].upper()}{text[1:]} and now has {event.built}."


def _custer_rode_text(event: CusterRode) -> str:
    tied = (
        f"; {join_words([region_name(region) for region in event.tied])} were equally good"
        if event.tied
        else ""
    )
    return f"Custer rode into {region_name(event.at)} with {event.count} Blue{tied}."


def _last_turn_text(event: LastTurn) -> str:
    why = "The railroad is complete" if event.why == "railroad" else f"The last {event.why} card was played"
    return f"{why}: the game ends with this turn."


def _ended_text(event: Ended) -> str:
    nations, us = (points_text(halves) for halves in totals(event.rows))
    if event.winner == US_SEAT:
        return f"The U.S. won the game by {us} points to {nations}."
    tie = ", because they win ties" * (us == nations)
    return f"The Plains nations won the game by {nations} points to {us}{tie}."


# The headline of a report and its subject: the events of some discs, in a sentence or two.


_MAX_PLACES_NAMED = 3


def headline(events: Sequence[AnyEvent]) -> str:
    """Return the most important news first; the discs drawn if there is nothing else to tell."""
    news = [
        *_end_news(events),
        *nations.ending_news(events),
        *_custer_news(events),
        *_fight_news(events),
        *_wagon_news(events),
        *nations.advance_news(events),
        *_railroad_news(events),
    ]
    if not news:
        drawn = [str(event.disc) for event in events if isinstance(event, Drawn)]
        return f"Drawn: {join_words(drawn)}. No fighting." if drawn else "The board is set up."
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in news[:4])


def _end_news(events: Iterable[AnyEvent]) -> list[str]:
    for event in events:
        if isinstance(event, Ended):
            nations, us = (points_text(halves) for halves in totals(event.rows))
            return (
                [f"the U.S. won, {us} to {nations}"]
                if event.winner == US_SEAT
                else [f"the Plains nations won, {nations} to {us}"]
            )
    return ["this turn is the last"] if any(isinstance(event, LastTurn) for event in events) else []


def _custer_news(events: Iterable[AnyEvent]) -> list[str]:
    return [f"Custer fell in {region_name(event.at)}" for event in events if isinstance(event, CusterFell)]


def _fight_news(events: Iterable[AnyEvent]) -> list[str]:
    fights = [event for event in events if isinstance(event, Fought)]
    if not fights:
        return []
    fell: dict[Colour, int] = {}
    for fight in fights:
        for fight_round in fight.rounds:
            for colour, count in fight_round.fell.items():
                fell[colour] = fell.get(colour, 0) + count
    where = list(dict.fromkeys(region_name(fight.at) for fight in fights))
    named = join_words(where) if len(where) <= _MAX_PLACES_NAMED else f"{len(where)} regions"
    colours: tuple[Colour, ...] = (*SOLDIERS, "White", "Black", *TRIBES)
    losses = cubes_text({colour: fell[colour] for colour in colours if colour in fell}, fights[0].scenario)
    return [f"fighting in {named}: {losses} fell" if fell else f"fighting in {named} without losses"]


def _wagon_news(events: Iterable[AnyEvent]) -> list[str]:
    through = sum(e.count for e in events if isinstance(e, WagonsMoved) and e.to == "ROCKIES")
    fought = [e for e in events if isinstance(e, WagonsFought)]
    lost = sum(fight_round.fell.get("White", 0) for e in fought for fight_round in e.rounds) + sum(
        shown.count("hit") for e in events if isinstance(e, NightRaid) for shown in e.thrown.values()
    )
    news = []
    if through:
        news.append(f"{cubes_text({'White': through})} reached the Rockies")
    if lost:
        news.append(f"{cubes_text({'White': lost})} {'was' if lost == 1 else 'were'} lost")
    elif fought:
        where = dict.fromkeys(region_name(fight.at) for fight in fought)
        news.append(f"wagons in {join_words(list(where))} survived an attack")
    return news


def _railroad_news(events: Iterable[AnyEvent]) -> list[str]:
    spaces = sum(event.count for event in events if isinstance(event, RailsLaid))
    return [f"the railroad grew by {spaces} space{'s' * (spaces != 1)}"] if spaces else []


# The introduction for a new player in a few sentences: goal, time, surprises.


def setting(view: View) -> str:
    """Return the war, its rules, and which side the player leads."""
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    by = "The wars on the Great Plains, played alone with the published solitaire system"
    if scenario.plays == "US":
        side = "the U.S.: its cavalry, settlers and railroad. Rules and dice control the tribes"
    else:
        side = f"the Plains nations. Rules and dice control the U.S. The scenario is {scenario.title}"
    return f"{by}. You lead {side}."


def introduction(view: View) -> tuple[str, ...]:
    """Return how to win, how long it takes, what is special, and how much of the data is ours."""
    scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
    return (
        *(_us_paragraphs() if scenario.plays == "US" else _nations_paragraphs(scenario)),
        _data_note(view, scenario),
    )


def _data_note(view: View, scenario: Scenario) -> str:
    if DATA in view.options:
        whose = f"and the numbers come from an owner's box, {short_hash(str(view.options[DATA]))}"
    else:
        counted = close_up.count_assumed(
            "games.plains_indian_wars", "data/cards.json", "decks", scenario.decks
        )
        whose = f"but {close_up.describe_counts([('cards', counted)])}"
    return f"The rules are those of the solitaire system, {whose}."


def _us_paragraphs() -> tuple[str, ...]:
    return (
        "You win if you have more points than the tribes at the end of the game. The tribes win ties. "
        "Points come from the railroad, open trails, wagons that get through, regions and key locations.",
        "The game ends with the turn when the railroad is complete or one of your decks is empty. Each turn "
        "has seven discs, and you make a plan for three of them.",
        "Discs are drawn one by one: wagons roll west, the railroad is built, tribes gather in bands. "
        "If both sides are in a region, dice decide the engagement. You decide in advance with instructions.",
    )


def _nations_paragraphs(scenario: Scenario) -> tuple[str, ...]:
    turns = (
        f"at most {scenario.turns} turns"
        if scenario.turns
        else "until the railroad is complete or a deck is empty"
    )
    if scenario.trains:
        goal = "You win if no wagon reaches the Rockies"
        goal += (
            ". If wagons get through on only one trail, it is a draw." if len(scenario.trains) > 1 else "."
        )
        special = "The wagon train moves one step each turn. Rules and dice control its defence."
    elif scenario.works:
        goal = "You win if the railroad isn't complete at the end of the game."
        special = (
            "Workers and their escorts keep building. Your attacks on them come before they build the next "
            "space."
        )
    else:
        goal = (
            "You win if no U.S. cube is in the Black Hills at the end, or as soon as all columns "
            "are destroyed."
        )
        special = "Three columns of cavalry ride for the Black Hills, each by a known route."
    return (
        goal,
        f"It lasts {turns}. Each turn you make a plan: a card, cubes, groups to move, Events.",
        special,
    )
