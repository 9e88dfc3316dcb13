"""NEW: a player begins a game of their own, against bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import games
from adjudicator.auth.reply_tokens import reply_tokens_held
from adjudicator.inbound.commands.context import CommandContext, CommandResult, reply_with
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_game_name, short_seat_name, valid_address
from adjudicator.model.deadlines import Solo
from adjudicator.model.game_acts import BeginGame
from adjudicator.model.people_acts import TellGamesmaster
from adjudicator.reports.help import games_text
from adjudicator.reports.times import join_names
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import RANDOM_TEMPER, default_level, effort, parse_bot_choice, temperaments
from games.options import settle, with_starting_values
from games.protocol import Game, Invalid, Seat
from games.protocol.bot_skills import SupportsSearchBudget
from games.record import replace_fields
from orders.commands import Command

MAX_GAMES_PER_PLAYER_PER_DAY = 3
GAMES_BEGUN_WINDOW = 24 * 3_600_000
MAX_GAMES_PER_DAY = 300
"""So many games a day are begun by email, whoever asks for them."""

MAX_GAMES_PER_DOMAIN = 20
"""So many of them from addresses of one domain at which no known player has one."""

MAX_BOT_WORDS = 2
"""Of bots a level and a temperament may be said."""
_MAX_NUMBERED_NAMES = 10_000


@dataclass(frozen=True)
class _GameWish:
    """The game that a player asks for: a kind, a name if they gave one, options as they wrote them.

    level, temper: of the bots, by their names; solo: whether they want deadlines.
    """

    game: Game
    name: str | None
    options: Mapping[str, str]
    level: str | None = None
    temper: str | None = None
    solo: Solo | None = None


def begin_game(caller: CommandContext, command: Command) -> CommandResult:
    """Begin a game of the player's own and seat him; its first letter is the welcome."""
    words = " ".join(command.args).split()
    if not names_kind(command):
        return _list_games(words)
    begun = caller.books.games_begun_since(caller.address, caller.received - GAMES_BEGUN_WINDOW) + len(
        caller.begun
    )
    if begun >= MAX_GAMES_PER_PLAYER_PER_DAY:
        return reply_with(sentence("clerk.beginning.enough_for_a_day", most=MAX_GAMES_PER_PLAYER_PER_DAY))
    if (full := _explain_full(caller)) is not None:
        return full
    if valid_address(caller.address) is None or caller.address == caller.office.address:
        return reply_with(sentence("clerk.beginning.unreachable"))
    try:
        wanted = _parse_wish(words)
        seat, options = _seat_and_options(wanted)
        name = _choose_name(caller, wanted)
    except Invalid as fault:
        return reply_with(
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
    if (why := _explain_effort(caller, act)) is not None:
        return reply_with(why)
    note = sentence(
        "clerk.beginning.begun",
        title=wanted.game.about.title,
        game=name,
        seat=seat,
        level=wanted.level,
        temper=wanted.temper,
        drawn=wanted.temper == RANDOM_TEMPER,
    )
    return CommandResult(acts=(act,), notes=(note,))


def names_kind(command: Command) -> bool:
    """Return whether a NEW says which kind of game it wants; else it asks which games there are."""
    plain, _ = _split_opponents([word for word in " ".join(command.args).split() if "=" not in word])
    return _find_kind(plain) is not None


def _list_games(words: Sequence[str]) -> CommandResult:
    """Return the games that may be begun, and a note that none has the name given."""
    answer = CommandAnswer(title=sentence("clerk.beginning.games_title"), text=games_text())
    if not words:
        return CommandResult(answered=(answer,))
    what, why = sentence("clerk.beginning.kind", kind=words[0]), sentence("clerk.beginning.no_such_kind")
    instead = sentence("clerk.beginning.there_are", names=tuple(games.kinds()))
    note = sentence("clerk.beginning.not_begun", what=what, why=why, instead=instead)
    return CommandResult(notes=(note,), answered=(answer,))


def _explain_full(caller: CommandContext) -> CommandResult | None:
    """Return what is told where enough games were begun today; None where another one may be."""
    since, domain = caller.received - GAMES_BEGUN_WINDOW, caller.address.rpartition("@")[2]
    here = len(caller.begun)
    if caller.books.games_begun_by_mail_since(since) + here >= MAX_GAMES_PER_DAY:
        return _defer_to_tomorrow(
            caller,
            "all",
            sentence("clerk.beginning.full", most=MAX_GAMES_PER_DAY),
            sentence("clerk.beginning.full_subject"),
            sentence("clerk.beginning.full_told", most=MAX_GAMES_PER_DAY),
        )
    begun = caller.books.games_begun_by_mail_since(since, domain) + here
    if begun < MAX_GAMES_PER_DOMAIN or caller.books.is_domain_known(domain, since):
        return None
    return _defer_to_tomorrow(
        caller,
        "domain",
        sentence("clerk.beginning.full_domain", most=MAX_GAMES_PER_DOMAIN, domain=domain),
        sentence("clerk.beginning.full_domain_subject", domain=domain),
        sentence("clerk.beginning.full_domain_told", most=MAX_GAMES_PER_DOMAIN, domain=domain),
    )


def _defer_to_tomorrow(
    caller: CommandContext, what: str, why: str, subject: str, gm_text: str
) -> CommandResult:
    """Return that a game may be begun tomorrow, and the email about it to the GM, once a day.

    what: which limit it is; why: as the player is told; subject, gm_text: as the GM is.
    """
    act = TellGamesmaster(
        by=caller.address,
        key=f"games-begun/{what}/{caller.received // GAMES_BEGUN_WINDOW}",
        subject=subject,
        paragraphs=(gm_text, sentence("clerk.beginning.full_look")),
    )
    return CommandResult(acts=(act,), notes=(f"{why} {sentence('clerk.beginning.try_tomorrow')}",))


def _explain_effort(caller: CommandContext, act: BeginGame) -> str | None:
    """Return why the bots of a game would cost too much effort, beside the player's other games; or None."""
    kinds, most = games.kinds(), caller.office.effort
    played = caller.books.founded_games(caller.address)
    costs = {
        begun_game.game: effort(kinds[begun_game.kind], begun_game.bots)
        for begun_game in played
        if begun_game.kind in kinds
    }
    costs |= {act_of_letter.game: _effort_of(act_of_letter) for act_of_letter in caller.begun}
    wanted, others = _effort_of(act), sum(costs.values())
    if wanted + others <= most:
        return None
    plain = [
        level for level, bot in kinds[act.kind].bots.items() if not isinstance(bot, SupportsSearchBudget)
    ]
    is_less = plain and wanted > _effort_of(replace_fields(act, level=plain[-1]))
    return sentence(
        "clerk.beginning.too_dear",
        wanted=wanted,
        others=others,
        most=most,
        finish=join_names(tuple(costs)) if wanted <= most else "",
        kind=act.kind,
        plain=plain[-1] if is_less else None,
    )


def _effort_of(act: BeginGame) -> int:
    """Return the effort of the bots of a game that is to be begun."""
    game = games.kinds()[act.kind]
    return effort(game, [act.level] * (len(game.about.seats(act.options)) - 1))


def _parse_wish(words: Sequence[str]) -> _GameWish:
    """Return what the words after NEW ask for: kind, name, options, BOTS and theirs. Raises Invalid."""
    plain = [word for word in words if "=" not in word]
    options = dict(_parse_option(word) for word in words if "=" in word)
    plain, opponents = _split_opponents(plain)
    solo = _parse_solo(options.pop("solo", None))
    opponents += [options.pop(name) for name in ("bots", "temperament") if name in options]
    kind_and_size = _find_kind(plain)
    assert kind_and_size is not None, "it was asked before"
    game, size = kind_and_size
    if len(plain) > size + 1:
        raise Invalid(
            " ".join(plain[size:]),
            sentence("clerk.beginning.more_than_a_name"),
            sentence("clerk.beginning.write_new"),
        )
    named = plain[size].lower() if len(plain) > size else None
    return _GameWish(game, named, options, *_choose_bots(game, opponents), solo=solo)


def _find_kind(plain: Sequence[str]) -> tuple[Game, int] | None:
    """Return the kind that the first words name, and the number of these words."""
    for size in range(len(plain), 0, -1):
        game = games.find(" ".join(plain[:size])) or games.find("-".join(plain[:size]))
        if game is not None:
            return game, size
    return None


def _parse_solo(text: str | None) -> Solo | None:
    """Return whether the player wants deadlines. Raises Invalid."""
    known: tuple[Solo, ...] = get_args(Solo)
    if text is None:
        return None
    for value in known:
        if text.lower() == value:
            return value
    what = sentence("clerk.beginning.solo", said=text)
    raise Invalid(what, sentence("clerk.beginning.no_such_solo"), sentence("clerk.beginning.write_solo"))


def _split_opponents(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before BOTS, and those after it."""
    at = next((place for place, word in enumerate(words) if word.lower() == "bots"), len(words))
    return list(words[:at]), [word.strip(",;.") for word in words[at + 1 :]]


def _choose_bots(game: Game, names: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the level and the temperament that are meant, in either order. Raises Invalid."""
    known = {RANDOM_TEMPER, *(temper for level in game.bots for temper in temperaments(game, level))}
    tempers = [name for name in names if name.lower() in known]
    levels = [name for name in names if name.lower() not in known]
    if len(names) > MAX_BOT_WORDS:
        raise Invalid(
            f"BOTS {' '.join(names)}",
            sentence("clerk.beginning.more_than_two_words_on_bots"),
            sentence("clerk.beginning.write_bots", level=next(iter(game.bots))),
        )
    level, temper = (*levels, None)[0], (*tempers, *levels[1:], None)[0]
    return parse_bot_choice(game, level or default_level(game), temper)


def _parse_option(word: str) -> tuple[str, str]:
    name, _, value = word.strip(",;").partition("=")
    return name.lower(), value


def _seat_and_options(wanted: _GameWish) -> tuple[Seat, dict[str, str | int | bool]]:
    """Return the seat that the player takes and the options, settled. Raises Invalid."""
    about = wanted.game.about
    given = dict(wanted.options)
    seat_text = given.pop("seat", None)
    files = [option.name for option in about.options if option.sort == "file" and option.name in given]
    if files:
        raise Invalid(
            sentence("clerk.beginning.option", option=files[0]),
            sentence("clerk.beginning.list_of_the_gamesmaster"),
            sentence("clerk.beginning.leave_it_out"),
        )
    options = dict(settle(about.options, with_starting_values(about.options, given)))
    seats = about.seats(options)
    if seat_text is None:
        return seats[0], options
    for seat in seats:
        if short_seat_name(seat) == short_seat_name(seat_text):
            return seat, options
    raise Invalid(
        sentence("clerk.beginning.seat", seat=seat_text),
        sentence("clerk.beginning.no_such_seat"),
        sentence("clerk.beginning.there_are", names=seats),
    )


def _choose_name(caller: CommandContext, wanted: _GameWish) -> str:
    """Return the game's name: as the player wishes, else kind and number. Raises Invalid."""
    taken = {*caller.books.names(), *(act.game for act in caller.begun)}
    if wanted.name is None:
        stem = wanted.game.about.kind[:14].rstrip("-")
        return next(name for n in range(1, _MAX_NUMBERED_NAMES) if (name := f"{stem}-{n}") not in taken)
    what = sentence("clerk.beginning.name", name=wanted.name)
    if not is_game_name(wanted.name):
        why = sentence("clerk.beginning.no_name_of_a_game")
        raise Invalid(what, why, sentence("clerk.beginning.one_is_found"))
    if reply_tokens_held(caller.address, caller.books, caller.office).find_holders(wanted.name):
        # A token is repeated nowhere.
        what, why = sentence("clerk.beginning.that_name"), sentence("clerk.beginning.name_is_a_token")
        raise Invalid(what, why, sentence("clerk.beginning.one_is_found"))
    if wanted.name in taken:
        why = sentence("clerk.beginning.name_is_taken")
        raise Invalid(what, why, sentence("clerk.beginning.choose_another"))
    return wanted.name
