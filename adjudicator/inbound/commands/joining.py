"""NEW, JOIN, OBSERVE, RESIGN, INVITE, REMATCH: players begin games, enter them and leave them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

import games
from adjudicator.auth.admission import ask_consent
from adjudicator.auth.private_games import VisibleGames, WordCheck, check_word
from adjudicator.auth.reply_tokens import reply_tokens_held
from adjudicator.clock import DAY, Millis
from adjudicator.config.terms import write_deadlines
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import (
    CommandContext,
    CommandResult,
    SeatCommandContext,
    choose_seats,
    reply_with,
)
from adjudicator.messages import as_sentence, sentence
from adjudicator.model.addresses import RESERVED_NAMES, is_game_name, is_own, short_seat_name, valid_address
from adjudicator.model.deadlines import Solo
from adjudicator.model.games import AnyAct, BeginGame, GamePosition, SeatAssignment, TakeSeat
from adjudicator.model.people import (
    MOST_LOOKED_AT,
    FillSeat,
    GameOffer,
    Invite,
    MakeOffer,
    OfferSeat,
    SignOut,
    SignUp,
    Signup,
    TellGamesmaster,
    Watch,
)
from adjudicator.reports.messages import games_text
from adjudicator.reports.verdict import CommandAnswer
from adjudicator.turns.bots import RANDOM_TEMPER, default_level, effort, own_bot_name, parse_bot_choice
from games.language import join_list
from games.options import settle, with_starting_values
from games.protocol import Game, Invalid, Seat
from games.record import replace_fields
from orders.commands import MASK, Command

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
    """Start a game for a player and give them a seat. Its first email is the welcome."""
    words = " ".join(command.args).split()
    if not names_kind(command):
        return _list_games(words)
    begun = caller.repository.games_begun_since(caller.address, caller.received - GAMES_BEGUN_WINDOW) + len(
        caller.begun
    )
    if begun >= MAX_GAMES_PER_PLAYER_PER_DAY:
        return reply_with(sentence("inbound.new_game.enough_for_a_day", most=MAX_GAMES_PER_PLAYER_PER_DAY))
    if (full := _explain_full(caller)) is not None:
        return full
    if valid_address(caller.address) is None or caller.address == caller.service_context.address:
        return reply_with(sentence("inbound.new_game.unreachable"))
    try:
        wanted = _parse_wish(words)
        seat, options = _seat_and_options(wanted)
        name = _choose_name(caller, wanted)
    except Invalid as fault:
        return reply_with(_explain_not_begun(fault.what, fault.why, fault.instead))
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
        "inbound.new_game.begun",
        title=wanted.game.about.title,
        game=name,
        seat=seat,
        level=wanted.level,
        temper=wanted.temper,
        drawn=wanted.temper == RANDOM_TEMPER,
    )
    return CommandResult(acts=(act,), notes=(note,))


def names_kind(command: Command) -> bool:
    """Return whether a NEW says which kind of game it wants. If not, it asks for the list of games."""
    plain, _ = _split_opponents([word for word in " ".join(command.args).split() if "=" not in word])
    return _find_kind(plain) is not None


def _list_games(words: Sequence[str]) -> CommandResult:
    """Return the games that may be begun, and a note that none has the name given."""
    answer = CommandAnswer(title=sentence("inbound.new_game.games_title"), text=games_text())
    if not words:
        return CommandResult(answered=(answer,))
    what, why = sentence("inbound.new_game.kind", kind=words[0]), sentence("inbound.new_game.no_such_kind")
    instead = sentence("inbound.new_game.there_are", names=tuple(games.labels()))
    return CommandResult(notes=(_explain_not_begun(what, why, instead),), answered=(answer,))


def _explain_not_begun(what: str, why: str, instead: str | None) -> str:
    """Return why a game wasn't started, and what to write instead."""
    problem = sentence("inbound.new_game.not_begun", what=what, why=why)
    return f"{problem} {as_sentence(instead)}" if instead else problem


