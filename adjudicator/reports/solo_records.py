"""A player's results in solo games, by scenario and side, compared with those of bots.

They count the player's seats in finished games without other human players. A game that did not end by its
rules, because the player or the GM ended it, counts as lost, unless it names the player as its winner.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import games
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition, outcome_of
from adjudicator.model.repository import Repository
from adjudicator.reports import render
from games.language import format_number, join_list
from games.protocol import BotResults, CampaignCase, CaseResult, End, Game, Seat
from games.record import Value


class BotRecord(Value, frozen=True):
    """The results of bots in a case. bot: its level; rows: by result, how many games ended with it."""

    bot: str
    games: int
    rows: Mapping[CaseResult, int]

    def share(self, end: End) -> float:
        """Return the share of its games with that end."""
        return sum(number for got, number in self.rows.items() if got.end == end) / self.games

    def share_beaten_by(self, case: CampaignCase, got: CaseResult) -> float:
        """Return the share of its games that a result is better than."""
        worse = (number for other, number in self.rows.items() if case.rank(other) < case.rank(got))
        return sum(worse) / self.games


class CaseRecord(Value, frozen=True):
    """The games of one case by name. title: the title of the kind of game.

    apart: the options that differ from the games of the bots. If there are any, bots is None.
    """

    title: str
    kind: str
    case: CampaignCase
    apart: tuple[str, ...]
    played: tuple[tuple[str, CaseResult], ...]
    bots: BotRecord | None

    def count_ended(self, end: End) -> int:
        """Return how many of the games ended in that way."""
        return sum(got.end == end for _, got in self.played)

    @property
    def best(self) -> tuple[str, CaseResult]:
        """Return the best of the games, the first of those that are level."""
        return max(self.played, key=lambda entry: self.case.rank(entry[1]))


def record_of(address: str, repository: Repository) -> tuple[CaseRecord, ...]:
    """Return all games that a player has played alone to their end, by kind and case as the game lists them.

    A game that cannot be read is left out.
    """
    games_by_case: dict[tuple[str, int, tuple[str, ...]], list[tuple[str, CaseResult]]] = {}
    for name, seat in repository.seats_of(address):
        position = repository.position(name)
        if position is None or position.is_running:
            continue
        game = position.game
        entered = _case_result(game, position, seat)
        if entered is not None:
            place, apart, got = entered
            games_by_case.setdefault((position.kind, place, apart), []).append((name, got))
    return tuple(_chapter(*key, games_by_case[key]) for key in sorted(games_by_case))


def _case_result(
    game: Game, position: GamePosition, seat: Seat
) -> tuple[int, tuple[str, ...], CaseResult] | None:
    """Return the case of a game, its differing options, and its result.

    Returns None if the game doesn't count.
    """
    people = [assignment for assignment in position.assignments.values() if assignment.is_person]
    campaign, result = game.campaign, outcome_of(game, position)
    if campaign is None or result is None or len(people) != 1:
        return None
    case = campaign.case(position.options, seat)
    if case is None:
        return None
    won, drawn = seat in result.winners, not result.winners and position.agreed is None
    end: End = "won" if won else "drawn" if drawn else "lost"
    got = CaseResult(end=end, count=campaign.count(position.state, case))
    return campaign.cases.index(case), campaign.set_apart(position.options), got


def _chapter(
    kind: str, place: int, apart: tuple[str, ...], played: Sequence[tuple[str, CaseResult]]
) -> CaseRecord:
    game = games.kinds()[kind]
    assert game.campaign is not None, "it was entered"
    case = game.campaign.cases[place]
    bots = None if apart else bots_in(game.campaign.results(), case)
    return CaseRecord(game.about.title, kind, case, apart, tuple(played), bots)


def bots_in(results: BotResults, case: CampaignCase) -> BotRecord:
    """Return the results of bots in a case."""
    rows = {
        CaseResult(end=end, count=int(count)): number
        for end, counts in results.cases[case.name].items()
        for count, number in counts.items()
    }
    return BotRecord(bot=results.bot, games=results.games, rows=rows)


def record_text(chapters: Sequence[CaseRecord]) -> str:
    """Return a record in preformatted rows, by kind and case."""
    titles = dict.fromkeys(chapter.title for chapter in chapters)
    return "\n\n".join("\n".join(_rows(title, chapters)) for title in titles)


def _rows(title: str, chapters: Sequence[CaseRecord]) -> Iterator[str]:
    yield title
    for chapter in chapters:
        if chapter.title == title:
            yield ""
            yield from (
                render.paragraph(text, "    " if place else "  ")
                for place, text in enumerate(_describe_case(chapter))
            )


def _describe_case(chapter: CaseRecord) -> Iterator[str]:
    """Yield a chapter in sentences: the case, the games, the best of them, the bots."""
    case, bots = chapter.case, chapter.bots
    options = join_list(chapter.apart)
    yield sentence("reports.campaign_record.case", case=case.name, options=options) if options else case.name
    count, drawn = len(chapter.played), chapter.count_ended("drawn")
    won, lost = chapter.count_ended("won"), chapter.count_ended("lost")
    if drawn:
        yield sentence("reports.campaign_record.games_drawn", count=count, won=won, drawn=drawn, lost=lost)
    else:
        yield sentence("reports.campaign_record.games", count=count, won=won, lost=lost)
    game, got = chapter.best
    number = _whole(got.count, case)
    yield sentence("reports.campaign_record.best", end=got.end, number=number, thing=case.thing, game=game)
    if bots is None:
        yield sentence("reports.campaign_record.no_comparison")
        return
    yield sentence(
        "reports.campaign_record.bots",
        beaten=_percent(bots.share_beaten_by(case, got)),
        number=format_number(bots.games),
        bot=bots.bot,
        won=_percent(bots.share("won")),
    )


def _whole(count: int, case: CampaignCase) -> str:
    """Return a count as people write it: halves as "8½"."""
    if case.quick or case.parts == 1:
        return str(count)
    sign, (whole, rest) = "-" * (count < 0), divmod(abs(count), case.parts)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}½" if case.parts == 2 * rest else f"{sign}{abs(Fraction(count, case.parts))}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
