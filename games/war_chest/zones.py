"""Coins on their way between bag, hand, discard and supply."""

from games.dice import Dice
from games.record import Value, replace_fields
from games.war_chest.components import Card, Coin, sorted_coins
from games.war_chest.model import Side, with_one, without


class CoinDraw(Value, frozen=True):
    """Coins drawn: the side without them, the coins, and whether the discard pile was put into the bag."""

    side: Side
    coins: tuple[Coin, ...]
    refilled: bool


def without_one(coins: tuple[Coin, ...], coin: Coin) -> tuple[Coin, ...]:
    """Return coins with one of a kind less. There must be one."""
    place = coins.index(coin)
    return coins[:place] + coins[place + 1 :]


def draw(side: Side, count: int, dice: Dice, label: str) -> CoinDraw:
    """Draw coins from the bag; when it is empty the whole discard pile goes in first.

    Fewer than wanted are drawn where there are fewer. Source: clause 4.refill.
    """
    side, coins = _from_bag(side, count, dice, label)
    refilled = len(coins) < count and bool(side.face_up or side.face_down)
    if refilled:
        bag = sorted_coins((*side.face_up, *side.face_down))
        side, more = _from_bag(
            replace_fields(side, bag=bag, face_up=(), face_down=()),
            count - len(coins),
            dice,
            f"{label}/refilled",
        )
        coins += more
    return CoinDraw(side, coins, refilled)


def _from_bag(side: Side, count: int, dice: Dice, label: str) -> tuple[Side, tuple[Coin, ...]]:
    count = min(count, len(side.bag))
    if count == 0:
        return side, ()
    places = {number - 1 for number in dice.draw(label, len(side.bag), count)}
    coins = tuple(coin for place, coin in enumerate(side.bag) if place in places)
    bag = tuple(coin for place, coin in enumerate(side.bag) if place not in places)
    return replace_fields(side, bag=bag), coins


def without_coin(side: Side, coin: Coin) -> Side:
    """The side without a coin that it plays: the one drawn for a Warrior Priest, else one of its hand."""
    if side.drawn is not None:
        assert side.drawn == coin, "the coin drawn has to be used"
        return replace_fields(side, drawn=None)
    return replace_fields(side, hand=without_one(side.hand, coin))


def add_to_discard(side: Side, coin: Coin, *, face_up: bool) -> Side:
    """Return the side with one coin more on its discard pile."""
    if face_up:
        return replace_fields(side, face_up=sorted_coins((*side.face_up, coin)))
    return replace_fields(side, face_down=sorted_coins((*side.face_down, coin)))


def recruit_coin(side: Side, card: Card) -> Side:
    """Return the side with a coin of the supply face-up on its discard pile. Source: clause 5.recruit."""
    return add_to_discard(replace_fields(side, supply=without(side.supply, card)), card, face_up=True)


def remove_from_game(side: Side, card: Card) -> Side:
    """Return the side with one coin of a card more out of the game."""
    return replace_fields(side, removed=with_one(side.removed, card))
