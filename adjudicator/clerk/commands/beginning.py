"""NEW: a player begins a game of his own, against bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import games
from adjudicator.clerk.commands.case import Caller, Done, listed
from adjudicator.clerk.keys import keys_held
from adjudicator.ledger.game_acts import BeginGame
from adjudicator.referee.bots import DRAWN, chosen, effort, temperaments
from adjudicator.signs.addresses import is_game_name, short, valid_address
from games.options import settle
from games.protocol import Game, Invalid, Seat
from games.protocol.optional import Searching
from games.record import changed
from orders.commands import Command

GAMES_A_DAY = 3
DAY = 24 * 3_600_000
MOST_SAID = 2
"""Of bots a level and a temperament may be said."""
_MOST_NUMBERED = 10_000


@dataclass(frozen=True)
class _Wanted:
    """What a player asks for: a kind, a name if he gave one, options as he wrote them.

    level, temper: of the bots, by their names.
    """

    game: Game
    name: str | None
    options: Mapping[str, str]
    level: str | None = None
    temper: str | None = None


def begin(caller: Caller, command: Command) -> Done:
    """Begin a game of the player's own and seat him; its first letter is the welcome."""
    begun = caller.books.begun_since(caller.address, caller.received - DAY) + len(caller.begun)
    if begun >= GAMES_A_DAY:
        return _refused(
            f"You have begun {GAMES_A_DAY} games within a day; the next one may be begun tomorrow."
        )
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return _refused("No game can be begun from an address to which no letter of ours can go.")
    try:
        wanted = _wanted(" ".join(command.args).split())
        seat, options = _seat_and_options(wanted)
        name = _name(caller, wanted)
    except Invalid as fault:
        instead = f" {fault.instead[:1].upper()}{fault.instead[1:]}." if fault.instead else ""
        return _refused(f"No game was begun: {fault.what}: {fault.why}.{instead}")
    act = BeginGame(
        game=name,
        by=caller.address,
        kind=wanted.game.about.kind,
        options=options,
        seat=seat,
        level=wanted.level,
        temper=wanted.temper,
    )
    if (why := _too_dear(caller, act)) is not None:
        return _refused(f"No game was begun: {why}")
    note = f"A game of {wanted.game.about.title} begins, called {name}; you play {seat}{_against(wanted)}."
    return Done(acts=(act,), notes=(f"{note} Its first letter comes by itself.",))


def _too_dear(caller: Caller, act: BeginGame) -> str | None:
    """Why the bots of a game would have too much to think, beside those of the player's others; or None."""
    kinds, most = games.kinds(), caller.office.effort
    played = caller.books.founded(caller.address)
    costs = {one.game: effort(kinds[one.kind], one.bots) for one in played if one.kind in kinds}
    costs |= {one.game: _effort(one) for one in caller.begun}
    wanted, others = _effort(act), sum(costs.values())
    if wanted + others <= most:
        return None
    beside = f", and those of your other games {others:,}" if others else ""
    ways = []
    if costs and wanted <= most:
        ways.append(f"Finish {listed(tuple(costs))}, or RESIGN where you like to stop")
    plain = [level for level, bot in kinds[act.kind].bots.items() if not isinstance(bot, Searching)]
    if plain and wanted > _effort(changed(act, level=plain[-1])):
        ways.append(f"choose bots that think less, as in  NEW {act.kind} BOTS {plain[-1]}")
    asked = "; ".join([*ways, "ask the gamesmaster"])
    return (
        f"its bots may try out {wanted:,} sets of orders a turn{beside}; all bots that one player plays "
        f"against may try {most:,}. {asked[:1].upper()}{asked[1:]}."
    )


def _effort(act: BeginGame) -> int:
    """What the bots of a game cost that is to be begun."""
    game = games.kinds()[act.kind]
    return effort(game, [act.level] * (len(game.about.seats(act.options)) - 1))


