"""NEW: a player begins a game of his own, against bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Done, told
from adjudicator.clerk.keys import keys_held
from adjudicator.ledger.game_acts import BeginGame
from adjudicator.ledger.hours import Solo
from adjudicator.ledger.people_acts import TellGamesmaster
from adjudicator.referee.bots import DRAWN, chosen, effort, temperaments, usual
from adjudicator.reports.help import games_text
from adjudicator.reports.times import listed
from adjudicator.reports.transcript import Answer
from adjudicator.signs.addresses import is_game_name, short, valid_address
from games.options import begun, settle
from games.protocol import Game, Invalid, Seat
from games.protocol.bot_skills import Searching
from games.record import changed
from orders.commands import Command

GAMES_A_DAY = 3
DAY = 24 * 3_600_000
MAX_GAMES_PER_DAY = 300
"""So many games a day are begun by email, whoever asks for them."""

MAX_GAMES_PER_DOMAIN = 20
"""So many of them from addresses of one domain at which no known player has one."""

MOST_SAID = 2
"""Of bots a level and a temperament may be said."""
_MOST_NUMBERED = 10_000


@dataclass(frozen=True)
class _Wanted:
    """What a player asks for: a kind, a name if he gave one, options as he wrote them.

    level, temper: of the bots, by their names; solo: whether he wants deadlines.
    """

    game: Game
    name: str | None
    options: Mapping[str, str]
    level: str | None = None
    temper: str | None = None
    solo: Solo | None = None


def begin(caller: Caller, command: Command) -> Done:
    """Begin a game of the player's own and seat him; its first letter is the welcome."""
    words = " ".join(command.args).split()
    if not names_kind(command):
        return _what_there_is(words)
    begun = caller.books.begun_since(caller.address, caller.received - DAY) + len(caller.begun)
    if begun >= GAMES_A_DAY:
        return told(sentence("clerk.beginning.enough_for_a_day", most=GAMES_A_DAY))
    if (full := _full(caller)) is not None:
        return full
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return told(sentence("clerk.beginning.unreachable"))
    try:
        wanted = _wanted(words)
        seat, options = _seat_and_options(wanted)
        name = _name(caller, wanted)
    except Invalid as fault:
        return told(
            sentence("clerk.beginning.not_begun", what=fault.what, why=fault.why, instead=fault.instead)
        )
    act = BeginGame(
        game=name,
        by=caller.address,
        kind=wanted.game.about.kind,
        options=options,
        seat=seat,
        level=wanted.level,
        temper=wanted.temper,
        solo=wanted.solo,
    )
    if (why := _too_dear(caller, act)) is not None:
        return told(why)
    note = sentence(
        "clerk.beginning.begun",
        title=wanted.game.about.title,
        game=name,
        seat=seat,
        level=wanted.level,
        temper=wanted.temper,
        drawn=wanted.temper == DRAWN,
    )
    return Done(acts=(act,), notes=(note,))


def names_kind(command: Command) -> bool:
    """Whether a NEW says which kind of game it wants; else it is a question for what there is."""
    plain, _ = _opponents([word for word in " ".join(command.args).split() if "=" not in word])
    return _kind(plain) is not None


def _what_there_is(words: Sequence[str]) -> Done:
    """The games that may be begun, and that what was named is none of them."""
    answer = Answer(title=sentence("clerk.beginning.games_title"), text=games_text())
    if not words:
        return Done(answered=(answer,))
    what, why = sentence("clerk.beginning.kind", kind=words[0]), sentence("clerk.beginning.no_such_kind")
    instead = sentence("clerk.beginning.there_are", names=tuple(games.kinds()))
    note = sentence("clerk.beginning.not_begun", what=what, why=why, instead=instead)
    return Done(notes=(note,), answered=(answer,))


def _full(caller: Caller) -> Done | None:
    """Return what is told where enough games were begun today; None where another one may be."""
    since, domain = caller.received - DAY, caller.address.rpartition("@")[2]
    here = len(caller.begun)
    if caller.books.begun_by_mail_since(since) + here >= MAX_GAMES_PER_DAY:
        return _put_off(
            caller,
            "all",
            sentence("clerk.beginning.full", most=MAX_GAMES_PER_DAY),
            sentence("clerk.beginning.full_subject"),
            sentence("clerk.beginning.full_told", most=MAX_GAMES_PER_DAY),
        )
    begun = caller.books.begun_by_mail_since(since, domain) + here
    if begun < MAX_GAMES_PER_DOMAIN or caller.books.is_domain_known(domain, since):
        return None
    return _put_off(
        caller,
        "domain",
        sentence("clerk.beginning.full_domain", most=MAX_GAMES_PER_DOMAIN, domain=domain),
        sentence("clerk.beginning.full_domain_subject", domain=domain),
        sentence("clerk.beginning.full_domain_told", most=MAX_GAMES_PER_DOMAIN, domain=domain),
    )


