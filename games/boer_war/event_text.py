"""Events in words, each in a sentence."""

from collections.abc import Mapping
from typing import assert_never

from games.boer_war import events, names, telling_fights
from games.boer_war.codes import Side
from games.boer_war.components import materials
from games.boer_war.events import AnyEvent
from games.boer_war.notation import BoerWarNotation
from games.boer_war.objection_text import describe_problem
from games.boer_war.phrases import (
    ORDINALS,
    capitalize,
    count_words,
    counter_digits,
    join_words,
    leader_names,
    link_name,
    link_names,
    place_names,
    possessive_of,
    the_side,
    verb_form,
)

_NOTATION = BoerWarNotation()


def describe_event(event: AnyEvent) -> str | None:
    """Return the event as a sentence; None for one that needs none of its own."""
    match event:
        case events.RoundBegan():
            return None
        case events.TurnBegan():
            return _turn_began_text(event)
        case events.Arrived():
            return _arrival_text(event)
        case events.Took():
            return _control_text(event)
        case events.Went():
            return _travel_text(event)
        case events.Handed():
            return _transfer_text(event)
        case events.Battle():
            return telling_fights.describe_battle(event)
        case events.Skirmish():
            return telling_fights.describe_skirmish(event)
        case events.Slipped():
            return telling_fights.describe_slip(event)
        case events.Evasion():
            return telling_fights.describe_evasion(event)
        case events.Retreated():
            return _retreat_text(event)
        case events.Captured():
            return _capture_text(event)
        case events.Tested():
            return _leader_test_text(event)
        case events.LostSp():
            return _lost_sp_text(event)
        case events.Invested():
            verb = "invests" if len(event.leaders) == 1 else "invest"
            return f"{leader_names(event.leaders)} {verb} {names.place_name(event.at)}: the town is besieged."
        case events.SiegeRolled():
            return _siege_text(event)
        case events.SiegeEnded():
            return f"The siege of {names.place_name(event.at)} is raised."
        case events.TownFell():
            return _town_fell_text(event)
        case events.Entrenched():
            return (
                f"{capitalize(the_side(event.side))} {verb_form(event.side, 'dig', 'digs')} in at "
                f"{names.place_name(event.at)}."
            )
        case events.WasCut():
            return _cut_text(event)
        case events.Repaired():
            thrown = f" ({event.die} was thrown)" if event.die is not None else ""
            done = "mended" if event.done else "not mended yet"
            return f"The railway is {done}{thrown}: {link_names(event.links)}."
        case events.Built():
            return (
                f"Blockhouses stand along {link_name(event.link)}: {count_words(event.count, 'such line')} "
                f"now."
            )
        case events.CampSet():
            return _camp_text(event)
        case events.Reinforced():
            return _reinforcement_text(event)
        case events.Played():
            return _event_played_text(event)
        case events.Passed():
            return f"{capitalize(the_side(event.side))} {verb_form(event.side, 'pass', 'passes')}."
        case events.Reported():
            return (
                f"{capitalize(ORDINALS[event.action])} action of {the_side(event.side)}: carried out at "
                f"your table."
            )
        case events.Drawn():
            return _draw_text(event)
        case events.RoundEnded():
            return _round_ended_text(event)
        case events.TurnEnded():
            return _turn_ended_text(event)
        case events.Left():
            return _departure_text(event)
        case events.Guerrilla():
            return _guerrilla_text(event)
        case events.Said():
            return f"Noted: {_NOTATION.write(event.order)}."
        case events.Refused():
            return _refusal_text(event)
        case events.Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _turn_began_text(event: events.TurnBegan) -> str:
    dates = materials().turn(event.turn).dates
    came = [
        f"{sp} SP come into {possessive_of(side)} pool"
        for side in ("empire", "boers")
        if (sp := event.came.get(side))
    ]
    if event.recruits:
        came.append(f"{event.recruits} SP into the recruit pool")
    return f"Turn {names.TURN_NUMERALS[event.turn]} begins, {dates}{': ' + join_words(came) if came else ''}."


def _arrival_text(event: events.Arrived) -> str:
    who = names.leader_name(event.leader)
    whose = f", from {names.leader_name(event.giver)}" if event.giver else ""
    return f"{who} takes the field at {names.place_name(event.at)} with {event.sp} SP{whose}."


