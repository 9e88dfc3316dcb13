"""Coins on their way between bag, hand, discard and supply."""

from games.dice import Dice
from games.record import Value, changed
from games.war_chest.components import Card, Coin, sorted_coins
from games.war_chest.model import Side, with_one, without


class Drawn(Value, frozen=True):
    """Coins drawn: the side without them, the coins, and whether the discard pile was put into the bag."""

    side: Side
    coins: tuple[Coin, ...]
    refilled: bool


def taken(coins: tuple[Coin, ...], coin: Coin) -> tuple[Coin, ...]:
    """Coins with one of a kind less. There must be one."""
    place = coins.index(coin)
    return coins[:place] + coins[place + 1 :]


def draw(side: Side, count: int, dice: Dice, label: str) -> Drawn:
    """Draw coins from the bag; when it is empty the whole discard pile goes in first.

    Fewer than wanted are drawn where there are fewer. Source: clause 4.refill.
    """
    side, coins = _from_bag(side, count, dice, label)
    refilled = len(coins) < count and bool(side.face_up or side.face_down)
    if refilled:
        bag = sorted_coins((*side.face_up, *side.face_down))
        side, more = _from_bag(
            changed(side, bag=bag, face_up=(), face_down=()), count - len(coins), dice, f"{label}/refilled"
        )
        coins += more
    return Drawn(side, coins, refilled)


def _from_bag(side: Side, count: int, dice: Dice, label: str) -> tuple[Side, tuple[Coin, ...]]:
    count = min(count, len(side.bag))
    if count == 0:
        return side, ()
    places = {number - 1 for number in dice.draw(label, len(side.bag), count)}
    coins = tuple(coin for place, coin in enumerate(side.bag) if place in places)
    bag = tuple(coin for place, coin in enumerate(side.bag) if place not in places)
    return changed(side, bag=bag), coins


def without_coin(side: Side, coin: Coin) -> Side:
    """The side without a coin that it plays: the one drawn for a Warrior Priest, else one of its hand."""
    if side.drawn is not None:
        assert side.drawn == coin, "the coin drawn has to be used"
        return changed(side, drawn=None)
    return changed(side, hand=taken(side.hand, coin))


def discarded(side: Side, coin: Coin, *, face_up: bool) -> Side:
    """The side with one coin more on its discard pile."""
    if face_up:
        return changed(side, face_up=sorted_coins((*side.face_up, coin)))
    return changed(side, face_down=sorted_coins((*side.face_down, coin)))


def recruited(side: Side, card: Card) -> Side:
    """The side with a coin of the supply face-up on its discard pile. Source: clause 5.recruit."""
    return discarded(changed(side, supply=without(side.supply, card)), card, face_up=True)


def lost(side: Side, card: Card) -> Side:
    """The side with one coin of a card more out of the game."""
    return changed(side, removed=with_one(side.removed, card))