def _against(wanted: _Wanted) -> str:
    """Against which bots, where something was said of them."""
    manner = f", of temperament {wanted.temper}" if wanted.temper else ""
    if wanted.temper == DRAWN:
        manner = ", of temperaments that the dice have drawn"
    level = f"{wanted.level} bots" if wanted.level else "bots"
    return f", against {level}{manner}" if wanted.level or wanted.temper else ""


def _refused(sentence: str) -> Done:
    return Done(notes=(sentence,))


def _wanted(words: Sequence[str]) -> _Wanted:
    """What the words after NEW ask for: kind, name, options, BOTS and theirs. Raises Invalid."""
    plain = [word for word in words if "=" not in word]
    options = dict(_option(word) for word in words if "=" in word)
    plain, opponents = _opponents(plain)
    opponents += [options.pop(name) for name in ("bots", "temperament") if name in options]
    for size in range(len(plain), 0, -1):
        game = games.find(" ".join(plain[:size])) or games.find("-".join(plain[:size]))
        if game is not None:
            if len(plain) > size + 1:
                raise Invalid(
                    " ".join(plain[size:]), "is more than a name", "write NEW kind name option=value"
                )
            named = plain[size].lower() if len(plain) > size else None
            return _Wanted(game, named, options, *_bots(game, opponents))
    raise Invalid(
        f"kind {plain[0] if plain else ''}".strip(),
        "there is no such kind of game",
        "there are: " + ", ".join(games.kinds()),
    )


def _opponents(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words before BOTS, and those behind it."""
    at = next((place for place, word in enumerate(words) if word.lower() == "bots"), len(words))
    return list(words[:at]), [word.strip(",;.") for word in words[at + 1 :]]


def _bots(game: Game, names: Sequence[str]) -> tuple[str | None, str | None]:
    """The level and the temperament that are meant, in either order. Raises Invalid."""
    known = {DRAWN, *(temper for level in game.bots for temper in temperaments(game, level))}
    tempers = [name for name in names if name.lower() in known]
    levels = [name for name in names if name.lower() not in known]
    if len(names) > MOST_SAID:
        raise Invalid(
            f"BOTS {' '.join(names)}",
            "is more than a level and a temperament",
            f"write BOTS {next(iter(game.bots))}",
        )
    level, temper = (*levels, None)[0], (*tempers, *levels[1:], None)[0]
    return chosen(game, level, temper)


def _option(word: str) -> tuple[str, str]:
    name, _, value = word.strip(",;").partition("=")
    return name.lower(), value


def _seat_and_options(wanted: _Wanted) -> tuple[Seat, dict[str, str | int | bool]]:
    """The seat that the player takes and the options, settled. Raises Invalid."""
    about = wanted.game.about
    given = dict(wanted.options)
    whose = given.pop("seat", None)
    files = [option.name for option in about.options if option.sort == "file" and option.name in given]
    if files:
        raise Invalid(f"option {files[0]}", "is a list that only the gamesmaster can give", "leave it out")
    options = dict(settle(about.options, given))
    seats = about.seats(options)
    if whose is None:
        return seats[0], options
    for seat in seats:
        if short(seat) == short(whose):
            return seat, options
    raise Invalid(f"seat {whose}", "there is no such seat", "there are: " + ", ".join(seats))


def _name(caller: Caller, wanted: _Wanted) -> str:
    """What the game is called: as the player wishes, else kind and number. Raises Invalid."""
    taken = {*caller.books.names(), *(act.game for act in caller.begun)}
    if wanted.name is None:
        stem = wanted.game.about.kind[:14]
        return next(name for n in range(1, _MOST_NUMBERED) if (name := f"{stem}-{n}") not in taken)
    if not is_game_name(wanted.name):
        why = "a game is called by 1 to 20 letters a-z, digits and hyphens, but neither b nor sent"
        raise Invalid(f"name {wanted.name}", why, "leave it out, and one is found")
    if keys_held(caller.address, caller.books, caller.office).shown_in(wanted.name):
        raise Invalid("that name", "is a reply token of yours", "leave it out, and one is found")
    if wanted.name in taken:
        raise Invalid(f"name {wanted.name}", "there is a game of that name already", "choose another one")
    return wanted.name