def _explain_full(caller: CommandContext) -> CommandResult | None:
    """Return the refusal if enough games were started today, or None."""
    since, domain = caller.received - GAMES_BEGUN_WINDOW, caller.address.rpartition("@")[2]
    here = len(caller.begun)
    if caller.repository.games_begun_by_mail_since(since) + here >= MAX_GAMES_PER_DAY:
        return _defer_to_tomorrow(
            caller,
            "all",
            sentence("inbound.new_game.full", most=MAX_GAMES_PER_DAY),
            sentence("inbound.new_game.full_subject"),
            sentence("inbound.new_game.full_told", most=MAX_GAMES_PER_DAY),
        )
    begun = caller.repository.games_begun_by_mail_since(since, domain) + here
    if begun < MAX_GAMES_PER_DOMAIN or caller.repository.is_domain_known(domain, since):
        return None
    return _defer_to_tomorrow(
        caller,
        "domain",
        sentence("inbound.new_game.full_domain", most=MAX_GAMES_PER_DOMAIN, domain=domain),
        sentence("inbound.new_game.full_domain_subject", domain=domain),
        sentence("inbound.new_game.full_domain_told", most=MAX_GAMES_PER_DOMAIN, domain=domain),
    )


def _defer_to_tomorrow(
    caller: CommandContext, what: str, why: str, subject: str, gm_text: str
) -> CommandResult:
    """Return the refusal of a game until tomorrow, and the email about it to the GM, once a day.

    what: the limit. why: the reason for the player. subject, gm_text: the email to the GM.
    """
    act = TellGamesmaster(
        by=caller.address,
        key=f"games-begun/{what}/{caller.received // GAMES_BEGUN_WINDOW}",
        subject=subject,
        paragraphs=(gm_text, sentence("inbound.new_game.full_look")),
    )
    return CommandResult(acts=(act,), notes=(f"{why} {sentence('inbound.new_game.try_tomorrow')}",))


def _explain_effort(caller: CommandContext, act: BeginGame) -> str | None:
    """Return why the bots of all the player's games would need too much computing, or None."""
    kinds, most = games.kinds(), caller.service_context.effort
    played = caller.repository.founded_games(caller.address)
    costs = {
        begun_game.game: effort(kinds[begun_game.kind], begun_game.bots)
        for begun_game in played
        if begun_game.kind in kinds
    }
    costs |= {act_of_letter.game: _effort_of(act_of_letter) for act_of_letter in caller.begun}
    wanted, others = _effort_of(act), sum(costs.values())
    if wanted + others <= most:
        return None
    plain = [level for level, bot in kinds[act.kind].bots.items() if bot.budget is None]
    is_less = plain and wanted > _effort_of(replace_fields(act, level=plain[-1]))
    return sentence(
        "inbound.new_game.too_dear",
        wanted=wanted,
        others=others,
        most=most,
        finish=join_list(costs) if wanted <= most else "",
        kind=act.kind,
        plain=plain[-1] if is_less else None,
    )


def _effort_of(act: BeginGame) -> int:
    """Return the effort of the bots of a game before it begins."""
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
            sentence("inbound.new_game.more_than_a_name"),
            sentence("inbound.new_game.write_new"),
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
    what = sentence("inbound.new_game.solo", said=text)
    raise Invalid(what, sentence("inbound.new_game.no_such_solo"), sentence("inbound.new_game.write_solo"))


