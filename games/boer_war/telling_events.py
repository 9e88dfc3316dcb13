"""What happened, each event in a sentence."""

from collections.abc import Mapping
from typing import assert_never

from games.boer_war import events, names, telling_fights
from games.boer_war.advice import problem
from games.boer_war.codes import Side
from games.boer_war.components import materials
from games.boer_war.events import AnyEvent
from games.boer_war.notation import BoerWarNotation
from games.boer_war.phrases import (
    ORDINALS,
    capital,
    counted,
    has,
    led,
    lines,
    linked,
    listed,
    of,
    open_counters,
    places,
    the,
)

_NOTATION = BoerWarNotation()


def told(event: AnyEvent) -> str | None:
    """The event as a sentence; None for what needs none of its own."""
    match event:
        case events.RoundBegan():
            return None
        case events.TurnBegan():
            return _turn_began(event)
        case events.Arrived():
            return _arrived(event)
        case events.Took():
            return _took(event)
        case events.Went():
            return _went(event)
        case events.Handed():
            return _handed(event)
        case events.Battle():
            return telling_fights.battle(event)
        case events.Skirmish():
            return telling_fights.skirmish(event)
        case events.Slipped():
            return telling_fights.slipped(event)
        case events.Evasion():
            return telling_fights.evasion(event)
        case events.Retreated():
            return _retreated(event)
        case events.Captured():
            return _captured(event)
        case events.Tested():
            return _tested(event)
        case events.LostSp():
            return _lost_sp(event)
        case events.Invested():
            verb = "invests" if len(event.leaders) == 1 else "invest"
            return f"{led(event.leaders)} {verb} {names.place(event.at)}: the town is besieged."
        case events.SiegeRolled():
            return _siege_rolled(event)
        case events.SiegeEnded():
            return f"The siege of {names.place(event.at)} is raised."
        case events.TownFell():
            return _town_fell(event)
        case events.Entrenched():
            return (
                f"{capital(the(event.side))} {has(event.side, 'dig', 'digs')} in at {names.place(event.at)}."
            )
        case events.WasCut():
            return _was_cut(event)
        case events.Repaired():
            thrown = f" ({event.die} was thrown)" if event.die is not None else ""
            done = "mended" if event.done else "not mended yet"
            return f"The railway is {done}{thrown}: {lines(event.links)}."
        case events.Built():
            return f"Blockhouses stand along {linked(event.link)}: {counted(event.count, 'such line')} now."
        case events.CampSet():
            return _camp_set(event)
        case events.Reinforced():
            return _reinforced(event)
        case events.Played():
            return _played(event)
        case events.Passed():
            return f"{capital(the(event.side))} {has(event.side, 'pass', 'passes')}."
        case events.Reported():
            return (
                f"{capital(ORDINALS[event.action])} action of {the(event.side)}: carried out at your table."
            )
        case events.Drawn():
            return _drawn(event)
        case events.RoundEnded():
            return _round_ended(event)
        case events.TurnEnded():
            return _turn_ended(event)
        case events.Left():
            return _left(event)
        case events.Guerrilla():
            return _guerrilla(event)
        case events.Said():
            return f"Noted: {_NOTATION.write(event.order)}."
        case events.Refused():
            return _refused(event)
        case events.Ended():
            return _ended(event)
        case _:
            assert_never(event)


def _turn_began(event: events.TurnBegan) -> str:
    dates = materials().turn(event.turn).dates
    came = [
        f"{sp} SP come into {of(side)} pool" for side in ("empire", "boers") if (sp := event.came.get(side))
    ]
    if event.recruits:
        came.append(f"{event.recruits} SP into the recruit pool")
    return f"Turn {names.ROMAN[event.turn]} begins, {dates}{': ' + listed(came) if came else ''}."


def _arrived(event: events.Arrived) -> str:
    who = names.leader(event.leader)
    whose = f", from {names.leader(event.giver)}" if event.giver else ""
    return f"{who} takes the field at {names.place(event.at)} with {event.sp} SP{whose}."


def _took(event: events.Took) -> str:
    return f"{places(event.points)} {_came(event.points)} under {_adjective(event.side)} control."


def _came(things: tuple[str, ...]) -> str:
    return "came" if len(things) > 1 else "comes"


def _adjective(side: Side) -> str:
    return "Boer" if side == "boers" else "Empire"


_WENT = {
    "march": "marched",
    "rail": "went by rail",
    "trek": "trekked",
    "ride": "rode",
    "drive": "drove",
}


def _went(event: events.Went) -> str:
    start, *between, goal = event.path
    via = f" by {places(between)}" if between else ""
    way = f"from {names.place(start)}{via} to {names.place(goal)}"
    return f"{led(event.leaders)} {_WENT[event.how]} {way}."


def _handed(event: events.Handed) -> str:
    where = names.place(event.at)
    if event.taker is None and event.giver is not None:
        return f"{names.leader(event.giver)} left {event.sp} SP as a garrison at {where}."
    taker = names.leader(event.taker) if event.taker else "the garrison"
    giver = names.leader(event.giver) if event.giver else "the garrison"
    return f"{capital(giver)} handed {event.sp} SP over to {taker} at {where}."


def _retreated(event: events.Retreated) -> str:
    verb = "retreated" if event.beaten else "went back"
    return f"{led(event.leaders)} {verb} from {names.place(event.at)} to {names.place(event.to)}."


def _captured(event: events.Captured) -> str:
    who = ""
    if event.leaders:
        who = f", and {led(event.leaders)} {'is' if len(event.leaders) == 1 else 'are'} out of the game"
    return f"{event.sp} SP of {the(event.side)} were captured at {names.place(event.at)}{who}."