def _control_text(event: events.Took) -> str:
    return (
        f"{place_names(event.points)} {_came_or_comes(event.points)} under {_side_adjective(event.side)} "
        f"control."
    )


def _came_or_comes(things: tuple[str, ...]) -> str:
    return "came" if len(things) > 1 else "comes"


def _side_adjective(side: Side) -> str:
    return "Boer" if side == "boers" else "Empire"


_TRAVEL_VERBS = {
    "march": "marched",
    "rail": "went by rail",
    "trek": "trekked",
    "ride": "rode",
    "drive": "drove",
}


def _travel_text(event: events.Went) -> str:
    start, *between, goal = event.path
    via = f" by {place_names(between)}" if between else ""
    way = f"from {names.place_name(start)}{via} to {names.place_name(goal)}"
    return f"{leader_names(event.leaders)} {_TRAVEL_VERBS[event.how]} {way}."


def _transfer_text(event: events.Handed) -> str:
    where = names.place_name(event.at)
    if event.taker is None and event.giver is not None:
        return f"{names.leader_name(event.giver)} left {event.sp} SP as a garrison at {where}."
    taker = names.leader_name(event.taker) if event.taker else "the garrison"
    giver = names.leader_name(event.giver) if event.giver else "the garrison"
    return f"{capitalize(giver)} handed {event.sp} SP over to {taker} at {where}."


def _retreat_text(event: events.Retreated) -> str:
    verb = "retreated" if event.beaten else "went back"
    return (
        f"{leader_names(event.leaders)} {verb} from {names.place_name(event.at)} to "
        f"{names.place_name(event.to)}."
    )


def _capture_text(event: events.Captured) -> str:
    who = ""
    if event.leaders:
        who = (
            f", and {leader_names(event.leaders)} {'is' if len(event.leaders) == 1 else 'are'} out of the "
            f"game"
        )
    return f"{event.sp} SP of {the_side(event.side)} were captured at {names.place_name(event.at)}{who}."


def _leader_test_text(event: events.Tested) -> str:
    who = names.leader_name(event.leader)
    if event.out:
        return f"{who} threw {event.die} for himself and is out of the game."
    if event.boxed:
        return f"{who} threw {event.die} for himself and waits in the Reorganization box."
    return f"{who} threw {event.die} for himself and goes on."


def _lost_sp_text(event: events.LostSp) -> str:
    who, where = names.leader_name(event.leader), names.place_name(event.at)
    bonus = f" + {event.bonus}" if event.bonus else ""
    why = {
        "camps": f"{count_words(event.number, 'camp')} within reach of {where}",
        "blockhouse": f"crossing the blockhouses {link_name(event.link)}" if event.link else "",
        "raid": f"raiding the blockhouses {link_name(event.link)}" if event.link else "",
        "oath": "the oath of neutrality",
        "talks": "the talks at Middelburg",
    }[event.why]
    came = f"loses {event.lost} SP" if event.lost else "loses nothing"
    if event.why == "talks" and event.lost:
        came = f"gives up, with {event.lost} SP"
    return f"{who}, {why}: threw {event.die}{bonus} and {came}."


def _siege_text(event: events.SiegeRolled) -> str:
    bonus = f" + {event.bonus}" if event.bonus else ""
    came = "rises to" if event.rose else "stays at"
    where = names.place_name(event.at)
    return f"Siege of {where}: {event.die}{bonus} was thrown, the level {came} {event.level} of {event.of}."


def _town_fell_text(event: events.TownFell) -> str:
    how = {"surrendered": "surrendered", "stormed": "was stormed", "abandoned": "was given up"}[event.how]
    which = ORDINALS[event.completed] if event.completed < len(ORDINALS) else str(event.completed)
    return f"{names.place_name(event.at)} {how}: the {which} completed siege of three."


def _cut_text(event: events.WasCut) -> str:
    thrown = f" ({event.die} was thrown against the blockhouses)" if event.die is not None else ""
    done = "is cut" if event.done else "was not cut"
    return f"The railway {link_name(event.link)} {done}{thrown}."