def _split_opponents(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before BOTS, and those after it."""
    at = next((place for place, word in enumerate(words) if word.lower() == "bots"), len(words))
    return list(words[:at]), [word.strip(",;.") for word in words[at + 1 :]]


def _choose_bots(game: Game, names: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the level and the temperament that are meant, in either order. Raises Invalid."""
    known = {RANDOM_TEMPER, *(temper for bot in game.bots.values() for temper in bot.temperaments)}
    tempers = [name for name in names if name.lower() in known]
    levels = [name for name in names if name.lower() not in known]
    if len(names) > MAX_BOT_WORDS:
        raise Invalid(
            f"BOTS {' '.join(names)}",
            sentence("inbound.new_game.more_than_two_words_on_bots"),
            sentence("inbound.new_game.write_bots", level=next(iter(game.bots))),
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
            sentence("inbound.new_game.option", option=files[0]),
            sentence("inbound.new_game.list_of_the_gamesmaster"),
            sentence("inbound.new_game.leave_it_out"),
        )
    options = dict(settle(about.options, with_starting_values(about.options, given)))
    seats = about.seats(options)
    if seat_text is None:
        return seats[0], options
    for seat in seats:
        if short_seat_name(seat) == short_seat_name(seat_text):
            return seat, options
    raise Invalid(
        sentence("inbound.new_game.seat", seat=seat_text),
        sentence("inbound.new_game.no_such_seat"),
        sentence("inbound.new_game.there_are", names=seats),
    )


def _choose_name(caller: CommandContext, wanted: _GameWish) -> str:
    """Return the game's name: the player's choice, or its kind and a number. Raises Invalid."""
    taken = {*caller.repository.names(), *(act.game for act in caller.begun)}
    if wanted.name is None:
        stem = wanted.game.about.kind[:14].rstrip("-")
        return next(name for n in range(1, _MAX_NUMBERED_NAMES) if (name := f"{stem}-{n}") not in taken)
    what = sentence("inbound.new_game.name", name=wanted.name)
    if not is_game_name(wanted.name) and wanted.name not in RESERVED_NAMES:
        why = sentence("inbound.new_game.no_name_of_a_game")
        raise Invalid(what, why, sentence("inbound.new_game.one_is_found"))
    if reply_tokens_held(caller.address, caller.repository, caller.service_context).find_holders(wanted.name):
        # A token is repeated nowhere.
        what, why = sentence("inbound.new_game.that_name"), sentence("inbound.new_game.name_is_a_token")
        raise Invalid(what, why, sentence("inbound.new_game.one_is_found"))
    if wanted.name in taken or wanted.name in RESERVED_NAMES:
        # Nothing shows whether a game has it.
        why = sentence("inbound.new_game.name_is_taken")
        raise Invalid(what, why, sentence("inbound.new_game.choose_another"))
    return wanted.name


# JOIN, PREFERENCE, OBSERVE, RESIGN: taking a seat, waiting for one, watching, and leaving.


_WISH_LEAD_IN = re.compile(r"^(?:\s*(?:as|with|for|my|preferences?)\b[\s:]*)*", re.IGNORECASE)
RESIGNED, JOINED = "resigned", "joined"
"""Why a seat changes hands by letter."""


def join_game(caller: CommandContext, command: Command) -> CommandResult:
    """Sign up for a game that is open for players; take a free seat of one that runs, or wait for one."""
    if not command.args:
        return reply_with(sentence("inbound.joining.join_which"))
    if valid_address(caller.address) is None or caller.address == caller.service_context.address:
        return reply_with(sentence("inbound.joining.unreachable"))
    name, wishes = _game_name(command.args[0]), " ".join(command.args[1:])
    admission = _admit(caller, command, name)
    if isinstance(admission, CommandResult):
        return admission
    if has_word(command):
        wishes = " ".join((*command.args[1:-1], *command.args[-1].split()[1:]))
    joined = _join_known_game(caller, admission.games, name, wishes)
    return replace_fields(joined, acts=(*admission.acts, *joined.acts))


def has_word(command: Command) -> bool:
    """Return whether a JOIN has the word of a game, which is masked in its line."""
    return command.verb == "JOIN" and command.line.endswith(MASK)


def keep_word(caller: CommandContext, command: Command) -> tuple[str, tuple[AnyAct, ...]]:
    """Return a JOIN's line as a request stores it, and the counted guesses.

    In place of a right word it has a text that is worth nothing to anybody else.
    """
    tried = _try_word(caller, command) if has_word(command) else None
    if tried is None:
        return command.line, ()
    acts = (tried.noted,) if tried.noted else ()
    if not tried.proof:
        return command.line, acts
    kept = (tried.proof, command.args[-1].partition(" ")[2])
    return command.line.removesuffix(MASK) + " ".join(filter(None, kept)), acts


class _Admission(NamedTuple):
    """The games that a JOIN can mean, and the counted guesses."""

    games: VisibleGames
    acts: tuple[AnyAct, ...] = ()


def _admit(caller: CommandContext, command: Command, name: str) -> _Admission | CommandResult:
    """Return whether the sender may join a game: anybody, with its word, or by invitation."""
    visible = caller.visible
    tried = _try_word(caller, command) if has_word(command) else None
    if has_word(command) and tried is None:
        return reply_with(sentence("inbound.joining.words_not_read", most=MOST_LOOKED_AT))
    acts = (tried.noted,) if tried is not None and tried.noted else ()
    if tried is not None and tried.proof:
        return _Admission(replace(visible, own=name), acts)
    offer, people = visible.offer(name), caller.repository.people
    customs = offer.customs if offer is not None else people.policy(name)
    is_known = offer is not None or visible.position(name) is not None
    if customs.listed == "yes" or not is_known or _needs_no_word(caller, visible, name):
        return _Admission(visible, acts)
    wrong = tried is not None
    return CommandResult(acts=acts, notes=(sentence("inbound.joining.by_word", game=name, wrong=wrong),))


def _needs_no_word(caller: CommandContext, visible: VisibleGames, name: str) -> bool:
    """Return whether the sender has a place in the game already, or was invited to it."""
    has_seat = any(game == name for game, _ in caller.repository.seats_of(caller.address))
    return has_seat or name in caller.signups or visible.is_invited(name)


def _try_word(caller: CommandContext, command: Command) -> WordCheck | None:
    """Return whether the word of a JOIN is right, or None for one too many in an email."""
    if caller.words_tried >= MOST_LOOKED_AT:
        return None
    context = RequestContext(caller.repository, caller.service_context, caller.now)
    word = command.args[-1].split()[0]
    return check_word(_game_name(command.args[0]), word, caller.address, context, caller.guessed)


def _join_known_game(caller: CommandContext, visible: VisibleGames, name: str, wishes: str) -> CommandResult:
    """Sign up for a game that the sender may join, or take or await a seat of it."""
    offer = visible.offer(name)
    if offer is not None:
        return sign_up(caller, offer, wishes)
    position = visible.position(name)
    if position is None and visible.suspension(name) is not None:
        return reply_with(sentence("inbound.joining.held", game=name))
    if position is None:
        return reply_with(sentence("inbound.joining.no_such_game", game=name))
    return _join_running_game(caller, position, wishes)


def set_preference(caller: CommandContext, command: Command) -> CommandResult:
    """Set the seats that the sender would like in a game that they have signed up for."""
    text = command.args[0]
    word, _, rest = text.replace(":", " ", 1).partition(" ")
    signed = caller.signups
    named = _game_name(word) in signed
    if not signed:
        return reply_with(sentence("inbound.joining.not_signed_up"))
    if not named and len(signed) > 1:
        return reply_with(sentence("inbound.joining.prefer_which", game=next(iter(signed))))
    game = _game_name(word) if named else next(iter(signed))
    offer = caller.repository.people.offer(game)
    if offer is not None:
        return sign_up(caller, offer, rest if named else text)
    position = caller.repository.position(game)
    if position is None and caller.repository.suspension(game) is not None:
        return reply_with(sentence("inbound.joining.held", game=game))
    if position is None:
        return reply_with(sentence("inbound.joining.game_gone", game=game))
    return _join_waiting_list(caller, position, rest if named else text)


def observe_game(caller: CommandContext, command: Command) -> CommandResult:
    """Watch a game: its reports come by email, as anybody may see them."""
    if not command.args:
        return reply_with(sentence("inbound.joining.observe_which"))
    name = _game_name(command.args[0])
    position = caller.visible.position(name)
    if position is None and caller.visible.suspension(name) is not None:
        return reply_with(sentence("inbound.joining.held", game=name))
    if position is None or not position.is_running:
        return reply_with(sentence("inbound.joining.none_to_watch", game=name))
    if any(assignment.address == caller.address for assignment in position.assignments.values()):
        return reply_with(sentence("inbound.joining.watches_anyway", game=name))
    act = Watch(game=name, by=caller.address, address=caller.address)
    return CommandResult(acts=(act,), notes=(sentence("inbound.joining.watches", game=name),))


def resign(caller: CommandContext, command: Command) -> CommandResult:
    """Leave: a seat, the list of those who wait for one, the circle of those who watch."""
    name = _game_name(command.args[0]) if command.args else None
    if isinstance(caller, SeatCommandContext) and name in (None, caller.name):
        return _resign_seat(caller)
    if name is None:
        return reply_with(sentence("inbound.joining.resign_which"))
    acts, notes = list[AnyAct](), list[str]()
    if any(signup.game == name for signup in caller.repository.people.signed_up(caller.address)):
        acts.append(SignOut(game=name, by=caller.address, address=caller.address))
        notes.append(sentence("inbound.joining.signed_out", game=name))
    if caller.address in caller.repository.people.observers(name):
        acts.append(Watch(game=name, by=caller.address, address=caller.address, watches=False))
        notes.append(sentence("inbound.joining.watches_no_longer", game=name))
    if acts:
        return CommandResult(acts=tuple(acts), notes=tuple(notes))
    if any(game == name for game, _ in caller.repository.seats_of(caller.address)):
        return reply_with(sentence("inbound.joining.resign_by_answer", game=name))
    return reply_with(sentence("inbound.joining.nothing_to_resign", game=name))


def _resign_seat(case: SeatCommandContext) -> CommandResult:
    position = case.seated.position
    if not position.is_running:
        return reply_with(sentence("inbound.joining.nothing_left_to_resign"))
    free = TakeSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, address=None)
    offer = OfferSeat(game=case.name, by=case.seat, why=RESIGNED, seat=case.seat, at=case.received)
    others = any(
        assignment.is_person and seat != case.seat for seat, assignment in position.assignments.items()
    )
    note = sentence("inbound.joining.given_up", seat=case.seat, game=case.name, others=others)
    return CommandResult(acts=(free, offer) if others else (free,), notes=(note,))


