"""Everything that may be secret in a game, and how to make two worlds that differ only in it.

Each secret is put into a new game and compared until it becomes public. `THINGS` names them, and `TWISTS` the
hidden parts of positions in games with hidden information.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.admin import overrides, seats
from adjudicator.clock import DAY, datetime_of
from adjudicator.model.orders_on_file import Untaken
from adjudicator.model.people import GamePolicy, NotePerson, Person
from adjudicator.storage import people
from games.dice import SealedDice
from games.protocol import Outcome, Seat
from games.record import canonical, replace_fields
from tests.kit.non_interference import (
    SECRET,
    ServiceTwin,
    Setting,
    TwinGames,
    acts,
    begin,
    bot_orders,
    sheet,
    synchronise_clocks,
)

Worlds = tuple[ServiceTwin, ServiceTwin]
Twist = Callable[[Any, random.Random], tuple[Any, set[str]] | None]
"""Maps a state and a random source to a state with another secret, and the readers who know it, or to
None.
"""

ZONES = ("America/New_York", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Honolulu", "Europe/Berlin")
NAMES = ("Ann Gruber", "Bartholomew de Groot")
ANONYMOUS = GamePolicy(anonymous=True)


# The secrets in a position.


def pebbles(state: Any, lot: random.Random) -> tuple[Any, set[str]] | None:
    """Cairn: exchange a pebble of a hand for one of the bag."""
    owner = lot.choice(sorted(seat for seat, hand in state.hands.items() if hand))
    if not state.bag:
        return None
    ours, theirs = lot.choice(state.hands[owner]), lot.choice(state.bag)
    hand = (*(one for one in state.hands[owner] if one != ours), theirs)
    bag = tuple(sorted((*(one for one in state.bag if one != theirs), ours)))
    return replace_fields(state.holding(owner, hand), bag=bag), {owner}


def cards(state: Any, lot: random.Random) -> tuple[Any, set[str]] | None:
    """The Great War: exchange a card of the AI's hand for one of its deck, or change the deck's order."""
    hand = state.armies["ai"].hand
    full = sorted(pile for pile, stack in state.piles.items() if len(stack.deck) > 1)
    held = [pile for pile in full if any(state.pile_of(one) == pile for one in hand)]
    pile = lot.choice(held if held and lot.random() < 0.9 else full)
    stack = state.piles[pile]
    mine = [one for one in hand if state.pile_of(one) == pile]
    if not mine:
        deck = tuple(lot.sample(stack.deck, len(stack.deck)))
        return replace_fields(state, piles={**state.piles, pile: replace_fields(stack, deck=deck)}), set()
    ours, theirs = lot.choice(mine), lot.choice(stack.deck)
    swapped = state.book.in_order([*(one for one in hand if one != ours), theirs])
    deck = tuple(ours if one == theirs else one for one in stack.deck)
    army = replace_fields(state.armies["ai"], hand=swapped)
    return replace_fields(
        state.with_army(Seat("ai"), army), piles={**state.piles, pile: replace_fields(stack, deck=deck)}
    ), set()


def coins(state: Any, lot: random.Random) -> tuple[Any, set[str]] | None:
    """War Chest: exchange a coin of one of a player's hidden zones for one of another zone."""
    owner = lot.choice(sorted(seat for seat in state.sides if seat != "ai"))
    side = state.sides[owner]
    full = [zone for zone in ("bag", "hand", "face_down") if getattr(side, zone)]
    if len(full) < 2:
        return None
    here, there = lot.sample(full, 2)
    ours, theirs = (lot.choice(getattr(side, zone)) for zone in (here, there))
    zones = {here: _instead(side, here, ours, theirs), there: _instead(side, there, theirs, ours)}
    return replace_fields(state, sides={**state.sides, owner: replace_fields(side, **zones)}), {owner}


