"""The end of a Turn: blockades, totals, the winner, the captured cards, and clearing the table."""

from collections.abc import Mapping

from games.great_war.components import CardId
from games.great_war.events import Blockaded, LeftOut, TurnWon
from games.great_war.model import AI, BEST, NOTHING, PLAYER, TableCard, other
from games.great_war.working_state import WorkingState
from games.protocol import Seat
from games.record import Record

Aims = Mapping[CardId, str]
"""The targets of the player's blockades, by blockade."""


class TurnResult(Record, frozen=True, kw_only=True):
    """The winner of a Turn, and the loser's cards that are captured or saved."""

    winner: Seat | None
    captured: tuple[CardId, ...] = ()
    saved: tuple[CardId, ...] = ()


def settle(table: WorkingState, aims: Aims) -> None:
    """End a Turn. Source: GW33, GW34, GW35, GW36, GW41, GW-9.1, GW-10.1, GW-14.1."""
    table.enter("end", 3)
    for seat in (other(table.now.attacker), table.now.attacker):
        take_blockaded(table, seat, aims if seat == PLAYER else {})
    totals = {seat: table.now.total(seat) for seat in (PLAYER, AI)}
    result = outcome(table)
    if result.winner is not None:
        _capture(table, result.winner, result.captured)
    table.tell(
        TurnWon,
        winner=result.winner,
        player=totals[PLAYER],
        ai=totals[AI],
        captured=result.captured,
        saved=result.saved,
        points=points(table, result.captured),
        scores=(table.now.score(PLAYER), table.now.score(AI)),
    )
    clear_table(table)


def take_blockaded(table: WorkingState, seat: Seat, aims: Aims) -> list[tuple[CardId, CardId]]:
    """Carry out a side's blockades, and return pairs of blockade and captured card. Source: GW33."""
    taken = []
    for table_card in table.army(seat).row:
        effect = table.card(table_card.card).effect("blockade")
        if table_card.up and effect is not None:
            targets = [_take_aimed_card(table, seat, table_card.card, aims) for _ in range(effect.n)]
            taken += [(table_card.card, target) for target in targets if target is not None]
    return taken


def _take_aimed_card(table: WorkingState, seat: Seat, by: CardId, aims: Aims) -> CardId | None:
    reachable = in_reach(table, seat, by)
    aim = aims.get(by, BEST)
    wanted = next((table_card.card for table_card in reachable if table_card.card == aim), None)
    if aim not in (BEST, NOTHING) and wanted is None:
        table.tell(LeftOut, private=True, code="no-target", detail={"card": by, "aim": aim})
    if aim == NOTHING or not reachable:
        return None
    target = wanted or reachable[0].card
    table.take_off(other(seat), target)
    table.tell(Blockaded, seat=seat, by=by, card=target)
    return target


def in_reach(table: WorkingState, seat: Seat, by: CardId) -> list[TableCard]:
    """Return the enemy's face-up Nationality cards that a blockade can take, the best first."""
    enemy = table.army(other(seat))
    return table.rank_cards(
        [
            table_card
            for table_card in enemy.row
            if table_card.up
            and table.card(table_card.card).play_deck == enemy.nation
            and not table.is_immune(table_card.card, by)
        ]
    )


def outcome(table: WorkingState, saves: Mapping[Seat, int] | None = None) -> TurnResult:
    """Return the winner of the Turn on this table, and the captured cards.

    saves: by side, the number of cards to save in addition to the effects of cards.
    """
    margin = table.now.margin(PLAYER)
    if not margin:
        return TurnResult(winner=None)
    winner = PLAYER if margin > 0 else AI
    loser = other(winner)
    high = table.rank_cards(
        [
            table_card
            for table_card in table.army(loser).row
            if table_card.up and table.card(table_card.card).high
        ]
    )
    cards = [
        table_card.card for table_card in sorted(high, key=lambda table_card: -table.card(table_card.card).bp)
    ]
    kept = _count_saves(table, loser) + (saves or {}).get(loser, 0)
    return TurnResult(winner=winner, captured=tuple(cards[kept:]), saved=tuple(cards[:kept]))


def _count_saves(table: WorkingState, seat: Seat) -> int:
    effects = [
        table.card(table_card.card).effect("save_capture")
        for table_card in table.army(seat).row
        if table_card.up
    ]
    return sum(effect.n for effect in effects if effect is not None)


def points(table: WorkingState, cards: tuple[CardId, ...]) -> int:
    """Return the printed Battle Points of captured cards. Source: GW35, GW43."""
    return sum(table.card(card_id).bp for card_id in cards)


def _capture(table: WorkingState, winner: Seat, cards: tuple[CardId, ...]) -> None:
    loser = other(winner)
    row = [
        table_card for table_card in table.army(loser).row if not (table_card.up and table_card.card in cards)
    ]
    table.set_army(loser, row=tuple(row))
    table.set_army(winner, captured=(*table.army(winner).captured, *cards))


def clear_table(table: WorkingState) -> None:
    """Move all cards of both hands and rows, and the event, to their discard piles."""
    for seat in (AI, PLAYER):
        for card_id in table.army(seat).hand:
            table.spend(seat, card_id, shown=False)
    for seat in (AI, PLAYER):
        for table_card in table.army(seat).row:
            table.discard(table_card.card)
        table.set_army(seat, row=())
    if table.now.event is not None:
        table.discard(table.now.event)
    table.set(event=None, force=(), waits=False, die=0)