def _put_off(caller: Caller, what: str, why: str, subject: str, told: str) -> Done:
    """Return that a game may be begun tomorrow, and the email about it to the GM, once a day.

    what: which limit it is; why: as the player is told; subject, told: as the GM is.
    """
    act = TellGamesmaster(
        by=caller.address,
        key=f"games-begun/{what}/{caller.received // DAY}",
        subject=subject,
        paragraphs=(told, sentence("clerk.beginning.full_look")),
    )
    return Done(acts=(act,), notes=(f"{why} {sentence('clerk.beginning.try_tomorrow')}",))


def _too_dear(caller: Caller, act: BeginGame) -> str | None:
    """Why the bots of a game would have too much to think, beside those of the player's others; or None."""
    kinds, most = games.kinds(), caller.office.effort
    played = caller.books.founded(caller.address)
    costs = {one.game: effort(kinds[one.kind], one.bots) for one in played if one.kind in kinds}
    costs |= {one.game: _effort(one) for one in caller.begun}
    wanted, others = _effort(act), sum(costs.values())
    if wanted + others <= most:
        return None
    plain = [level for level, bot in kinds[act.kind].bots.items() if not isinstance(bot, Searching)]
    is_less = plain and wanted > _effort(changed(act, level=plain[-1]))
    return sentence(
        "clerk.beginning.too_dear",
        wanted=wanted,
        others=others,
        most=most,
        finish=listed(tuple(costs)) if wanted <= most else "",
        kind=act.kind,
        plain=plain[-1] if is_less else None,
    )


def _effort(act: BeginGame) -> int:
    """What the bots of a game cost that is to be begun."""
    game = games.kinds()[act.kind]
    return effort(game, [act.level] * (len(game.about.seats(act.options)) - 1))


def _wanted(words: Sequence[str]) -> _Wanted:
    """What the words after NEW ask for: kind, name, options, BOTS and theirs. Raises Invalid."""
    plain = [word for word in words if "=" not in word]
    options = dict(_option(word) for word in words if "=" in word)
    plain, opponents = _opponents(plain)
    solo = _solo(options.pop("solo", None))
    opponents += [options.pop(name) for name in ("bots", "temperament") if name in options]
    found = _kind(plain)
    assert found is not None, "it was asked before"
    game, size = found
    if len(plain) > size + 1:
        raise Invalid(
            " ".join(plain[size:]),
            sentence("clerk.beginning.more_than_a_name"),
            sentence("clerk.beginning.write_new"),
        )
    named = plain[size].lower() if len(plain) > size else None
    return _Wanted(game, named, options, *_bots(game, opponents), solo=solo)


def _kind(plain: Sequence[str]) -> tuple[Game, int] | None:
    """The kind that the first words name, and how many of them do."""
    for size in range(len(plain), 0, -1):
        game = games.find(" ".join(plain[:size])) or games.find("-".join(plain[:size]))
        if game is not None:
            return game, size
    return None


def _solo(said: str | None) -> Solo | None:
    """Whether he wants deadlines. Raises Invalid."""
    known: tuple[Solo, ...] = get_args(Solo)
    if said is None:
        return None
    for one in known:
        if said.lower() == one:
            return one
    what = sentence("clerk.beginning.solo", said=said)
    raise Invalid(what, sentence("clerk.beginning.no_such_solo"), sentence("clerk.beginning.write_solo"))


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
            sentence("clerk.beginning.more_than_two_words_on_bots"),
            sentence("clerk.beginning.write_bots", level=next(iter(game.bots))),
        )
    level, temper = (*levels, None)[0], (*tempers, *levels[1:], None)[0]
    return chosen(game, level or usual(game), temper)


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
        raise Invalid(
            sentence("clerk.beginning.option", option=files[0]),
            sentence("clerk.beginning.list_of_the_gamesmaster"),
            sentence("clerk.beginning.leave_it_out"),
        )
    options = dict(settle(about.options, begun(about.options, given)))
    seats = about.seats(options)
    if whose is None:
        return seats[0], options
    for seat in seats:
        if short(seat) == short(whose):
            return seat, options
    raise Invalid(
        sentence("clerk.beginning.seat", seat=whose),
        sentence("clerk.beginning.no_such_seat"),
        sentence("clerk.beginning.there_are", names=seats),
    )


def _name(caller: Caller, wanted: _Wanted) -> str:
    """What the game is called: as the player wishes, else kind and number. Raises Invalid."""
    taken = {*caller.books.names(), *(act.game for act in caller.begun)}
    if wanted.name is None:
        stem = wanted.game.about.kind[:14].rstrip("-")
        return next(name for n in range(1, _MOST_NUMBERED) if (name := f"{stem}-{n}") not in taken)
    what = sentence("clerk.beginning.name", name=wanted.name)
    if not is_game_name(wanted.name):
        why = sentence("clerk.beginning.no_name_of_a_game")
        raise Invalid(what, why, sentence("clerk.beginning.one_is_found"))
    if keys_held(caller.address, caller.books, caller.office).shown_in(wanted.name):
        # A token is repeated nowhere.
        what, why = sentence("clerk.beginning.that_name"), sentence("clerk.beginning.name_is_a_token")
        raise Invalid(what, why, sentence("clerk.beginning.one_is_found"))
    if wanted.name in taken:
        why = sentence("clerk.beginning.name_is_taken")
        raise Invalid(what, why, sentence("clerk.beginning.choose_another"))
    return wanted.name