def _camp_text(event: events.CampSet) -> str:
    return (
        f"A concentration camp was set up at {names.place_name(event.at)}: {event.camps} of them now, "
        f"and R, the count of commando reinforcements, is {event.recruits}."
    )


def _reinforcement_text(event: events.Reinforced) -> str:
    who = names.leader_name(event.leader) if event.leader else "The garrison"
    where = names.place_name(event.at)
    back = f"{who} is back, at {where}, with" if event.back else f"{who} at {where} gets"
    source = {
        "pool": f"out of the pool, which holds {event.left} more",
        "recruits": f"by recruiting, which makes R {event.count}; {event.left} recruits are left",
        "scattered": f"out of the Scattered box, which holds {event.left} more",
        "new": "that are new",
    }[event.source]
    return f"{back} {event.sp} SP {source}."


def _event_played_text(event: events.Played) -> str:
    about = [leader_names(event.leaders)] if event.leaders else []
    about += [place_names(event.points)] if event.points else []
    about += [link_names(event.links)] if event.links else []
    sp = f", {event.sp} SP" if event.sp else ""
    detail = f" ({'; '.join(about)}{sp})" if about else f" ({event.sp} SP)" if event.sp else ""
    return (
        f"{capitalize(the_side(event.side))} {verb_form(event.side, 'play', 'plays')} "
        f"{names.event_name(event.event)}{detail}."
    )


def _draw_text(event: events.Drawn) -> str:
    marker = "GO!" if event.goes_on else "STOP"
    pool = f"After the {ORDINALS[event.done]} action the pool holds {event.go} GO! and {event.stop} STOP"
    if event.verdict is None:
        return f"{pool}; {marker} was drawn."
    return f"{pool}: {marker} for certain, nothing is drawn."


def _round_ended_text(event: events.RoundEnded) -> str:
    return (
        f"{capitalize(possessive_of(event.side))} round {event.round} had "
        f"{count_words(event.actions, 'action')}; "
        f"a counter {event.actions} is flipped, and open are {counter_digits(event.counters)}."
    )


def _turn_ended_text(event: events.TurnEnded) -> str:
    gone = [
        f"{event.lost[side]} SP of {the_side(side)}" for side in ("boers", "empire") if event.lost.get(side)
    ]
    what = f": {join_words(gone)} leave the Scattered box for good" if gone else ""
    return f"Turn {names.TURN_NUMERALS[event.turn]} is over{what}."


def _departure_text(event: events.Left) -> str:
    parts = [f"{sp} SP go to {names.leader_name(leader)}" for leader, sp in event.handed.items()]
    if event.kept:
        parts.append(f"{event.kept} SP stay as a garrison")
    if event.scattered:
        parts.append(f"{event.scattered} SP are scattered")
    return f"{names.leader_name(event.leader)} leaves{'; ' + join_words(parts) if parts else ''}."


def _guerrilla_text(event: events.Guerrilla) -> str:
    where = [
        f"{names.leader_name(leader)} {sp} at {names.place_name(at)}"
        for leader, (at, sp) in event.leaders.items()
    ]
    return f"The guerrilla war begins with {event.sp} Boer SP: {join_words(where)}."


def _refusal_text(event: events.Refused) -> str:
    why = describe_problem(event.code, event.detail)
    return f"{_NOTATION.write(event.order)} was not possible and cost nothing: {why}."


END_REASONS: Mapping[str, str] = {
    "sieges": "three sieges are completed",
    "port": "a port is in their hands",
    "targets": "they hold seven of the eleven objectives",
    "centres-kept": "the Empire holds fewer than two of the political centres",
    "centres": "all three political centres are taken",
    "boers-broken": "the political centres are taken, and the commandos are broken",
    "boers-gone": "too few commandos are left in the field",
    "camps": "more camps stand than commandos were recruited",
    "unbeaten": "the commandos are unbeaten",
    "negotiated": "peace by negotiation",
    "table-over": "all four Turns are played",
}
"""Why the game has ended, by slug."""


def _end_text(event: events.Ended) -> str:
    why = END_REASONS[event.reason]
    if not event.winners:
        return f"{'The game' if event.reason == 'table-over' else 'The war'} is over: {why}."
    side = event.winners[0]
    return f"{capitalize(the_side(side))} {verb_form(side, 'have', 'has')} won the war: {why}."
