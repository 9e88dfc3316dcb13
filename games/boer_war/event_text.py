"""Events in sentences, battles with their cards and dice, and the heading of each."""

from collections.abc import Mapping
from typing import assert_never

from games.boer_war import events, notation
from games.boer_war import events as event_types
from games.boer_war.components import Role, Side, materials
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDE_NAMES, side_of
from games.boer_war.notation import NOTATION
from games.boer_war.objection_text import describe_problem
from games.boer_war.phrases import (
    ORDINALS,
    capitalize,
    count_words,
    counter_digits,
    describe_modifiers,
    join_words,
    leader_names,
    link_name,
    link_names,
    place_names,
    possessive_of,
    the_side,
    verb_form,
)

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
    """Return the event as a sentence; None for one that needs none of its own."""
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
        case events.Guerrilla():
            return _guerrilla_text(event)
        case events.Said():
            return f"Saved: {NOTATION.write(event.order)}."
        case events.Refused():
            why = describe_problem(event.code, event.detail)
            return f"{NOTATION.write(event.order)} was not possible and cost nothing: {why}."
        case events.Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _describe_leaders(event: _LeaderEvent) -> str:
    match event:
        case events.Arrived():
            return _arrival_text(event)
        case events.Went():
            return _travel_text(event)
        case events.Handed():
            return _transfer_text(event)
        case events.Retreated():
            return _retreat_text(event)
        case events.Captured():
            return _capture_text(event)
        case events.Tested():
            return _leader_test_text(event)
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
            return describe_battle(event)
        case events.Skirmish():
            return describe_skirmish(event)
        case events.Slipped():
            return describe_slip(event)
        case events.Evasion():
            return describe_evasion(event)
        case events.Invested():
            verb = "invests" if len(event.leaders) == 1 else "invest"
            return (
                f"{leader_names(event.leaders)} {verb} {notation.place_name(event.at)}: the town is besieged."
            )
        case events.SiegeRolled():
            return _siege_text(event)
        case events.SiegeEnded():
            return f"The siege of {notation.place_name(event.at)} is raised."
        case events.TownFell():
            return _town_fell_text(event)
        case _:
            assert_never(event)


def _describe_marker(event: _MarkerEvent) -> str:
    match event:
        case events.Took():
            return _control_text(event)
        case events.Entrenched():
            return (
                f"{capitalize(the_side(event.side))} {verb_form(event.side, 'dig', 'digs')} in at "
                f"{notation.place_name(event.at)}."
            )
        case events.WasCut():
            return _cut_text(event)
        case events.Repaired():
            thrown = f" (roll {event.die})" if event.die is not None else ""
            done = "repaired" if event.done else "not repaired yet"
            return f"The railway is {done}{thrown}: {link_names(event.links)}."
        case events.Built():
            return (
                f"Blockhouses were built along {link_name(event.link)}. There "
                f"{'is' if event.count == 1 else 'are'} now {count_words(event.count, 'line')} of them."
            )
        case events.CampSet():
            return _camp_text(event)
        case _:
            assert_never(event)


def _turn_began_text(event: events.TurnBegan) -> str:
    dates = materials().turn(event.turn).dates
    came = [
        f"{sp} SP for {possessive_of(side)} pool"
        for side in ("empire", "boers")
        if (sp := event.came.get(side))
    ]
    if event.recruits:
        came.append(f"{event.recruits} SP for the recruit pool")
    return (
        f"Turn {notation.TURN_NUMERALS[event.turn]} begins, {dates}{': ' + join_words(came) if came else ''}."
    )


def _arrival_text(event: events.Arrived) -> str:
    who = notation.leader_name(event.leader)
    whose = f", from {notation.leader_name(event.giver)}" if event.giver else ""
    return f"{who} takes the field at {notation.place_name(event.at)} with {event.sp} SP{whose}."


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
    way = f"from {notation.place_name(start)}{via} to {notation.place_name(goal)}"
    return f"{leader_names(event.leaders)} {_TRAVEL_VERBS[event.how]} {way}."


def _transfer_text(event: events.Handed) -> str:
    where = notation.place_name(event.at)
    if event.taker is None and event.giver is not None:
        return f"{notation.leader_name(event.giver)} left {event.sp} SP as a garrison at {where}."
    taker = notation.leader_name(event.taker) if event.taker else "the garrison"
    giver = notation.leader_name(event.giver) if event.giver else "the garrison"
    return f"{capitalize(giver)} handed {event.sp} SP over to {taker} at {where}."


def _retreat_text(event: events.Retreated) -> str:
    verb = "retreated" if event.beaten else "went back"
    return (
        f"{leader_names(event.leaders)} {verb} from {notation.place_name(event.at)} to "
        f"{notation.place_name(event.to)}."
    )


