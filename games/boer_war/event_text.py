"""The sentence and the heading of each event in a report."""

from typing import Any, assert_never

from games.boer_war import events, notation
from games.boer_war import events as event_types
from games.boer_war.components import Role, Side, materials
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDE_NAMES, SIDES, side_of
from games.boer_war.notation import leader_name, place_name
from games.boer_war.phrases import (
    capitalize,
    counter_digits,
    describe_problem,
    describe_sum,
    force_name,
    leader_names,
    link_name,
    link_names,
    nonzero,
    number_in_words,
    ordinal,
    place_names,
    the_side,
)
from games.language import join_list
from games.messages import sentence

_TurnEvent = (
    events.TurnBegan
    | events.Played
    | events.Passed
    | events.Reported
    | events.Drawn
    | events.RoundEnded
    | events.TurnEnded
    | events.Guerrilla
    | events.Said
    | events.Refused
    | events.Ended
)
_LeaderEvent = (
    events.Arrived
    | events.Went
    | events.Handed
    | events.Retreated
    | events.Captured
    | events.Tested
    | events.LostSp
    | events.Reinforced
    | events.Left
)
_FightingEvent = (
    events.Battle
    | events.Skirmish
    | events.Slipped
    | events.Evasion
    | events.Invested
    | events.SiegeRolled
    | events.SiegeEnded
    | events.TownFell
)
_MarkerEvent = (
    events.Took | events.Entrenched | events.WasCut | events.Repaired | events.Built | events.CampSet
)


def describe_event(event: AnyEvent) -> str | None:
    """Return the event as a sentence, or None if reports leave it out."""
    if isinstance(event, events.RoundBegan):
        return None
    if isinstance(event, _TurnEvent):
        return _describe_turn(event)
    if isinstance(event, _LeaderEvent):
        return _describe_leaders(event)
    if isinstance(event, _FightingEvent):
        return _describe_fighting(event)
    if isinstance(event, _MarkerEvent):
        return _describe_marker(event)
    assert_never(event)


def _describe_turn(event: _TurnEvent) -> str:
    match event:
        case events.TurnBegan():
            return _turn_began_text(event)
        case events.Played():
            return _event_played_text(event)
        case events.Passed():
            return sentence(f"boer_war.{event.side}.passed")
        case events.Reported():
            return sentence(f"boer_war.reported.{event.action}", side=the_side(event.side))
        case events.Drawn():
            certain = event.verdict is not None
            slug = "boer_war.events.marker_certain" if certain else "boer_war.events.marker_drawn"
            marker = "GO!" if event.goes_on else "STOP"
            return sentence(slug, ordinal=ordinal(event.done), go=event.go, stop=event.stop, marker=marker)
        case events.RoundEnded():
            return sentence(
                f"boer_war.{event.side}.round_ended",
                round=event.round,
                count=event.actions,
                number=number_in_words(event.actions),
                counters=counter_digits(event.counters),
            )
        case events.TurnEnded():
            return _turn_ended_text(event)
        case events.Guerrilla():
            return _guerrilla_text(event)
        case events.Said():
            return sentence("boer_war.events.order_saved", order=event.order.write())
        case events.Refused():
            return sentence(
                "boer_war.events.order_refused",
                order=event.order.write(),
                problem=describe_problem(event.code, event.detail),
            )
        case events.Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _describe_leaders(event: _LeaderEvent) -> str:
    match event:
        case events.Arrived():
            leader, at = leader_name(event.leader), place_name(event.at)
            if event.giver is None:
                return sentence("boer_war.events.arrived", leader=leader, at=at, sp=event.sp)
            giver = leader_name(event.giver)
            return sentence("boer_war.events.arrived_from", leader=leader, at=at, sp=event.sp, giver=giver)
        case events.Went():
            return _travel_text(event)
        case events.Handed():
            return _transfer_text(event)
        case events.Retreated():
            slug = "boer_war.events.retreated" if event.beaten else "boer_war.events.went_back"
            return sentence(
                slug, leaders=leader_names(event.leaders), at=place_name(event.at), to=place_name(event.to)
            )
        case events.Captured():
            return _capture_text(event)
        case events.Tested():
            slug = "boer_war.events.leader_boxed" if event.boxed else "boer_war.events.leader_unhurt"
            if event.out:
                slug = "boer_war.events.leader_out"
            return sentence(slug, leader=leader_name(event.leader), die=event.die)
        case events.LostSp():
            return _lost_sp_text(event)
        case events.Reinforced():
            return _reinforcement_text(event)
        case events.Left():
            return _departure_text(event)
        case _:
            assert_never(event)


