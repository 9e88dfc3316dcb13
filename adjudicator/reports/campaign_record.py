"""Somebody's record in the games that he plays alone, by scenario and side, beside the bots'.

It counts his seats in games that are over and in which nobody else sat. A game that did not end by its rules,
since he gave it up or the gamesmaster ended it, is lost unless it names him as its winner.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import games
from adjudicator.catalogue import sentence
from adjudicator.ledger.books import Books
from adjudicator.ledger.positions import Position, outcome_of
from adjudicator.reports.typeset import paragraph
from games.protocol import BotResults, Case, End, Game, Got, Seat
from games.record import Value


class Bots(Value, frozen=True):
    """What bots got in a case. bot: its level; rows: by result, how many games came to it."""

    bot: str
    games: int
    rows: Mapping[Got, int]

    def share(self, end: End) -> float:
        """The share of its games that ended so."""
        return sum(number for got, number in self.rows.items() if got.end == end) / self.games

    def beaten(self, case: Case, got: Got) -> float:
        """The share of its games that a result is better than."""
        worse = (number for one, number in self.rows.items() if case.rank(one) < case.rank(got))
        return sum(worse) / self.games


class Chapter(Value, frozen=True):
    """The games of one case, in the order of their names, each with its name. title: of the kind of game.

    apart: the options by which they are other games than those of the bots, which then are None.
    """

    title: str
    kind: str
    case: Case
    apart: tuple[str, ...]
    played: tuple[tuple[str, Got], ...]
    bots: Bots | None

    def ended(self, end: End) -> int:
        """How many of them ended so."""
        return sum(got.end == end for _, got in self.played)

    @property
    def best(self) -> tuple[str, Got]:
        """The best of them, the first of those that are level."""
        return max(self.played, key=lambda one: self.case.rank(one[1]))


def record_of(address: str, books: Books) -> tuple[Chapter, ...]:
    """All that somebody has played alone to its end, by kind and case in the order in which a game has them.

    A game that cannot be read is left out.
    """
    found: dict[tuple[str, int, tuple[str, ...]], list[tuple[str, Got]]] = {}
    for name, seat in books.seats_of(address):
        position = books.position(name)
        if position is None or position.running or position.kind not in games.kinds():
            continue
        game = games.kinds()[position.kind]
        entered = _entered(game, position, seat)
        if entered is not None:
            place, apart, got = entered
            found.setdefault((position.kind, place, apart), []).append((name, got))
    return tuple(_chapter(*key, found[key]) for key in sorted(found))


def _entered(game: Game, position: Position, seat: Seat) -> tuple[int, tuple[str, ...], Got] | None:
    """Which case a game counts as, by which options it is apart, and its result; None where it counts not."""
    people = [chair for chair in position.chairs.values() if chair.is_person]
    campaign, result = game.campaign, outcome_of(game, position)
    if campaign is None or result is None or len(people) != 1:
        return None
    case = campaign.case(position.options, seat)
    if case is None:
        return None
    won, drawn = seat in result.winners, not result.winners and position.agreed is None
    end: End = "won" if won else "drawn" if drawn else "lost"
    got = Got(end=end, count=campaign.count(position.state, case))
    return campaign.cases.index(case), campaign.set_apart(position.options), got


def _chapter(kind: str, place: int, apart: tuple[str, ...], played: Sequence[tuple[str, Got]]) -> Chapter:
    game = games.kinds()[kind]
    assert game.campaign is not None, "it was entered"
    case = game.campaign.cases[place]
    bots = None if apart else bots_in(game.campaign.results(), case)
    return Chapter(game.about.title, kind, case, apart, tuple(played), bots)


def bots_in(results: BotResults, case: Case) -> Bots:
    """What bots got in a case."""
    rows = {
        Got(end=end, count=int(count)): number
        for end, counts in results.cases[case.name].items()
        for count, number in counts.items()
    }
    return Bots(bot=results.bot, games=results.games, rows=rows)


def record_text(chapters: Sequence[Chapter]) -> str:
    """A record in rows that stay as they are, by kind and case."""
    titles = dict.fromkeys(one.title for one in chapters)
    return "\n\n".join("\n".join(_rows(title, chapters)) for title in titles)


def _rows(title: str, chapters: Sequence[Chapter]) -> Iterator[str]:
    yield title
    for one in chapters:
        if one.title == title:
            yield ""
            yield from (paragraph(text, "    " if place else "  ") for place, text in enumerate(_said(one)))


def _said(chapter: Chapter) -> Iterator[str]:
    """A chapter in sentences: what it is, the games, the best, the bots."""
    case, bots = chapter.case, chapter.bots
    yield sentence("reports.campaign_record.case", case=case.name, options=chapter.apart)
    yield sentence(
        "reports.campaign_record.games",
        number=len(chapter.played),
        won=chapter.ended("won"),
        drawn=chapter.ended("drawn"),
        lost=chapter.ended("lost"),
    )
    game, got = chapter.best
    count = _whole(got.count, case)
    yield sentence("reports.campaign_record.best", end=got.end, count=count, thing=case.thing, game=game)
    if bots is None:
        yield sentence("reports.campaign_record.no_comparison")
        return
    yield sentence(
        "reports.campaign_record.bots",
        beaten=_percent(bots.beaten(case, got)),
        number=f"{bots.games:,}",
        bot=bots.bot,
        won=_percent(bots.share("won")),
    )


def _whole(count: int, case: Case) -> str:
    """A count as people write it: halves as "8½"."""
    if case.quick or case.parts == 1:
        return str(count)
    sign, (whole, rest) = "-" * (count < 0), divmod(abs(count), case.parts)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}½" if case.parts == 2 * rest else f"{sign}{abs(Fraction(count, case.parts))}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
