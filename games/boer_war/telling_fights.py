"""Battles and skirmishes in words: cards, dice, modifiers, losses."""

from games.boer_war import events, names
from games.boer_war.codes import Role
from games.boer_war.components import materials
from games.boer_war.phrases import capital, led, signed, the


def battle(event: events.Battle) -> str:
    """A battle with both hands, dice and losses."""
    one, two = event.attacker, event.defender
    came = f" from {names.place(event.came)}" if event.came else ""
    outcome = _outcome(event)
    return (
        f"{capital(led(one.leaders, one.sp))} attacked {led(two.leaders, two.sp)} at {names.place(event.at)}"
        f"{came} and {outcome}, {one.score} to {two.score}. "
        f"{_hand(one, 'attack')} {_hand(two, 'defence')} {_losses(one, two)}"
    )


def _hand(host: events.Host, role: Role) -> str:
    ours = tuple(materials().cards[card].value(host.side, role) for card in host.kept)
    printed = host.printed if isinstance(host.printed, tuple) else ours
    cards = ", ".join(
        f"{materials().cards[card].caption(host.side)} {worth}"
        for card, worth in zip(host.kept, printed, strict=True)
    )
    beyond = f" + {host.beyond} (numbers)" if host.beyond else ""
    total = f"{host.points}{beyond} + {host.die} (die){signed(host.modifiers)} = {host.score}"
    return f"{capital(the(host.side))}: {cards}; {total}."


def _outcome(event: events.Battle | events.Skirmish) -> str:
    if event.won:
        return "won"
    return "was beaten off" if len(event.attacker.leaders) < 2 else "were beaten off"


def _losses(one: events.Host | events.Band, two: events.Host | events.Band) -> str:
    if not one.lost and not two.lost:
        return "Nobody lost SP."
    return f"Lost: {_loss(one)}, {_loss(two)}."


def _loss(host: events.Host | events.Band) -> str:
    return f"{the(host.side)} {host.lost} SP"


def skirmish(event: events.Skirmish) -> str:
    """A skirmish with both dice and losses."""
    one, two = event.attacker, event.defender
    outcome = _outcome(event)
    return (
        f"{capital(led(one.leaders, one.sp))} fell on {led(two.leaders, two.sp)} at {names.place(event.at)} "
        f"and {outcome}: {_throw(one)} against {_throw(two)}. {_losses(one, two)}"
    )


def _throw(band: events.Band) -> str:
    return f"{band.die} + {band.command} (Command){signed(band.modifiers)} = {band.score}"


def slipped(event: events.Slipped) -> str:
    """A force that was gone before the attack."""
    return (
        f"{led(event.leaders)} slipped away from {names.place(event.at)} to {names.place(event.to)} "
        f"before the attack, expected {event.expected:+.1f} for the attacker."
    )


def evasion(event: events.Evasion) -> str:
    """A force that tried to evade."""
    throw = f"{event.die}{signed(event.modifiers)} = {event.score}"
    where = names.place(event.at)
    if event.to is None:
        return f"{led(event.leaders)} could not evade at {where}: {throw}."
    scouts = ", and good scouts showed a way" if event.scouts else ""
    return f"{led(event.leaders)} evaded from {where} to {names.place(event.to)}: {throw}{scouts}."