def _tested(event: events.Tested) -> str:
    who = names.leader(event.leader)
    if event.out:
        return f"{who} threw {event.die} for himself and is out of the game."
    if event.boxed:
        return f"{who} threw {event.die} for himself and waits in the Reorganization box."
    return f"{who} threw {event.die} for himself and goes on."


def _lost_sp(event: events.LostSp) -> str:
    who, where = names.leader(event.leader), names.place(event.at)
    bonus = f" + {event.bonus}" if event.bonus else ""
    why = {
        "camps": f"{counted(event.number, 'camp')} within reach of {where}",
        "blockhouse": f"crossing the blockhouses {linked(event.link)}" if event.link else "",
        "raid": f"raiding the blockhouses {linked(event.link)}" if event.link else "",
        "oath": "the oath of neutrality",
        "talks": "the talks at Middelburg",
    }[event.why]
    came = f"loses {event.lost} SP" if event.lost else "loses nothing"
    if event.why == "talks" and event.lost:
        came = f"gives up, with {event.lost} SP"
    return f"{who}, {why}: threw {event.die}{bonus} and {came}."


def _siege_rolled(event: events.SiegeRolled) -> str:
    bonus = f" + {event.bonus}" if event.bonus else ""
    came = "rises to" if event.rose else "stays at"
    where = names.place(event.at)
    return f"Siege of {where}: {event.die}{bonus} was thrown, the level {came} {event.level} of {event.of}."


def _town_fell(event: events.TownFell) -> str:
    how = {"surrendered": "surrendered", "stormed": "was stormed", "abandoned": "was given up"}[event.how]
    which = ORDINALS[event.completed] if event.completed < len(ORDINALS) else str(event.completed)
    return f"{names.place(event.at)} {how}: the {which} completed siege of three."


def _was_cut(event: events.WasCut) -> str:
    thrown = f" ({event.die} was thrown against the blockhouses)" if event.die is not None else ""
    done = "is cut" if event.done else "was not cut"
    return f"The railway {linked(event.link)} {done}{thrown}."


def _camp_set(event: events.CampSet) -> str:
    return (
        f"A concentration camp was set up at {names.place(event.at)}: {event.camps} of them now, "
        f"and R, the count of commando reinforcements, is {event.recruits}."
    )


def _reinforced(event: events.Reinforced) -> str:
    who = names.leader(event.leader) if event.leader else "The garrison"
    where = names.place(event.at)
    back = f"{who} is back, at {where}, with" if event.back else f"{who} at {where} gets"
    source = {
        "pool": f"out of the pool, which holds {event.left} more",
        "recruits": f"by recruiting, which makes R {event.count}; {event.left} recruits are left",
        "scattered": f"out of the Scattered box, which holds {event.left} more",
        "new": "that are new",
    }[event.source]
    return f"{back} {event.sp} SP {source}."


def _played(event: events.Played) -> str:
    about = [led(event.leaders)] if event.leaders else []
    about += [places(event.points)] if event.points else []
    about += [lines(event.links)] if event.links else []
    sp = f", {event.sp} SP" if event.sp else ""
    detail = f" ({'; '.join(about)}{sp})" if about else f" ({event.sp} SP)" if event.sp else ""
    return (
        f"{capital(the(event.side))} {has(event.side, 'play', 'plays')} {names.event(event.event)}{detail}."
    )


def _drawn(event: events.Drawn) -> str:
    said = "GO!" if event.goes_on else "STOP"
    pool = f"After the {ORDINALS[event.done]} action the pool holds {event.go} GO! and {event.stop} STOP"
    if event.verdict is None:
        return f"{pool}; {said} was drawn."
    return f"{pool}: {said} for certain, nothing is drawn."


def _round_ended(event: events.RoundEnded) -> str:
    return (
        f"{capital(of(event.side))} round {event.round} had {counted(event.actions, 'action')}; "
        f"a counter {event.actions} is flipped, and open are {open_counters(event.counters)}."
    )


def _turn_ended(event: events.TurnEnded) -> str:
    gone = [f"{event.lost[side]} SP of {the(side)}" for side in ("boers", "empire") if event.lost.get(side)]
    what = f": {listed(gone)} leave the Scattered box for good" if gone else ""
    return f"Turn {names.ROMAN[event.turn]} is over{what}."


def _left(event: events.Left) -> str:
    said = [f"{sp} SP go to {names.leader(one)}" for one, sp in event.handed.items()]
    if event.kept:
        said.append(f"{event.kept} SP stay as a garrison")
    if event.scattered:
        said.append(f"{event.scattered} SP are scattered")
    return f"{names.leader(event.leader)} leaves{'; ' + listed(said) if said else ''}."


def _guerrilla(event: events.Guerrilla) -> str:
    where = [f"{names.leader(one)} {sp} at {names.place(at)}" for one, (at, sp) in event.leaders.items()]
    return f"The guerrilla war begins with {event.sp} Boer SP: {listed(where)}."


def _refused(event: events.Refused) -> str:
    why = problem(event.code, event.detail)
    return f"{_NOTATION.write(event.order)} was not possible and cost nothing: {why}."


REASONS: Mapping[str, str] = {
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


def _ended(event: events.Ended) -> str:
    why = REASONS[event.reason]
    if not event.winners:
        return f"{'The game' if event.reason == 'table-over' else 'The war'} is over: {why}."
    side = event.winners[0]
    return f"{capital(the(side))} {has(side, 'have', 'has')} won the war: {why}."
