"""The start and end of games by the gamesmaster's word: offered, started, ended, deleted."""

from collections.abc import Sequence

from adjudicator.admin import gamesmaster_forums
from adjudicator.admin.game_admin import GameRequest, check_name, free_name, position_of, seat_of
from adjudicator.clock import Millis
from adjudicator.config.terms import read_deadlines, read_policy, sort_settings
from adjudicator.errors import Refusal
from adjudicator.kinds import find_kind
from adjudicator.messages import sentence
from adjudicator.model.game_acts import EndGame
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GameOffer, GamePolicy
from adjudicator.model.people_acts import DropOffer, MakeOffer
from adjudicator.outbound.notifications import side_effects
from adjudicator.service import Service
from adjudicator.storage import acts, clocks
from adjudicator.storage.society import broken_offers
from adjudicator.turns.bots import default_level, parse_bot_choice
from games.options import settle_for_new_game
from games.protocol import GameResult, Invalid


def offer(
    house: Service, asked: GameRequest, *, players: int | None = None, starts: Millis | None = None
) -> GameOffer:
    """Offer a game to whoever signs up by mail.

    players: when so many are there it begins, all seats if nothing is said; starts: it begins then at the
    latest, with bots where nobody is.
    """
    game = find_kind(asked.kind)
    name = asked.name or free_name(house, game.about.kind)
    times, customs, early_said = sort_settings(asked.terms)
    read_deadlines(times, house.settings.deadlines)
    agreed = read_policy(customs, GamePolicy())
    gamesmaster_forums.check(house.office, game, agreed)
    try:
        settled = settle_for_new_game(game.about, asked.options)
        bot, manner = parse_bot_choice(game, asked.level or default_level(game), asked.temper)
        seats = game.about.seats(settled)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    check_name(house, name)
    if players is not None and not 1 <= players <= len(seats):
        raise Refusal(f"{players} players", f"the game has {len(seats)} seats", f"say 1 to {len(seats)}")
    if starts is not None and starts <= house.clock.now():
        raise Refusal("the start", "is over already", "name an instant to come")
    made = GameOffer(
        name=name,
        kind=game.about.kind,
        options=dict(settled),
        customs=agreed,
        needed=players or len(seats),
        starts=starts,
        early=asked.early if early_said is None else early_said,
        terms=times,
        level=bot,
        temper=manner,
    )
    now = house.clock.now()
    follow = side_effects([MakeOffer(by=house.hand, offer=made, at=now)], house.composer, now)
    acts.perform(house.database, follow.acts, follow.letters, now)
    return made


def start(house: Service, name: str) -> GamePosition:
    """Begin a game that waits for people with those who are there, bots in the other seats."""
    offer = house.books.people.offer(name)
    if offer is None:
        running = name in house.books.games()
        why = "has begun already" if running else "there is no such game"
        raise Refusal(f"game {name}", why, "gm game list  shows the games that wait for people")
    house.begin_offered(offer, house.clock.now())
    return position_of(house, name)


def end(house: Service, name: str, winners: Sequence[str], why: str) -> GamePosition:
    """End a game without its rules: won by those seats, or by nobody. Everybody gets how it stands.

    why: for the log alone. Players read that the GM has ended the game.
    """
    position = position_of(house, name)
    if not position.is_running:
        raise Refusal(f"game {name}", "the game is over")
    seats = tuple(seat_of(position, winner) for winner in winners)
    result = GameResult(winners=seats, reason=sentence("secretary.notifications.ended_by_gm"))
    act = EndGame(game=name, by=house.hand, why=why, result=result)
    now = house.clock.now()
    follow = side_effects([act], house.composer, now)
    acts.perform(house.database, follow.acts, follow.letters, now)
    return position_of(house, name)


def delete(house: Service, name: str, why: str) -> None:
    """Strike a game, or one that waits for people, from the books. Its minutes stay."""
    now = house.clock.now()
    if house.books.people.offer(name) is not None or name in broken_offers(house.database):
        acts.perform(house.database, [DropOffer(by=house.hand, why=why, name=name)], (), now)
        return
    if house.books.suspension(name) is None:
        position_of(house, name)
    clocks.delete(house.database, name, house.hand, why, now)
