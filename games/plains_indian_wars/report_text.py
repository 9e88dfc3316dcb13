"""The report texts of Plains Indian Wars: events, headlines, introduction. Implements `protocol.Telling`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from games import close_up
from games.data import read_json
from games.language import join_list
from games.map_telling import MapTelling
from games.messages import sentence
from games.own_box import DATA, short_hash
from games.plains_indian_wars import map, tables
from games.plains_indian_wars.board import PACKAGE, ROCKIES, board
from games.plains_indian_wars.components import Scenario, materials
from games.plains_indian_wars.events import (
    AnyEvent,
    CardPlayed,
    ColumnFell,
    ColumnMoved,
    CusterFell,
    CusterRode,
    Decided,
    Drawn,
    Ended,
    Forked,
    Fought,
    Instructed,
    LastTurn,
    LeftOut,
    Moved,
    NightRaid,
    OfVariantII,
    PartyMoved,
    Placed,
    Raided,
    RailsLaid,
    RailsTorn,
    Recovered,
    Redrawn,
    Refilled,
    Removed,
    Rode,
    Struck,
    TrainMoved,
    TurnedBack,
    WagonsCame,
    WagonsFought,
    WagonsMoved,
)
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US_SEAT, Colour, View
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.phrases import (
    advice,
    card_name,
    cubes_text,
    ending_text,
    engagement_text,
    faces_text,
    faction_name,
    fault_text,
    night_raid_text,
    region_name,
    wagon_raid_text,
)
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.protocol import Advice, Concern, NewsItem, Objection, ReportLine, ReportTable, Seat

_PLAINS_NOTATION = PlainsNotation()


class PlainsTelling(MapTelling[View, AnyEvent]):
    """The report texts: implements `protocol.Telling`."""

    map_module = map
    has_fronts = True

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the line of an event, with the turn and disc as its heading.

        Headings and the table of discs tell what was drawn, so that has no line.
        """
        if not (text := _sentence(event)):
            return None
        if isinstance(event, Instructed):
            heading = sentence("plains_indian_wars.headings.instructions")
        else:
            heading = _heading(event)
        harmless = isinstance(event, NightRaid) and not event.thrown
        return ReportLine(heading=heading, text=text, failed=isinstance(event, LeftOut), routine=harmless)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return the subject of the game, its rules, and the player's side."""
        scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
        if scenario.plays == "US":
            return sentence("plains_indian_wars.introduction.setting_us")
        return sentence("plains_indian_wars.introduction.setting_nations", scenario=scenario.title)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return how to win, the length, the special features, and how many numbers are assumed."""
        scenario = box(view.options).materials.scenarios[str(view.options["scenario"])]
        if scenario.plays == "US":
            slugs = (
                "plains_indian_wars.introduction.us_goal",
                "plains_indian_wars.introduction.us_time",
                "plains_indian_wars.introduction.us_special",
            )
            return (*(sentence(slug) for slug in slugs), _data_note(view, scenario))
        return (*_nations_paragraphs(scenario), _data_note(view, scenario))

    def news(self, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
        """Return the end, Custer's fall, the engagements, and how far wagons and the railroad came."""
        fights = _fight_news(events)
        main = [
            *_end_news(events),
            *(_nations_sentence(event) for event in events if isinstance(event, Decided)),
            *(
                sentence("plains_indian_wars.headline.custer_fell", at=region_name(event.at))
                for event in events
                if isinstance(event, CusterFell)
            ),
            *fights[:_MAX_FIRST_FIGHTS],
            *_wagon_news(events),
            *_advance_news(events),
            *_railroad_news(events),
            *fights[_MAX_FIRST_FIGHTS:],
        ]
        drawn = [str(event.disc) for event in events if isinstance(event, Drawn)]
        minor = sentence("plains_indian_wars.headline.set_up")
        if drawn:
            minor = sentence("plains_indian_wars.headline.drawn", discs=join_list(drawn))
        return (*(NewsItem(text=text) for text in main), NewsItem(text=minor, rank=1))

    def standing(self, view: View) -> str:
        """Return the points now, or in Variant II the state of the game."""
        if view.options["scenario"] != "1":
            return sentence("plains_indian_wars.lead.standing", standing=tables.standing_text(view))
        nations, us = (points_text(halves) for halves in totals(schedule(view)))
        return sentence("plains_indian_wars.lead.score", us=us, nations=nations)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return the points now, or in Variant II the state of the game; "" once it has ended.

        Source: PIW1.score.rail to PIW1.score.tie; Variant II has no points.
        """
        if any(isinstance(event, Ended | Decided) for event in events):
            return ""
        return self.standing(view)

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the tables of decisions, cards, regions, boxes, railroad, score and instructions."""
        return tables.tables(view)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map that concerns a side.

        None for observers, because no part of this map is crowded.
        """
        return None if seat is None else map.front_scene(view, seat, events)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return advice(remark)


def _heading(event: AnyEvent) -> str:
    if event.disc is None:
        slug = "plains_indian_wars.headings.end" if event.turn else "plains_indian_wars.headings.set_up"
        return sentence(slug)
    faction = faction_name(event.disc, event.scenario)
    return sentence("plains_indian_wars.headings.disc", turn=event.turn, faction=faction)


def _sentence(event: AnyEvent) -> str:
    """Return the sentence of an event, "" for a disc. Those of Variant II alone are below."""
    match event:
        case Drawn():
            return ""
        case Raided():
            return _raided_text(event)
        case CardPlayed():
            return _card_played_text(event)
        case Redrawn():
            return sentence("plains_indian_wars.events.redrawn", deck=event.deck, count=event.times)
        case Refilled():
            cards = join_list(card_name(card_id) for card_id in event.cards)
            return sentence("plains_indian_wars.events.refilled", deck=event.deck, cards=cards)
        case Placed():
            return _placed_text(event)
        case Moved():
            return _moved_text(event)
        case Recovered():
            return sentence("plains_indian_wars.events.recovered", count=event.count, colour=event.colour)
        case Removed():
            return sentence(
                "plains_indian_wars.events.removed",
                card=card_name(event.card),
                count=event.count,
                colour=event.colour,
                at=region_name(event.at),
            )
        case LeftOut():
            return _left_out_text(event)
        case Fought():
            return engagement_text(event)
        case WagonsFought():
            return wagon_raid_text(event)
        case WagonsMoved():
            return sentence(
                "plains_indian_wars.events.wagons_moved",
                wagons=cubes_text({"White": event.count}),
                start=region_name(event.start),
                to=region_name(event.to),
            )
        case WagonsCame():
            wagons = cubes_text({"White": event.count})
            return sentence("plains_indian_wars.events.wagons_came", wagons=wagons)
        case NightRaid():
            return night_raid_text(event)
        case RailsLaid():
            return _rails_laid_text(event)
        case CusterRode():
            return _custer_rode_text(event)
        case CusterFell():
            return sentence("plains_indian_wars.events.custer_fell", at=region_name(event.at))
        case Instructed():
            return sentence("plains_indian_wars.events.instructed", order=_PLAINS_NOTATION.write(event.order))
        case LastTurn():
            return _last_turn_text(event)
        case Ended():
            return _ended_text(event)
        case _:
            return _nations_sentence(event)


def _raided_text(event: Raided) -> str:
    if not event.placed:
        slug = "plains_indian_wars.arrivals.none_die" if event.number else "plains_indian_wars.arrivals.none"
    elif event.number:
        slug = (
            "plains_indian_wars.arrivals.appeared_borrowed"
            if event.borrowed
            else "plains_indian_wars.arrivals.appeared"
        )
    else:
        slug = (
            "plains_indian_wars.arrivals.pressed_on_borrowed"
            if event.borrowed
            else "plains_indian_wars.arrivals.pressed_on"
        )
    arrival = sentence(
        slug,
        count=event.placed,
        colour=event.colour,
        at=region_name(event.at),
        number=event.number,
        borrowed=event.borrowed,
        lender=region_name(event.lender),
    )
    return sentence(f"plains_indian_wars.arrival_reasons.{event.why or 'none'}", arrival=arrival)


def _card_played_text(event: CardPlayed) -> str:
    if event.discarded:
        slug = "plains_indian_wars.events.discarded"
    elif event.to:
        slug = "plains_indian_wars.events.played_against"
    else:
        slug = "plains_indian_wars.events.played_in" if event.at else "plains_indian_wars.events.played"
    return sentence(slug, card=card_name(event.card), at=region_name(event.at), to=region_name(event.to))


def _placed_text(event: Placed) -> str:
    joined = event.why == "party"
    slug = "plains_indian_wars.events.joined" if joined else "plains_indian_wars.events.placed"
    return sentence(slug, count=event.count, colour=event.colour, at=region_name(event.at))


def _moved_text(event: Moved) -> str:
    slug = "plains_indian_wars.events.parted" if event.parted else "plains_indian_wars.events.moved"
    cubes = cubes_text(event.cubes, event.scenario)
    return sentence(slug, cubes=cubes, start=region_name(event.start), to=region_name(event.to))


def _left_out_text(event: LeftOut) -> str:
    partly = event.partly
    slug = "plains_indian_wars.events.left_out_partly" if partly else "plains_indian_wars.events.left_out"
    reason = fault_text(event.why.code, event.why.detail)
    return sentence(slug, order=_PLAINS_NOTATION.write(event.order), reason=reason)


def _last_turn_text(event: LastTurn) -> str:
    if event.why == "railroad":
        return sentence("plains_indian_wars.events.last_turn_railroad")
    return sentence("plains_indian_wars.events.last_turn_deck", deck=event.why)


def _rails_laid_text(event: RailsLaid) -> str:
    if event.brown is not None:
        slug = (
            "plains_indian_wars.events.rails_by_workers"
            if event.count
            else "plains_indian_wars.events.no_rails_by_workers"
        )
    elif event.dice:
        slug = (
            "plains_indian_wars.events.rails_by_dice"
            if event.count
            else "plains_indian_wars.events.no_rails_by_dice"
        )
    else:
        slug = "plains_indian_wars.events.rails"
    return sentence(
        slug,
        line=sentence(f"plains_indian_wars.lines.{event.line}"),
        count=event.count,
        workers=event.brown,
        dice=", ".join(event.dice),
        built=event.built,
    )


def _custer_rode_text(event: CusterRode) -> str:
    slug = (
        "plains_indian_wars.events.custer_rode_tied"
        if event.tied
        else "plains_indian_wars.events.custer_rode"
    )
    return sentence(
        slug,
        at=region_name(event.at),
        cubes=event.count,
        tied=join_list(region_name(region) for region in event.tied),
        count=len(event.tied),
    )


def _ended_text(event: Ended) -> str:
    nations, us = (points_text(halves) for halves in totals(event.rows))
    if event.winner == US_SEAT:
        slug = "plains_indian_wars.events.us_won"
    else:
        tie = us == nations
        slug = "plains_indian_wars.events.nations_won_tie" if tie else "plains_indian_wars.events.nations_won"
    return sentence(slug, us=us, nations=nations)


# The headline and subject of a report.


_MAX_FIRST_FIGHTS = 2
"""The most sentences about engagements before other news."""


def _end_news(events: Iterable[AnyEvent]) -> list[str]:
    for event in events:
        if isinstance(event, Ended):
            nations, us = (points_text(halves) for halves in totals(event.rows))
            slug = (
                "plains_indian_wars.headline.us_won"
                if event.winner == US_SEAT
                else "plains_indian_wars.headline.nations_won"
            )
            return [sentence(slug, us=us, nations=nations)]
    if any(isinstance(event, LastTurn) for event in events):
        return [sentence("plains_indian_wars.headline.last_turn")]
    return []


def _fight_news(events: Iterable[AnyEvent]) -> list[str]:
    """Return who beat whom where, those engagements first in which most cubes fell."""
    places: dict[tuple[str, str, str], list[str]] = {}
    losses: dict[tuple[str, str, str], int] = {}
    for event in events:
        if isinstance(event, Fought):
            key = _fight_result(event)
            places.setdefault(key, []).append(region_name(event.at))
            fell = sum(sum(fight_round.fell.values()) for fight_round in event.rounds)
            losses[key] = losses.get(key, 0) + fell
    ranked = sorted(places, key=lambda key: (key[0] != "beat", -losses[key]))
    return [
        sentence(
            f"plains_indian_wars.fight_news.{slug}",
            winners=winners,
            losers=losers,
            regions=join_list(dict.fromkeys(places[slug, winners, losers])),
        )
        for slug, winners, losers in ranked
    ]


def _fight_result(fight: Fought) -> tuple[str, str, str]:
    """Return the entry of the sentence about an engagement, and the names of both sides, the winner first.

    The side that holds the region alone won. If neither or both do, nobody won.
    """
    called = materials().scenarios[fight.scenario].called

    def side(colours: Iterable[Colour]) -> str:
        fought = [colour for colour in colours if fight.cubes.get(colour)]
        return join_list(called.get(colour, (colour, colour))[1] for colour in fought)

    us, tribes = side((*SOLDIERS, "White", "Black")), side(TRIBES)
    us_stays = any(count for colour, count in fight.left.items() if colour not in TRIBES)
    tribes_stay = any(count for colour, count in fight.left.items() if colour in TRIBES)
    if us_stays == tribes_stay:
        return ("drawn_fight" if us_stays else "nobody_left"), us, tribes
    return ("beat", us, tribes) if us_stays else ("beat", tribes, us)


def _wagon_news(events: Iterable[AnyEvent]) -> list[str]:
    through = sum(e.count for e in events if isinstance(e, WagonsMoved) and e.to == "ROCKIES")
    fought = [e for e in events if isinstance(e, WagonsFought)]
    lost = sum(fight_round.fell.get("White", 0) for e in fought for fight_round in e.rounds) + sum(
        shown.count("hit") for e in events if isinstance(e, NightRaid) for shown in e.thrown.values()
    )
    news = []
    if through:
        wagons = cubes_text({"White": through})
        news.append(sentence("plains_indian_wars.headline.wagons_through", wagons=wagons))
    if lost:
        wagons = cubes_text({"White": lost})
        news.append(sentence("plains_indian_wars.headline.wagons_lost", wagons=wagons, count=lost))
    elif fought:
        regions = join_list(dict.fromkeys(region_name(fight.at) for fight in fought))
        news.append(sentence("plains_indian_wars.headline.wagons_safe", regions=regions))
    return news


def _railroad_news(events: Iterable[AnyEvent]) -> list[str]:
    spaces = sum(event.count for event in events if isinstance(event, RailsLaid))
    return [sentence("plains_indian_wars.headline.rails", count=spaces)] if spaces else []


# The introduction for a new player.


def _data_note(view: View, scenario: Scenario) -> str:
    if DATA in view.options:
        file_hash = short_hash(str(view.options[DATA]))
        return sentence("plains_indian_wars.introduction.data_own", hash=file_hash)
    borders = [mark for *_, mark in read_json(PACKAGE, "data/map.json")["borders"]]
    faces = [
        die["hits"] if face == "hit" else die["blanks_and_treaties"]
        for die in read_json(PACKAGE, "data/dice.json")["dice"].values()
        for face in die["faces"]
    ]
    counts = (
        ("cards", close_up.count_assumed(PACKAGE, "data/cards.json", "decks", scenario.decks)),
        ("borders", (borders.count("assumed"), len(borders))),
        ("trail steps", close_up.count_assumed(PACKAGE, "data/map.json", "trails")),
        ("die faces", (faces.count("assumed"), len(faces))),
    )
    assumed = close_up.describe_counts(counts)
    return sentence("plains_indian_wars.introduction.data_ours", assumed=assumed)


def _nations_paragraphs(scenario: Scenario) -> tuple[str, ...]:
    if scenario.turns:
        time = sentence("plains_indian_wars.introduction.turns", turns=scenario.turns)
    else:
        time = sentence("plains_indian_wars.introduction.until_complete")
    if scenario.trains:
        goal = sentence("plains_indian_wars.introduction.train_goal", count=len(scenario.trains))
        special = sentence("plains_indian_wars.introduction.train_special")
    elif scenario.works:
        goal = sentence("plains_indian_wars.introduction.rail_goal")
        special = sentence("plains_indian_wars.introduction.rail_special")
    else:
        goal = sentence("plains_indian_wars.introduction.column_goal")
        special = sentence("plains_indian_wars.introduction.column_special")
    return goal, time, special


# The sentences and headlines of events of Variant II.


def column_name(name: Colour, scenario: str) -> str:
    """Return a column by its leader: "Crook's column"."""
    campaign = materials().scenarios[scenario].campaign
    assert campaign is not None, "only a campaign has columns"
    return campaign.columns[name].name


def _nations_sentence(event: OfVariantII) -> str:
    """Return the event as a sentence."""
    match event:
        case TrainMoved():
            slug = "plains_indian_wars.nations_events.train_rolled"
            if event.to == ROCKIES:
                slug = "plains_indian_wars.nations_events.train_through"
            train = sentence(f"plains_indian_wars.trains.{event.trail}")
            return sentence(slug, train=train, **_move_values(event))
        case Forked():
            return sentence(
                "plains_indian_wars.nations_events.forked",
                face=event.face,
                branch=board().steps[event.to].branch,
                to=region_name(event.to),
            )
        case PartyMoved():
            slug = "plains_indian_wars.nations_events.work_moved"
            if any(event.cubes.values()):
                slug = "plains_indian_wars.nations_events.party_moved"
            line = sentence(f"plains_indian_wars.lines.{event.line}")
            return sentence(slug, line=line, **_move_values(event))
        case ColumnMoved():
            slug = "plains_indian_wars.nations_events.column_rode"
            if event.back:
                slug = "plains_indian_wars.nations_events.column_fell_back"
            return sentence(slug, column=column_name(event.column, event.scenario), **_move_values(event))
        case ColumnFell():
            column = column_name(event.column, event.scenario)
            return sentence("plains_indian_wars.nations_events.column_fell", column=column)
        case Struck():
            return _struck_text(event)
        case Rode():
            slug = "plains_indian_wars.nations_events.rode"
            if event.to is None:
                slug = "plains_indian_wars.nations_events.rode_off"
            return sentence(slug, **_move_values(event))
        case RailsTorn():
            return sentence(
                "plains_indian_wars.nations_events.rails_torn",
                card=card_name(event.card),
                count=event.count,
                built=event.built,
            )
        case TurnedBack():
            slug = "plains_indian_wars.nations_events.turned_back"
            if event.to is None:
                slug = "plains_indian_wars.nations_events.turned_back_ready"
            start, to = region_name(event.start), region_name(event.to)
            return sentence(slug, count=event.count, colour=event.colour, start=start, to=to)
        case Decided():
            if not event.winners:
                slug = "plains_indian_wars.nations_events.drawn_game"
            elif US_SEAT in event.winners:
                slug = "plains_indian_wars.nations_events.us_won"
            else:
                slug = "plains_indian_wars.nations_events.nations_won"
            return sentence(slug, ending=ending_text(event.why))
        case _:
            assert_never(event)


def _move_values(event: TrainMoved | PartyMoved | ColumnMoved | Rode) -> dict[str, str]:
    return {
        "cubes": cubes_text(event.cubes, event.scenario),
        "start": region_name(event.start),
        "to": region_name(event.to),
    }


def _struck_text(event: Struck) -> str:
    if event.start == event.to:
        slug = "plains_indian_wars.nations_events.struck_there_missed"
        if event.fell:
            slug = "plains_indian_wars.nations_events.struck_there"
    else:
        slug = "plains_indian_wars.nations_events.struck_missed"
        if event.fell:
            slug = "plains_indian_wars.nations_events.struck"
    return sentence(
        slug,
        card=card_name(event.card),
        colour=event.colour,
        start=region_name(event.start),
        to=region_name(event.to),
        faces=faces_text({event.colour: event.faces}),
        cubes=cubes_text(event.fell, event.scenario),
    )


# The news of a game of Variant II.


def _advance_news(events: Iterable[AnyEvent]) -> list[str]:
    """Return the moves of trains, parties and columns, and the damage to the railroad."""
    news: list[str] = []
    columns: dict[Colour, str] = {}
    for event in events:
        if isinstance(event, TrainMoved) and event.to == ROCKIES:
            cubes = cubes_text(event.cubes, event.scenario)
            news.append(sentence("plains_indian_wars.headline.train_through", cubes=cubes))
        elif isinstance(event, TrainMoved):
            train = sentence(f"plains_indian_wars.trains.{event.trail}")
            news.append(sentence("plains_indian_wars.headline.train", train=train, to=region_name(event.to)))
        elif isinstance(event, PartyMoved):
            news.append(sentence("plains_indian_wars.headline.party", to=region_name(event.to)))
        elif isinstance(event, ColumnMoved):
            slug = "plains_indian_wars.headline.column"
            if event.back:
                slug = "plains_indian_wars.headline.column_fell_back"
            column = column_name(event.column, event.scenario)
            columns[event.column] = sentence(slug, column=column, to=region_name(event.to))
        elif isinstance(event, ColumnFell):
            column = column_name(event.column, event.scenario)
            columns[event.column] = sentence("plains_indian_wars.headline.column_fell", column=column)
        elif isinstance(event, RailsTorn):
            news.append(sentence("plains_indian_wars.headline.rails_torn", count=event.count))
    if columns:
        news.append(sentence("plains_indian_wars.headline.columns", columns=join_list(columns.values())))
    return news