def _capture_text(event: events.Captured) -> str:
    who = ""
    if event.leaders:
        who = (
            f", and {leader_names(event.leaders)} {'is' if len(event.leaders) == 1 else 'are'} out of the "
            f"game"
        )
    return f"{event.sp} SP of {the_side(event.side)} were captured at {notation.place_name(event.at)}{who}."


def _leader_test_text(event: events.Tested) -> str:
    who = notation.leader_name(event.leader)
    if event.out:
        return f"{who} rolled a {event.die} and is out of the game."
    if event.boxed:
        return f"{who} rolled a {event.die} and stays in the Reorganization box."
    return f"{who} rolled a {event.die} and carries on."


def _lost_sp_text(event: events.LostSp) -> str:
    who, where = notation.leader_name(event.leader), notation.place_name(event.at)
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
        came = f"surrenders with {event.lost} SP"
    return f"{who}, {why}: rolled {event.die}{bonus} and {came}."


def _siege_text(event: events.SiegeRolled) -> str:
    bonus = f" + {event.bonus}" if event.bonus else ""
    came = "rises to" if event.rose else "stays at"
    where = notation.place_name(event.at)
    return f"Siege of {where}: rolled {event.die}{bonus}, and the level {came} {event.level} of {event.of}."


def _town_fell_text(event: events.TownFell) -> str:
    how = {"surrendered": "surrendered", "stormed": "was stormed", "abandoned": "was abandoned"}[event.how]
    which = ORDINALS[event.completed] if event.completed < len(ORDINALS) else str(event.completed)
    return f"{notation.place_name(event.at)} {how}: the {which} completed siege of three."


def _cut_text(event: events.WasCut) -> str:
    thrown = f" (roll {event.die} against the blockhouses)" if event.die is not None else ""
    done = "is cut" if event.done else "was not cut"
    return f"The railway {link_name(event.link)} {done}{thrown}."


def _camp_text(event: events.CampSet) -> str:
    return (
        f"A concentration camp was set up at {notation.place_name(event.at)}. There are now {event.camps}, "
        f"and R, the count of commando reinforcements, is {event.recruits}."
    )


def _reinforcement_text(event: events.Reinforced) -> str:
    who = notation.leader_name(event.leader) if event.leader else "The garrison"
    where = notation.place_name(event.at)
    back = f"{who} is back, at {where}, with" if event.back else f"{who} at {where} gets"
    source = {
        "pool": f"from the pool ({event.left} left)",
        "recruits": f"by recruiting (R is now {event.count}, {event.left} recruits left)",
        "scattered": f"from the Scattered box ({event.left} left)",
        "new": "as new troops",
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
        f"{notation.event_name(event.event)}{detail}."
    )


def _draw_text(event: events.Drawn) -> str:
    marker = "GO!" if event.goes_on else "STOP"
    pool = f"After the {ORDINALS[event.done]} action the pool holds {event.go} GO! and {event.stop} STOP"
    if event.verdict is None:
        return f"{pool}. {marker} was drawn."
    return f"{pool}, so {marker} is certain without a draw."


def _round_ended_text(event: events.RoundEnded) -> str:
    return (
        f"{capitalize(possessive_of(event.side))} round {event.round} had "
        f"{count_words(event.actions, 'action')}; "
        f"a counter {event.actions} is flipped. Face-up now: {counter_digits(event.counters)}."
    )


def _turn_ended_text(event: events.TurnEnded) -> str:
    gone = [
        f"{event.lost[side]} SP of {the_side(side)}" for side in ("boers", "empire") if event.lost.get(side)
    ]
    what = f": {join_words(gone)} are permanently removed from the Scattered box" if gone else ""
    return f"Turn {notation.TURN_NUMERALS[event.turn]} is over{what}."


def _departure_text(event: events.Left) -> str:
    parts = [f"{sp} SP go to {notation.leader_name(leader)}" for leader, sp in event.handed.items()]
    if event.kept:
        parts.append(f"{event.kept} SP stay as a garrison")
    if event.scattered:
        parts.append(f"{event.scattered} SP are scattered")
    return f"{notation.leader_name(event.leader)} leaves{'; ' + join_words(parts) if parts else ''}."


def _guerrilla_text(event: events.Guerrilla) -> str:
    where = [
        f"{notation.leader_name(leader)} {sp} at {notation.place_name(at)}"
        for leader, (at, sp) in event.leaders.items()
    ]
    return f"The guerrilla war begins with {event.sp} Boer SP: {join_words(where)}."


END_REASONS: Mapping[str, str] = {
    "sieges": "three sieges are completed",
    "port": "they hold a port",
    "targets": "they hold enough of the eleven objectives",
    "centres-kept": "the Empire holds fewer than two of the political centres",
    "centres": "they hold all three political centres",
    "boers-broken": "they hold the political centres, and the commandos are broken",
    "boers-gone": "too few commandos are left in the field",
    "camps": "there are more camps than recruited commandos",
    "unbeaten": "the commandos are unbeaten",
    "negotiated": "peace by negotiation",
    "table-over": "all four Turns are over",
}
"""Why the game ended, by slug."""


