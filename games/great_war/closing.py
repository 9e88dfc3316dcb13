"""The end of a Turn: blockades, totals, who has won and what is captured; the table is cleared."""

from collections.abc import Mapping

from games.great_war.components import CardId, Effect
from games.great_war.events import Blockaded, LeftOut, TurnWon
from games.great_war.in_play import Table
from games.great_war.model import AI, BEST, NOTHING, PLAYER, Laid, other
from games.protocol import Seat
from games.record import Record

Aims = Mapping[CardId, str]
"""What the player's blockades are to take, by blockade."""


class Settled(Record, frozen=True, kw_only=True):
    """How a Turn ended: who won it, and which of the loser's cards go where."""

    winner: Seat | None
    captured: tuple[CardId, ...] = ()
    saved: tuple[CardId, ...] = ()


def settle(table: Table, aims: Aims) -> None:
    """Close a Turn. Source: GW33, GW34, GW35, GW36, GW41, GW-9.1, GW-10.1, GW-14.1."""
    table.enter("end", 3)
    for seat in (other(table.now.attacker), table.now.attacker):
        blockade(table, seat, aims if seat == PLAYER else {})
    totals = {seat: table.now.total(seat) for seat in (PLAYER, AI)}
    found = outcome(table)
    if found.winner is not None:
        _capture(table, found.winner, found.captured)
    table.tell(
        TurnWon,
        winner=found.winner,
        player=totals[PLAYER],
        ai=totals[AI],
        captured=found.captured,
        saved=found.saved,
        points=points(table, found.captured),
        scores=(table.now.score(PLAYER), table.now.score(AI)),
    )
    clear(table)


def blockade(table: Table, seat: Seat, aims: Aims) -> list[tuple[CardId, CardId]]:
    """What a side's blockades take: pairs of blockade and card. Source: GW33."""
    taken = []
    for laid in table.army(seat).row:
        effect = table.card(laid.card).effect("blockade")
        if laid.up and effect is not None:
            for _ in range(effect.n):
                if (one := _blockaded(table, seat, laid.card, effect, aims)) is not None:
                    taken.append((laid.card, one))
    return taken


def _blockaded(table: Table, seat: Seat, by: CardId, effect: Effect, aims: Aims) -> CardId | None:
    found = in_reach(table, seat, by)
    aim = aims.get(by, BEST)
    wanted = next((laid.card for laid in found if laid.card == aim), None)
    if aim not in (BEST, NOTHING) and wanted is None:
        table.tell(LeftOut, private=True, code="no-target", detail={"card": by, "aim": aim})
    if aim == NOTHING or not found:
        return None
    one = wanted or found[0].card
    table.take_off(other(seat), one)
    table.tell(Blockaded, seat=seat, by=by, card=one)
    return one


def in_reach(table: Table, seat: Seat, by: CardId) -> list[Laid]:
    """The enemy's face-up Nationality cards that a blockade may take, the best first."""
    enemy = table.army(other(seat))
    return table.ranked(
        [
            laid
            for laid in enemy.row
            if laid.up
            and table.card(laid.card).play_deck == enemy.nation
            and not table.is_immune(laid.card, by)
        ]
    )


def outcome(table: Table, saves: Mapping[Seat, int] | None = None) -> Settled:
    """Who wins the Turn as the table is, and what is captured. saves: from capture, besides those laid."""
    margin = table.now.margin(PLAYER)
    if not margin:
        return Settled(winner=None)
    winner = PLAYER if margin > 0 else AI
    loser = other(winner)
    high = table.ranked([one for one in table.army(loser).row if one.up and table.card(one.card).high])
    cards = [laid.card for laid in sorted(high, key=lambda one: -table.card(one.card).bp)]
    kept = _saved(table, loser) + (saves or {}).get(loser, 0)
    return Settled(winner=winner, captured=tuple(cards[kept:]), saved=tuple(cards[:kept]))


def _saved(table: Table, seat: Seat) -> int:
    effects = [table.card(one.card).effect("save_capture") for one in table.army(seat).row if one.up]
    return sum(effect.n for effect in effects if effect is not None)


def points(table: Table, cards: tuple[CardId, ...]) -> int:
    """What captured cards count: their printed Battle Points. Source: GW35, GW43."""
    return sum(table.card(one).bp for one in cards)


def _capture(table: Table, winner: Seat, cards: tuple[CardId, ...]) -> None:
    loser = other(winner)
    row = [laid for laid in table.army(loser).row if not (laid.up and laid.card in cards)]
    table.set_army(loser, row=tuple(row))
    table.set_army(winner, captured=(*table.army(winner).captured, *cards))


def clear(table: Table) -> None:
    """All cards of both hands and rows, and the event, go to their discard piles."""
    for seat in (AI, PLAYER):
        for one in table.army(seat).hand:
            table.spend(seat, one, shown=False)
    for seat in (AI, PLAYER):
        for laid in table.army(seat).row:
            table.discard(laid.card)
        table.set_army(seat, row=())
    if table.now.event is not None:
        table.discard(table.now.event)
    table.set(event=None, force=(), waits=False, die=0)