def _instead(side: Any, zone: str, lost: str, won: str) -> tuple[str, ...]:
    there = list(getattr(side, zone))
    there.remove(lost)
    return tuple(sorted([*there, won]))


TWISTS: dict[str, Twist] = {"cairn": pebbles, "great-war": cards, "war-chest": coins}

TRIES = 60
"""The number of changed states to try."""


def hand(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """Compare a hand, a bag or the next card, until the position shows it or the game is over."""
    lot = random.Random(seed)
    found: list[set[str]] = []

    def twisted(state: Any) -> Any:
        other, knows = _quietest(setting, name, state, lot)
        found.append(knows)
        return other

    table = begin(worlds, setting, name, seed, depth=lot.randrange(14), twisted=twisted)
    table.knows |= found[0]
    strangers = [reader for reader in (*setting.seats, "observer") if reader not in table.knows]
    assert not any(map(table.has_seen, strangers)), "the position itself shows what is hidden"
    table.look()
    for _ in range(2):
        if not table.play():
            break
        table.look()
    return table.looks


def _quietest(setting: Setting, name: str, state: Any, lot: random.Random) -> tuple[Any, set[str]]:
    """Return the state whose secret shows least after the next turn.

    The best are those in which events differ but positions don't.
    """
    game, best, least = setting.game, (state, set[str]()), 3
    told, readers = _next_turn(setting, name, state), (*setting.seats, None)
    for _ in range(TRIES):
        tried = TWISTS[setting.kind](state, lot)
        if tried is None:
            continue
        happens = _next_turn(setting, name, tried[0])
        left, right = (
            [
                (canonical(game.rules.view(after.state, seat)), acts(game, after.events, seat))
                for seat in readers
            ]
            for after in (told, happens)
        )
        same = [canonical(event) for event in told.events] == [canonical(event) for event in happens.events]
        shows = 2 if left != right else int(same)
        if shows < least:
            best, least = tried, shows
        if not least:
            break
    return best


def _next_turn(setting: Setting, name: str, state: Any) -> Outcome[Any, Any]:
    """Return the outcome of the next turn if everyone orders as bots do."""
    orders = {due.seat: bot_orders(setting.game, state, due, 0) for due in setting.game.rules.due(state)}
    return setting.game.rules.adjudicate(state, orders, SealedDice(SECRET, name, 1))


# Secrets in people's actions.


def dice(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The next card or roll: another secret of the dice, until something is rolled."""
    table = begin(worlds, setting, name, seed, depth=seed % 14, secrets=(SECRET, b"t" * 32))
    if table.has_thrown:
        return 0
    table.look()
    if table.play() and not table.has_thrown and table.orders_agree:
        table.look()
    return table.looks


def order(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """A seat's saved orders, until the turn runs."""
    table = begin(worlds, setting, name, seed, depth=seed % 14)
    owner = _ordering(table)
    if owner is None:
        return 0
    usual = sheet(table.game, table.state, owner)
    other = sheet(table.game, table.state, owner, seed, table.lot)
    if not (usual and other):
        # A thread tells its readers that a seat has sent its orders, so that isn't secret.
        return 0
    table.both(owner, (usual, other))
    table.knows.add(owner)
    table.look()
    return table.looks


def condition(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The condition of an order. The order is the same in both worlds."""
    table = begin(worlds, setting, name, seed, depth=seed % 14)
    owner = _ordering(table)
    if owner is None or not table.game.notation.conditions:
        return 0
    lines = sheet(table.game, table.state, owner).splitlines()
    if not lines:
        return 0
    asked = table.lot.choice(table.game.notation.conditions).example
    hanging = f"IF {asked} THEN\n{lines[0]}\nELSE\n{lines[0]}\nENDIF"
    table.both(owner, ("\n".join(lines), "\n".join([hanging, *lines[1:]])))
    on_file = [world.position(name).filed.get(owner) for world in worlds]
    if not all(on_file) or any(isinstance(item, Untaken) for items in on_file for item in items or ()):
        # Everyone may see that orders are missing, so the condition has to be about this game.
        return 0
    table.knows.add(owner)
    table.look()
    if table.play() and table.orders_agree:
        table.look()
    return table.looks


def letter(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """A private message to a player or a bot, as long as everyone orders the same in spite of it."""
    table = begin(worlds, setting, name, seed, depth=0, bots=_second_level(setting))
    writer, *others = table.game.about.seats(setting.settled)
    hearers = others if table.lot.random() < 0.8 else others[:1]
    table.both(
        writer, ("", "\n".join(f"PRESS TO {to}\n{_agreeable_orders(table, to)}\nENDPRESS" for to in hearers))
    )
    table.knows |= {writer, *(hearers if set(hearers) & set(setting.seats) else ())}
    table.look()
    for _ in range(2):
        if not table.play() or not table.orders_agree:
            break
        table.look()
    return table.looks


def _agreeable_orders(table: TwinGames, bot: Seat) -> str:
    """Return a proposal that a bot may accept: its own move, so that its orders stay the same."""
    terms = [term.names[0] for term in table.game.notation.lexicon(table.state) if term.sort == "province"]
    going = [
        line.split(" - ")[-1] for line in sheet(table.game, table.state, bot).splitlines() if " - " in line
    ]
    places = [*going, *going, table.lot.choice(terms)] if terms else ["Belgium"]
    return table.lot.choice(["propose truce", *(f"propose attack on {place}" for place in places)])


def grey(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The author of unsigned press: one of two players who otherwise write the same."""
    table = begin(worlds, setting, name, seed, depth=seed % 3)
    text = "GREY PRESS TO ALL\nSomebody will be surprised.\nENDPRESS"
    first, second = setting.seats[:2]
    table.left.write_from_seat(table.name, first, text)
    table.worlds[1].write_from_seat(table.name, second, text)
    table.knows |= {first, second}
    table.look()
    if table.play():
        table.look()
    return table.looks


def signature(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The signature under press that should have none: a player's name, or their nation's."""
    table = begin(worlds, setting, name, seed)
    writers, manner = setting.seats[:2], table.lot.randrange(4)
    for world, writer, called in zip(worlds, writers, NAMES, strict=True):
        end = (f"Yours, {writer}", called, f"-- \n{called}", called.split()[0])[manner]
        text = f"GREY PRESS TO ALL\nSomebody will be surprised.\n\n{end}\nENDPRESS"
        world.write_from_seat(table.name, writer, text, called)
    table.knows |= set(writers)
    table.look()
    return table.looks


def by_hand(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """Orders that a GM sets for a seat, with the reason, until the turn runs."""
    table = begin(worlds, setting, name, seed, depth=seed % 14)
    owner = _ordering(table)
    if owner is None:
        return 0
    state = table.state
    table.both(owner, [sheet(table.game, state, owner)] * 2)
    other = sheet(table.game, state, owner, seed, table.lot).splitlines()
    overrides.set_orders(worlds[1].service, name, owner, other, overrides.OverrideReason(why="phoned in"))
    table.knows.add(owner)
    table.look()
    return table.looks


def token(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """A seat's token that its player quotes in press: in an address, a subject, a Message-ID, and spelt
    out.
    """
    table = begin(worlds, setting, name, seed)
    writer = setting.seats[0]
    seats.rekey(worlds[1].service, name, writer, "shown around")
    for world in worlds:
        reader = world.reader(name, writer)
        quoted = (
            f"{reader.reply_address}\n{reader.tag}\n<{name}.{writer}.{reader.token}.{16 * 'a'}@example.org>"
            f"\n{' '.join(reader.token or '')}"
        )
        world.write_from_seat(name, writer, f"PRESS TO ALL\nSee what I got:\n{quoted}\nWell?\nENDPRESS")
    table.knows.add(writer)
    table.look()
    if table.play():
        table.look()
    return table.looks


def vote(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """A proposed end, hidden from those without a vote. Its proposer is hidden from the voters."""
    table = begin(worlds, setting, name, seed, depth=seed % 3)
    first, second = setting.seats[:2]
    if seed % 2:
        table.both(first, ("DRAW", ""))
        table.knows |= set(setting.seats)
    else:
        table.left.write_from_seat(table.name, first, "DRAW")
        table.worlds[1].write_from_seat(table.name, second, "DRAW")
        table.knows |= {first, second}
    table.look()
    if table.play():
        table.look()
    return table.looks


def zone(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The time zone of an absent player in an anonymous game."""
    lot = random.Random(seed)
    away = {"away": lot.choice(["deadline", "bot", "ignore"])}
    table = begin(worlds, setting, name, seed, customs=ANONYMOUS, terms=away)
    owner = setting.seats[0]
    for world, place in zip(worlds, lot.sample(ZONES, 2), strict=True):
        _set_person(world, Person(address=table.address(owner), zone=place))
    days = [f"{datetime_of(table.left.clock.now() + days * DAY):%Y-%m-%d}" for days in (1, 4)]
    table.both(owner, [f"ABSENCE {' to '.join(days)}"] * 2)
    table.knows.add(owner)
    table.look()
    if table.play():
        table.look()
    return table.looks


def person(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The name of a player in an anonymous game, in the database and in their emails' headers."""
    table = begin(worlds, setting, name, seed, customs=ANONYMOUS)
    owner = setting.seats[0]
    for world, called in zip(worlds, NAMES, strict=True):
        _set_person(world, Person(address=table.address(owner), name=called))
    table.knows.add(owner)
    press = "BROADCAST\nGood day to all.\nENDPRESS\n" if len(setting.seats) > 1 else ""
    said = press + sheet(table.game, table.state, owner)
    table.both(owner, [said] * 2, NAMES)
    table.look()
    if table.play():
        table.look()
    return table.looks


def founder(worlds: Worlds, setting: Setting, name: str, seed: int) -> int:
    """The address of the player who started a game by email."""
    addresses = (f"ann.{name}@example.net", f"bartholomew.{name}@example.com")
    table = TwinGames(worlds, Setting(setting.kind, setting.options, 0), name, random.Random(seed))
    synchronise_clocks(worlds)
    for world, address in zip(worlds, addresses, strict=True):
        world.asks(address, f"NEW {setting.kind} {name}")
    table.knows |= set(map(str, setting.game.about.seats(setting.settled)))
    table.look()
    return table.looks


def _set_person(world: ServiceTwin, who: Person) -> None:
    people.apply_action(world.service.database, NotePerson(by="gm", person=who))


def _ordering(table: TwinGames) -> Seat | None:
    """Return a player with orders due."""
    owing = [due.seat for due in table.game.rules.due(table.state) if due.seat in table.setting.seats]
    return table.lot.choice(owing) if owing else None


def _second_level(setting: Setting) -> str | None:
    """Return the level of bots that keep agreements."""
    return next(iter(list(setting.game.bots)[1:2]), None)


Thing = Callable[[Worlds, Setting, str, int], int]
THINGS: dict[str, Thing] = {
    one.__name__: one
    for one in (
        hand,
        dice,
        order,
        condition,
        by_hand,
        letter,
        grey,
        signature,
        token,
        vote,
        zone,
        person,
        founder,
    )
}
TALKED: Sequence[str] = ("letter", "grey", "signature", "token", "vote")
"""The secrets that need three players who write to each other."""


def things(setting: Setting) -> tuple[str, ...]:
    """Return the names of the possible secrets in a game."""
    found = dict(THINGS)
    if not setting.game.about.hidden:
        del found["hand"]
    if len(setting.seats) < 3:
        for name in TALKED:
            del found[name]
    if setting.options:
        # Started by email it would be another game.
        del found["founder"]
    return tuple(found)