def _describe_fighting(event: _FightingEvent) -> str:
    match event:
        case events.Battle():
            return _battle_text(event)
        case events.Skirmish():
            return _skirmish_text(event)
        case events.Slipped():
            return sentence(
                "boer_war.events.slipped_away",
                leaders=leader_names(event.leaders),
                at=place_name(event.at),
                to=place_name(event.to),
                expected=f"{event.expected:+.1f}",
            )
        case events.Evasion():
            return _evasion_text(event)
        case events.Invested():
            return sentence(
                "boer_war.events.invested",
                count=len(event.leaders),
                leaders=leader_names(event.leaders),
                at=place_name(event.at),
            )
        case events.SiegeRolled():
            slug = "boer_war.events.siege_rose" if event.rose else "boer_war.events.siege_stayed"
            roll = _roll_with_bonus(event.die, event.bonus)
            return sentence(slug, at=place_name(event.at), roll=roll, level=event.level, most=event.of)
        case events.SiegeEnded():
            return sentence("boer_war.events.siege_raised", at=place_name(event.at))
        case events.TownFell():
            return sentence(
                f"boer_war.town_fell.{event.how}", at=place_name(event.at), ordinal=ordinal(event.completed)
            )
        case _:
            assert_never(event)


def _describe_marker(event: _MarkerEvent) -> str:
    match event:
        case events.Took():
            return sentence(
                f"boer_war.{event.side}.took", count=len(event.points), points=place_names(event.points)
            )
        case events.Entrenched():
            return sentence(f"boer_war.{event.side}.entrenched", at=place_name(event.at))
        case events.WasCut():
            if event.die is None:
                return sentence("boer_war.events.railway_cut", link=link_name(event.link))
            slug = "boer_war.events.railway_cut_by_roll" if event.done else "boer_war.events.railway_not_cut"
            return sentence(slug, link=link_name(event.link), die=event.die)
        case events.Repaired():
            return _repair_text(event)
        case events.Built():
            return sentence(
                "boer_war.events.blockhouses_built",
                link=link_name(event.link),
                count=event.count,
                number=number_in_words(event.count),
            )
        case events.CampSet():
            return sentence(
                "boer_war.events.camp_set_up",
                at=place_name(event.at),
                camps=event.camps,
                recruits=event.recruits,
            )
        case _:
            assert_never(event)


def _turn_began_text(event: events.TurnBegan) -> str:
    turn, dates = notation.TURN_NUMERALS[event.turn], materials().turn(event.turn).dates
    supplies = [
        sentence(f"boer_war.{side}.pool_supply", sp=event.came[side])
        for side in ("empire", "boers")
        if event.came.get(side)
    ]
    if event.recruits:
        supplies.append(sentence("boer_war.events.recruits_came", sp=event.recruits))
    if not supplies:
        return sentence("boer_war.events.turn_began", turn=turn, dates=dates)
    return sentence("boer_war.events.turn_began_with", turn=turn, dates=dates, supplies=join_list(supplies))


def _travel_text(event: events.Went) -> str:
    start, *between, goal = event.path
    table = "travel_by" if between else "travel"
    return sentence(
        f"boer_war.{table}.{event.how}",
        leaders=leader_names(event.leaders),
        start=place_name(start),
        between=place_names(between),
        goal=place_name(goal),
    )


def _transfer_text(event: events.Handed) -> str:
    at = place_name(event.at)
    if event.giver is None:
        taker = leader_names((event.taker,) if event.taker else ())
        return sentence("boer_war.events.garrison_handed_over", sp=event.sp, taker=taker, at=at)
    giver = leader_name(event.giver)
    if event.taker is None:
        return sentence("boer_war.events.garrison_left", leader=giver, sp=event.sp, at=at)
    taker = leader_name(event.taker)
    return sentence("boer_war.events.handed_over", giver=giver, sp=event.sp, taker=taker, at=at)


def _capture_text(event: events.Captured) -> str:
    side, at = the_side(event.side), place_name(event.at)
    if not event.leaders:
        return sentence("boer_war.events.captured", sp=event.sp, side=side, at=at)
    return sentence(
        "boer_war.events.captured_with",
        sp=event.sp,
        side=side,
        at=at,
        count=len(event.leaders),
        leaders=leader_names(event.leaders),
    )