def sign_up(caller: CommandContext, offer: GameOffer, wishes: str) -> CommandResult:
    """Sign up for a game that is open for players, or wait for the GM's consent."""
    seats = games.kinds()[offer.kind].about.seats(offer.options)
    chosen = choose_seats(_strip_lead_in(wishes), seats)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, offer.name, seats)
    signed = caller.signups.get(offer.name)
    liked = chosen.seats or (signed.wishes if signed else ())
    since = signed.since if signed else caller.received
    signup = Signup(game=offer.name, address=caller.address, wishes=liked, since=since)
    others = [
        other for other in caller.repository.people.signups(offer.name) if other.address != caller.address
    ]
    everybody = sorted((*others, signup), key=lambda other: other.since)
    players, held = caller.admission.sort_signups(offer, everybody)
    act = SignUp(by=caller.address, signup=signup)
    for place, (waiting, hold) in enumerate(held, 1):
        if waiting.address == caller.address:
            note = sentence("inbound.joining.waits", game=offer.name, place=place)
            return CommandResult(acts=(act, ask_consent(offer.name, caller.address, hold)), notes=(note,))
    there = len(players)
    notes = [
        sentence("inbound.joining.signed_up", game=offer.name, liked=liked, there=there, needed=offer.needed)
    ]
    if not liked:
        notes.append(sentence("inbound.joining.say_which_seats", game=offer.name))
    return CommandResult(acts=(act,), notes=tuple(notes))