def _end_text(event: events.Ended) -> str:
    why = END_REASONS[event.reason]
    if not event.winners:
        return f"{'The game' if event.reason == 'table-over' else 'The war'} is over: {why}."
    side = event.winners[0]
    return f"{capitalize(the_side(side))} {verb_form(side, 'have', 'has')} won the war: {why}."


# Battles and skirmishes in words: cards, dice, modifiers, losses.


def describe_battle(event: events.Battle) -> str:
    """Return a battle in words, with both hands, dice and losses."""
    attacker, defender = event.attacker, event.defender
    came = f" from {notation.place_name(event.came)}" if event.came else ""
    outcome = _outcome_verb(event)
    return (
        f"{capitalize(leader_names(attacker.leaders, attacker.sp))} attacked "
        f"{leader_names(defender.leaders, defender.sp)} at {notation.place_name(event.at)}"
        f"{came} and {outcome}, {attacker.score} to {defender.score}. "
        f"{_hand_text(attacker, 'attack')} {_hand_text(defender, 'defence')} "
        f"{_losses_text(attacker, defender)}"
    )


def _hand_text(host: events.Host, role: Role) -> str:
    ours = tuple(materials().cards[card].value(host.side, role) for card in host.kept)
    printed = host.printed if isinstance(host.printed, tuple) else ours
    cards = ", ".join(
        f"{materials().cards[card].caption(host.side)} {worth}"
        for card, worth in zip(host.kept, printed, strict=True)
    )
    beyond = f" + {host.beyond} (numbers)" if host.beyond else ""
    total = f"{host.points}{beyond} + {host.die} (die){describe_modifiers(host.modifiers)} = {host.score}"
    return f"{capitalize(the_side(host.side))}: {cards}; {total}."


def _outcome_verb(event: events.Battle | events.Skirmish) -> str:
    if event.won:
        return "won"
    return "was beaten off" if len(event.attacker.leaders) < 2 else "were beaten off"


def _losses_text(attacker: events.Host | events.Band, defender: events.Host | events.Band) -> str:
    if not attacker.lost and not defender.lost:
        return "Neither side lost SP."
    return f"Lost: {_loss_text(attacker)}, {_loss_text(defender)}."


def _loss_text(host: events.Host | events.Band) -> str:
    return f"{the_side(host.side)} {host.lost} SP"


def describe_skirmish(event: events.Skirmish) -> str:
    """Return a skirmish in words, with both dice and losses."""
    attacker, defender = event.attacker, event.defender
    outcome = _outcome_verb(event)
    return (
        f"{capitalize(leader_names(attacker.leaders, attacker.sp))} attacked "
        f"{leader_names(defender.leaders, defender.sp)} at {notation.place_name(event.at)} "
        f"and {outcome}: {_roll_text(attacker)} against {_roll_text(defender)}. "
        f"{_losses_text(attacker, defender)}"
    )


def _roll_text(band: events.Band) -> str:
    return f"{band.die} + {band.command} (Command){describe_modifiers(band.modifiers)} = {band.score}"


def describe_slip(event: events.Slipped) -> str:
    """Return in words that a force was gone before the attack."""
    return (
        f"{leader_names(event.leaders)} slipped away from {notation.place_name(event.at)} to "
        f"{notation.place_name(event.to)} "
        f"before the attack, expected {event.expected:+.1f} for the attacker."
    )


def describe_evasion(event: events.Evasion) -> str:
    """Return in words that a force tried to evade."""
    throw = f"{event.die}{describe_modifiers(event.modifiers)} = {event.score}"
    where = notation.place_name(event.at)
    if event.to is None:
        return f"{leader_names(event.leaders)} couldn't evade at {where}: {throw}."
    scouts = ", with the help of good scouts" if event.scouts else ""
    goal = notation.place_name(event.to)
    return f"{leader_names(event.leaders)} evaded from {where} to {goal}: {throw}{scouts}."


# The heading of an event: a side, the draw, or the war.


DRAW_HEADING, WAR_HEADING = "The draw", "The war"
"""The headings of events that don't belong to a side."""

_DRAW_EVENTS = (event_types.Drawn, event_types.RoundEnded)


def heading(event: AnyEvent) -> str:
    """Return the heading of an event: the draw, a side, or the war if it is of both."""
    if isinstance(event, _DRAW_EVENTS):
        return DRAW_HEADING
    side = _side_of_event(event)
    return SIDE_NAMES[side] if side else WAR_HEADING


def _side_of_event(event: event_types.AnyEvent) -> Side | None:
    """Return the side of an event, by its side, its leader or what only one side does; None: of both."""
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
