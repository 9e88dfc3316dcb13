"""The gamesmaster's actions on a game's forum: where it may be, who posts there for whom."""

from dataclasses import dataclass

import games
from adjudicator.admin.lookup import position_of, seat_of
from adjudicator.auth.correspondents import forum_address, poster_word
from adjudicator.context import ServiceContext
from adjudicator.errors import Refusal
from adjudicator.model.addresses import is_own, valid_address
from adjudicator.model.game_acts import AnyAct
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GamePolicy, Poster
from adjudicator.model.people_acts import ForgetPoster, KnowPoster
from adjudicator.reports.in_forum import GameThread, forum_channel, thread_of
from adjudicator.service import Service
from adjudicator.storage import acts, clocks
from adjudicator.storage.clocks import Minute
from games.protocol import Game, Seat

FORUM_CHANNEL_KINDS = frozenset({"address", "discourse"})
"""The kinds of channels from which posts come back."""


def check(office: ServiceContext, game: Game, customs: GamePolicy) -> None:
    """Raise Refusal where a game cannot be played in the forum that its terms name, or not so."""
    forum = customs.forum
    if not forum:
        return
    channel = forum_channel(forum, office)
    if channel is None:
        raise Refusal(
            f"term forum={forum}",
            "names no channel of gm.toml",
            f'write  [[channel]]  with  name = "{forum}"  there, or the address of a list',
        )
    if channel.kind not in FORUM_CHANNEL_KINDS:
        why = f"is a channel of the kind {channel.kind}, from which no posts come back"
        raise Refusal(f"term forum={forum}", why, 'take one of  kind = "address", or the address of a list')
    if is_own(channel.address, office.address):
        raise Refusal(f"term forum={forum}", "is the service's own address", "write the list's")
    if customs.orders == "open" and game.about.hidden:
        why = "would show what only one side may know"
        raise Refusal("term orders=open", f"{why} in {game.about.title}", "leave it at  orders=sent")
    if customs.orders == "open" and customs.anonymous:
        why = "shows who plays which seat, and the game is anonymous"
        raise Refusal("term orders=open", why, "leave it at  orders=sent,  or say  anonymous=no")


@dataclass(frozen=True)
class ForumLink:
    """A game's thread as it is. subscribed: the address that the forum has to send posts to.

    words: by seat what each player would have to post now to show which poster he is.
    """

    thread: GameThread
    subscribed: str
    posters: tuple[Poster, ...]
    words: dict[Seat, str]


def forum_link(house: Service, name: str) -> ForumLink:
    """Return the thread of a game. Raises Refusal where it has none."""
    position = position_of(house, name)
    thread = _thread(house, position)
    if thread is None:
        raise Refusal(
            f"game {name}",
            "is played in no forum",
            f"gm game terms {name} forum=turns@lists.example.org  begins a thread there",
        )
    forum, key = thread.customs.forum, house.office.key
    known = house.books.people.posters(name)
    used = {poster.seat: poster.used for poster in known}
    words = {
        seat: poster_word(key, name, seat, chair.address, used.get(seat, 0))
        for seat, chair in position.chairs.items()
        if chair.address is not None
    }
    here = tuple(
        poster
        for poster in known
        if poster.name and poster.place == forum and poster.address == position.chairs[poster.seat].address
    )
    return ForumLink(thread, forum_address(key, house.office.address, forum), here, words)


def set_poster(house: Service, name: str, seat: str, poster: str, why: str) -> Poster:
    """Set by the gamesmaster's word who posts for a seat."""
    link = forum_link(house, name)
    position = position_of(house, name)
    at = seat_of(position, seat)
    address = position.chairs[at].address
    if address is None:
        raise Refusal(f"seat {at}", "is played by its bot, which posts nothing")
    named = valid_address(poster)
    if named is None or is_own(named, house.office.address) or named == link.thread.channel.address:
        raise Refusal(f"poster {poster}", "is nobody's address", "write the one from which he posts")
    before = next(
        (poster_known for poster_known in house.books.people.posters(name) if poster_known.seat == at), None
    )
    used = before.used if before else 0
    now = house.clock.now()
    forum = link.thread.customs.forum
    new_poster = Poster(seat=at, address=address, place=forum, name=named, used=used + 1, since=now)
    _do(
        house,
        name,
        KnowPoster(by=house.hand, why=why, game=name, poster=new_poster, before=used),
        f"{at}: poster",
        why,
    )
    return new_poster


def forget_poster(house: Service, name: str, seat: str, why: str) -> None:
    """Set that nobody posts for a seat any more, until its player shows again who they are."""
    at = seat_of(position_of(house, name), seat)
    if not any(poster.seat == at for poster in forum_link(house, name).posters):
        raise Refusal(f"seat {at}", "is not known to post", f"gm forum show {name}  tells who is")
    _do(house, name, ForgetPoster(by=house.hand, why=why, game=name, seat=at), f"{at}: poster forgotten", why)


def _do(house: Service, name: str, act: AnyAct, what: str, why: str) -> None:
    now = house.clock.now()
    with house.database.writing():
        acts.perform(house.database, [act], (), now)
        clocks.note(house.database, Minute(game=name, at=now, by=house.hand, what=what, why=why))


def _thread(house: Service, position: GamePosition) -> GameThread | None:
    game, customs = games.kinds()[position.kind], house.books.people.policy(position.name)
    return thread_of(position.name, game, customs, house.office)