def _lost_sp_text(event: events.LostSp) -> str:
    leader, roll = leader_name(event.leader), _roll_with_bonus(event.die, event.bonus)
    occasion = sentence(
        f"boer_war.occasions.{event.why}",
        count=event.number,
        number=number_in_words(event.number),
        at=place_name(event.at),
        link=link_name(event.link) if event.link else "",
    )
    if not event.lost:
        return sentence("boer_war.events.nothing_lost_by_roll", leader=leader, occasion=occasion, roll=roll)
    slug = "boer_war.events.surrendered" if event.why == "talks" else "boer_war.events.sp_lost_by_roll"
    return sentence(slug, leader=leader, occasion=occasion, roll=roll, sp=event.lost)


def _roll_with_bonus(die: int, bonus: int) -> str:
    return f"{die} + {bonus}" if bonus else str(die)


def _repair_text(event: events.Repaired) -> str:
    links = link_names(event.links)
    if event.die is None:
        return sentence("boer_war.events.repaired", links=links)
    slug = "boer_war.events.repaired_by_roll" if event.done else "boer_war.events.not_repaired"
    return sentence(slug, die=event.die, links=links)


def _reinforcement_text(event: events.Reinforced) -> str:
    table = "returned" if event.back else "reinforced"
    return sentence(
        f"boer_war.{table}.{event.source}",
        leader=capitalize(leader_names((event.leader,) if event.leader else ())),
        at=place_name(event.at),
        sp=event.sp,
        left=event.left,
        recruits=event.count,
    )


def _event_played_text(event: events.Played) -> str:
    played = notation.event_name(event.event)
    about = [leader_names(event.leaders)] if event.leaders else []
    about += [place_names(event.points)] if event.points else []
    about += [link_names(event.links)] if event.links else []
    details = ["; ".join(about)] if about else []
    details += [sentence("boer_war.names.sp", sp=event.sp)] if event.sp else []
    if not details:
        return sentence(f"boer_war.{event.side}.played", event=played)
    return sentence(f"boer_war.{event.side}.played_about", event=played, details=", ".join(details))


def _turn_ended_text(event: events.TurnEnded) -> str:
    turn = notation.TURN_NUMERALS[event.turn]
    losses = [
        sentence("boer_war.events.sp_lost", sp=event.lost[side], side=the_side(side))
        for side in SIDES
        if event.lost.get(side)
    ]
    if not losses:
        return sentence("boer_war.events.turn_ended", turn=turn)
    return sentence("boer_war.events.turn_ended_with", turn=turn, losses=join_list(losses))


def _departure_text(event: events.Left) -> str:
    legacy = [
        sentence("boer_war.events.sp_handed", sp=sp, leader=leader_name(heir))
        for heir, sp in event.handed.items()
    ]
    if event.kept:
        legacy.append(sentence("boer_war.events.sp_kept", sp=event.kept))
    if event.scattered:
        legacy.append(sentence("boer_war.events.sp_scattered", sp=event.scattered))
    leader = leader_name(event.leader)
    if not legacy:
        return sentence("boer_war.events.left", leader=leader)
    return sentence("boer_war.events.left_sp", leader=leader, legacy=join_list(legacy))


def _guerrilla_text(event: events.Guerrilla) -> str:
    commandos = [
        sentence("boer_war.events.commando", leader=leader_name(leader), sp=sp, at=place_name(at))
        for leader, (at, sp) in event.leaders.items()
    ]
    return sentence("boer_war.events.guerrilla_war", sp=event.sp, commandos=join_list(commandos))


def _end_text(event: events.Ended) -> str:
    reason = sentence(f"boer_war.end_reasons.{event.reason}")
    if event.winners:
        return sentence(f"boer_war.{event.winners[0]}.won", reason=reason)
    slug = "boer_war.events.game_over" if event.reason == "table-over" else "boer_war.events.war_over"
    return sentence(slug, reason=reason)


# Battles and skirmishes: cards, dice, modifiers, losses.


def _battle_text(event: events.Battle) -> str:
    attacker, defender = event.attacker, event.defender
    if event.came is None:
        slug = "boer_war.events.battle_won" if event.won else "boer_war.events.battle_lost"
    else:
        slug = "boer_war.events.battle_won_from" if event.won else "boer_war.events.battle_lost_from"
    fought = sentence(
        slug,
        **_opponents(event),
        start=place_name(event.came) if event.came else "",
        score=attacker.score,
        against=defender.score,
    )
    cards = (_cards_text(attacker, "attack"), _cards_text(defender, "defence"))
    return " ".join((fought, *cards, _losses_text(attacker, defender)))