def _join_running_game(caller: CommandContext, position: GamePosition, wishes: str) -> CommandResult:
    """Take a free seat of a running game, or wait for one."""
    name = position.name
    if not position.is_running:
        return reply_with(sentence("inbound.joining.game_over", game=name))
    if any(assignment.address == caller.address for assignment in position.assignments.values()):
        return reply_with(sentence("inbound.joining.plays_already", game=name))
    free = caller.repository.people.vacancies(name)
    chosen = choose_seats(_strip_lead_in(wishes), position.assignments)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, name, tuple(position.assignments))
    seat = next((wish for wish in chosen.seats if wish in free), None)
    if seat is None and free and not chosen.seats:
        seat = free[0]
    hold = caller.admission.find_hold_in(position, caller.address)
    if seat is not None and hold is None:
        return _take_seat(caller, position, seat)
    waits = _join_waiting_list(caller, position, wishes)
    if hold is None or not waits.acts:
        return waits
    return replace_fields(waits, acts=(*waits.acts, ask_consent(name, caller.address, hold)))


def _take_seat(caller: CommandContext, position: GamePosition, seat: Seat) -> CommandResult:
    name, by = position.name, caller.address
    acts: list[AnyAct] = [
        FillSeat(game=name, by=by, seat=seat, must=True),
        TakeSeat(game=name, by=by, why=JOINED, seat=seat, address=by),
        SignOut(game=name, by=by, address=by),
    ]
    if by in caller.repository.people.observers(name):
        acts.append(Watch(game=name, by=by, address=by, watches=False))
    return CommandResult(acts=tuple(acts), notes=(sentence("inbound.joining.taken", seat=seat, game=name),))


