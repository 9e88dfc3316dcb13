"""Battles and skirmishes in words: cards, dice, modifiers, losses."""

from games.boer_war import events, names
from games.boer_war.codes import Role
from games.boer_war.components import materials
from games.boer_war.phrases import capitalize, describe_modifiers, leader_names, the_side


def describe_battle(event: events.Battle) -> str:
    """Return a battle in words, with both hands, dice and losses."""
    attacker, defender = event.attacker, event.defender
    came = f" from {names.place_name(event.came)}" if event.came else ""
    outcome = _outcome_verb(event)
    return (
        f"{capitalize(leader_names(attacker.leaders, attacker.sp))} attacked "
        f"{leader_names(defender.leaders, defender.sp)} at {names.place_name(event.at)}"
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
        return "Nobody lost SP."
    return f"Lost: {_loss_text(attacker)}, {_loss_text(defender)}."


def _loss_text(host: events.Host | events.Band) -> str:
    return f"{the_side(host.side)} {host.lost} SP"


def describe_skirmish(event: events.Skirmish) -> str:
    """Return a skirmish in words, with both dice and losses."""
    attacker, defender = event.attacker, event.defender
    outcome = _outcome_verb(event)
    return (
        f"{capitalize(leader_names(attacker.leaders, attacker.sp))} fell on "
        f"{leader_names(defender.leaders, defender.sp)} at {names.place_name(event.at)} "
        f"and {outcome}: {_roll_text(attacker)} against {_roll_text(defender)}. "
        f"{_losses_text(attacker, defender)}"
    )


def _roll_text(band: events.Band) -> str:
    return f"{band.die} + {band.command} (Command){describe_modifiers(band.modifiers)} = {band.score}"


def describe_slip(event: events.Slipped) -> str:
    """Return in words that a force was gone before the attack."""
    return (
        f"{leader_names(event.leaders)} slipped away from {names.place_name(event.at)} to "
        f"{names.place_name(event.to)} "
        f"before the attack, expected {event.expected:+.1f} for the attacker."
    )


def describe_evasion(event: events.Evasion) -> str:
    """Return in words that a force tried to evade."""
    throw = f"{event.die}{describe_modifiers(event.modifiers)} = {event.score}"
    where = names.place_name(event.at)
    if event.to is None:
        return f"{leader_names(event.leaders)} could not evade at {where}: {throw}."
    scouts = ", and good scouts showed a way" if event.scouts else ""
    return (
        f"{leader_names(event.leaders)} evaded from {where} to {names.place_name(event.to)}: {throw}{scouts}."
    )