def _opponents(event: events.Battle | events.Skirmish) -> dict[str, Any]:
    """Return the values that sentences about battles and skirmishes share."""
    attacker, defender = event.attacker, event.defender
    return {
        "count": max(1, len(attacker.leaders)),
        "attackers": capitalize(force_name(attacker.leaders, attacker.sp)),
        "defenders": force_name(defender.leaders, defender.sp),
        "at": place_name(event.at),
    }


def _cards_text(host: events.Host, role: Role) -> str:
    """Return the cards that a side kept and how its score adds up.

    The values of an owner's cards are in the event, because an event alone must be enough for its text.
    """
    ours = tuple(materials().cards[card].value(host.side, role) for card in host.kept)
    printed = host.printed if isinstance(host.printed, tuple) else ours
    cards = (
        f"{materials().cards[card].caption(host.side)} {worth}"
        for card, worth in zip(host.kept, printed, strict=True)
    )
    terms = (*nonzero((("beyond", host.beyond),)), ("die", host.die), *nonzero(host.modifiers))
    return sentence(
        f"boer_war.{host.side}.cards",
        cards=", ".join(cards),
        sum=describe_sum(host.points, terms),
        score=host.score,
    )


def _losses_text(attacker: events.Host | events.Band, defender: events.Host | events.Band) -> str:
    if not attacker.lost and not defender.lost:
        return sentence("boer_war.events.nothing_lost")
    return sentence(
        "boer_war.events.losses",
        side=the_side(attacker.side),
        sp=attacker.lost,
        other_side=the_side(defender.side),
        other_sp=defender.lost,
    )


def _skirmish_text(event: events.Skirmish) -> str:
    attacker, defender = event.attacker, event.defender
    fought = sentence(
        "boer_war.events.skirmish_won" if event.won else "boer_war.events.skirmish_lost",
        **_opponents(event),
        roll=_roll_text(attacker),
        other_roll=_roll_text(defender),
    )
    return f"{fought} {_losses_text(attacker, defender)}"


def _roll_text(band: events.Band) -> str:
    terms = (("command", band.command), *nonzero(band.modifiers))
    return f"{describe_sum(band.die, terms)} = {band.score}"


def _evasion_text(event: events.Evasion) -> str:
    leaders, at = leader_names(event.leaders), place_name(event.at)
    roll = f"{describe_sum(event.die, nonzero(event.modifiers))} = {event.score}"
    if event.to is None:
        return sentence("boer_war.events.caught", leaders=leaders, at=at, roll=roll)
    slug = "boer_war.events.evaded_with_scouts" if event.scouts else "boer_war.events.evaded"
    return sentence(slug, leaders=leaders, at=at, to=place_name(event.to), roll=roll)


# The heading of an event: a side, the draw, or the war.


_DRAW_EVENTS = (event_types.Drawn, event_types.RoundEnded)


def heading(event: AnyEvent) -> str:
    """Return the heading of an event in a report: the draw, a side, or the war if it concerns both sides."""
    if isinstance(event, _DRAW_EVENTS):
        return sentence("boer_war.headings.draw")
    side = _side_of_event(event)
    return SIDE_NAMES[side] if side else sentence("boer_war.headings.war")


def _side_of_event(event: event_types.AnyEvent) -> Side | None:
    """Return the side that an event belongs to, or None if it concerns both sides."""
    match event:
        case (
            event_types.RoundBegan()
            | event_types.Took()
            | event_types.Went()
            | event_types.Retreated()
            | event_types.Captured()
            | event_types.Entrenched()
            | event_types.Reinforced()
            | event_types.Played()
            | event_types.Passed()
            | event_types.Reported()
            | event_types.Drawn()
            | event_types.RoundEnded()
            | event_types.Said()
            | event_types.Refused()
        ):
            return event.side
        case event_types.Battle() | event_types.Skirmish():
            return event.attacker.side
        case event_types.Arrived() | event_types.Tested() | event_types.LostSp() | event_types.Left():
            return side_of(event.leader)
        case (
            event_types.Slipped()
            | event_types.Evasion()
            | event_types.Invested()
            | event_types.SiegeRolled()
            | event_types.WasCut()
        ):
            return "boers"
        case event_types.Repaired() | event_types.Built() | event_types.CampSet():
            return "empire"
        case (
            event_types.TurnBegan()
            | event_types.Handed()
            | event_types.SiegeEnded()
            | event_types.TownFell()
            | event_types.TurnEnded()
            | event_types.Guerrilla()
            | event_types.Ended()
        ):
            return None
        case _:
            assert_never(event)