def _join_waiting_list(caller: CommandContext, position: GamePosition, wishes: str) -> CommandResult:
    """Put the sender on the waiting list."""
    chosen = choose_seats(_strip_lead_in(wishes), position.assignments)
    if chosen.unknown:
        return _no_such_seat(chosen.unknown, position.name, tuple(position.assignments))
    waiting = caller.repository.people.signups(position.name)
    place = next(
        (n for n, waiting_signup in enumerate(waiting, 1) if waiting_signup.address == caller.address),
        len(waiting) + 1,
    )
    signup = Signup(game=position.name, address=caller.address, wishes=chosen.seats, since=caller.received)
    note = sentence("inbound.joining.waits", game=position.name, place=place)
    return CommandResult(acts=(SignUp(by=caller.address, signup=signup),), notes=(note,))


def _no_such_seat(unknown: Sequence[str], game: str, seats: Sequence[Seat]) -> CommandResult:
    return reply_with(
        sentence("inbound.joining.no_such_seat", unknown=join_list(unknown), game=game, seats=seats)
    )


def _game_name(word: str) -> str:
    return word.lower().strip(" .,;:")


def _strip_lead_in(text: str) -> str:
    """Return wishes without the words that lead up to them."""
    return _WISH_LEAD_IN.sub("", text)


# INVITE: emails to people that a player would like in the game.


MAX_INVITATIONS_PER_LETTER, MAX_INVITATIONS_PER_GAME_PER_DAY, MAX_INVITATIONS_PER_DAY = 10, 20, 200
"""So many are written to for a letter; for a game, and for all games together, within a day."""

_ADDRESS_SEPARATOR = re.compile(r"[\s,;<>()\"]+")


def invite(caller: CommandContext, command: Command) -> CommandResult:
    """Invite people to one of the sender's games.

    The reply is the same for addresses that play already, were invited before, or want no invitations, so
    it reveals nothing about them.
    """
    words = [word for word in _ADDRESS_SEPARATOR.split(command.args[0]) if word] if command.args else []
    addresses = [word for word in words if "@" in word]
    named = words[0].lower().strip(".:") if words and "@" not in words[0] else None
    game = named or _own_game(caller)
    if not addresses:
        return reply_with(sentence("inbound.invitations.whom"))
    if game is None:
        return reply_with(sentence("inbound.invitations.which"))
    if not _is_in(caller, game):
        return reply_with(sentence("inbound.invitations.not_yours", game=game))
    good, bad = _sort_addresses(caller, addresses)
    notes = [sentence("inbound.invitations.no_address", addresses=bad)] if bad else []
    if len(good) > MAX_INVITATIONS_PER_LETTER:
        return reply_with(sentence("inbound.invitations.too_many", most=MAX_INVITATIONS_PER_LETTER))
    since = caller.received - DAY
    allowed_count = min(
        MAX_INVITATIONS_PER_GAME_PER_DAY - caller.repository.invitations_since(since, game),
        MAX_INVITATIONS_PER_DAY - caller.repository.invitations_since(since),
    )
    if good and len(good) > allowed_count:
        return reply_with(sentence("inbound.invitations.enough_today", game=game))
    if good:
        notes.insert(0, sentence("inbound.invitations.written", addresses=good, game=game))
    acts = tuple(Invite(by=caller.address, game=game, address=address) for address in good)
    return CommandResult(acts=acts, notes=tuple(notes))


def _own_game(caller: CommandContext) -> str | None:
    """Return the game of an email that names none: the game of its seat, or the sender's only one."""
    if isinstance(caller, SeatCommandContext):
        return caller.name
    mine = {*caller.signups, *(game for game, _ in caller.repository.seats_of(caller.address))}
    return mine.pop() if len(mine) == 1 else None


def _is_in(caller: CommandContext, game: str) -> bool:
    """Return whether the sender plays in a game that goes on, or has signed up for it."""
    if game in caller.signups:
        return True
    position = caller.repository.position(game)
    seats = () if position is None or not position.is_running else position.assignments.values()
    return any(assignment.address == caller.address for assignment in seats)


def _sort_addresses(caller: CommandContext, addresses: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the addresses that can be written to, and the words that are none, each once."""
    good: dict[str, None] = {}
    bad: dict[str, None] = {}
    for word in addresses:
        address = valid_address(word.strip(".:'"))
        ours = address is not None and is_own(address, caller.service_context.address)
        if address is None or ours:
            bad[word] = None
        else:
            good[address] = None
    return list(good), list(bad)


# REMATCH: the players of a game that is over play again, each in another seat.


REMATCH_WITHIN_MS: Millis = 30 * DAY
"""How long after the end of a game its players can ask for another."""

REMATCH_WAITS_MS: Millis = 7 * DAY
"""After this time the new game starts with those who have joined."""

_NUMBERED = re.compile(r"(.*?)-?\d*")
_MAX_NAME_CHARS = 20


def ask_rematch(case: SeatCommandContext, _command: Command) -> CommandResult:
    """Open a game like the one that is over, and ask its other players to join. Alone, begin it at once."""
    position = case.seated.position
    if position.is_running:
        return reply_with(sentence("inbound.rematch.still_runs", game=case.name))
    ended = case.repository.latest(case.name, 1)[0][0].at
    if case.now - ended > REMATCH_WITHIN_MS:
        return reply_with(sentence("inbound.rematch.too_late", days=REMATCH_WITHIN_MS // DAY))
    table = [assignment for assignment in position.assignments.values() if assignment.is_person]
    if len({assignment.address for assignment in table}) < 2:
        return begin_game(case, _new_solo_game(case))
    open_already = next(
        (offer for offer in case.repository.people.offers() if offer.rematch == case.name), None
    )
    if open_already is not None:
        return sign_up(case, open_already, "")
    offer = _offer_again(case, position, table)
    signup = Signup(game=offer.name, address=case.address, since=case.received)
    asked = tuple(
        dict.fromkeys(
            assignment.address
            for assignment in table
            if assignment.address and assignment.address != case.address
        )
    )
    acts: list[AnyAct] = [
        MakeOffer(by=case.seat, offer=offer, at=case.received),
        SignUp(by=case.address, signup=signup),
    ]
    # The seat asks, not its player's address, which others may not know. A block shows in no number.
    acts += [
        Invite(by=case.seat, game=offer.name, address=address)
        for address in asked
        if not case.admission.are_apart(case.address, address)
    ]
    note = sentence("inbound.rematch.asked", game=offer.name, count=len(asked), days=REMATCH_WAITS_MS // DAY)
    return CommandResult(acts=tuple(acts), notes=(note,))


def _offer_again(case: SeatCommandContext, position: GamePosition, table: list[SeatAssignment]) -> GameOffer:
    customs = case.repository.people.policy(case.name)
    bot = next((seat for seat in position.assignments.values() if not seat.is_person), table[0])
    return GameOffer(
        name=_next_name(case),
        kind=position.kind,
        options=dict(position.options),
        # Its thread is the place of the game that is over.
        customs=replace_fields(customs, forum=""),
        needed=len(table),
        starts=case.received + REMATCH_WAITS_MS,
        early=position.early,
        terms=write_deadlines(position.deadlines),
        level=None if own_bot_name(bot) is not None else bot.bot,
        temper=bot.temper,
        rematch=case.name,
    )


def _next_name(case: SeatCommandContext) -> str:
    """Return the name of the game with the next free number."""
    match = _NUMBERED.fullmatch(case.name)
    stem = (match[1] if match else "") or case.name
    taken = case.repository.names()
    number = 2
    while (name := f"{stem[: _MAX_NAME_CHARS - 1 - len(str(number))]}-{number}") in taken:
        number += 1
    return name


def _new_solo_game(case: SeatCommandContext) -> Command:
    """Return the NEW that begins a lone player's game again, against the same bots."""
    position = case.seated.position
    bot = next((seat for seat in position.assignments.values() if not seat.is_person), None)
    options = [f"{name}={_write(value)}" for name, value in position.options.items() if value is not None]
    words = [position.kind, _next_name(case), *options]
    if len(position.assignments) > 1:
        words.append(f"seat={case.seat.replace(' ', '-')}")
    if bot is not None and bot.bot is not None and own_bot_name(bot) is None:
        words += ["BOTS", bot.bot, *([bot.temper] if bot.temper else [])]
    text = " ".join(words)
    return Command(line=f"NEW {text}", verb="NEW", args=(text,))


def _write(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
