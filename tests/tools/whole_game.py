"""A whole solo game by email, with the orders of a bot in the place of a person:

    python -m tests.tools.whole_game war-chest [FOLDER] [--option scenario=2.7] [--seed fox]

writes each email that the player gets into the folder, as 0001.txt and so on, and prints how many emails,
words and lines (of 78 columns, and of a phone's 40) they are, and how many lines the player has to write.
"""

import argparse
import textwrap
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import games
from adjudicator.admin import game_admin
from adjudicator.model.games import GamePosition
from adjudicator.outbound import composer
from games.dice import SealedDice
from games.options import settle_for_new_game
from games.protocol import Order, Seat
from games.war_chest import model as war_chest
from games.war_chest.rules import view_after
from tests.kit.service_harness import LocalService, local_service, text_of

PLAYER, GAME = "player@example.org", "whole"
PHONE_COLUMNS = 40
MOST_EMAILS = 2_000


@dataclass(frozen=True)
class WholeGame:
    """A game by email. received: the texts of the player's emails; written: the lines of each answer."""

    subjects: tuple[str, ...]
    received: tuple[str, ...]
    written: tuple[int, ...]

    def lines(self) -> list[int]:
        """Return the lines of each email that the player got, without empty ones."""
        return [sum(bool(line.strip()) for line in text.splitlines()) for text in self.received]

    def phone_rows(self) -> list[int]:
        """Return the rows of each email on a phone of 40 columns."""
        return [
            sum(max(1, len(textwrap.wrap(line, PHONE_COLUMNS))) for line in text.splitlines())
            for text in self.received
        ]


def play(folder: Path, kind: str, options: dict[str, str], seed: str) -> WholeGame:
    """Play a game until it ends. The player sends what the game's strongest bot orders in their seat."""
    written = []
    draw_map, composer.draw_map = composer.draw_map, lambda *_position, **_turn: None
    try:
        with local_service(folder) as place:
            about = games.kinds()[kind].about
            seat = about.seats(settle_for_new_game(about, options))[0]
            asked = game_admin.GameRequest(kind, GAME, options=options)
            game_admin.new_game(place.service, asked, secret=seed.encode())
            game_admin.assign(place.service, GAME, seat, PLAYER)
            place.work()
            for entry in range(MOST_EMAILS):
                position = game_admin.position_of(place.service, GAME)
                if not position.is_running:
                    break
                orders = _orders(position, seat, seed, entry)
                written.append(len(orders))
                place.clock.advance(60_000)
                place.write(PLAYER, _reply_address(place), "\n".join(orders))
                place.work()
            emails = place.mail(PLAYER)
            return WholeGame(
                tuple(str(email["Subject"]) for email in emails),
                tuple(text_of(email) for email in emails),
                tuple(written),
            )
    finally:
        composer.draw_map = draw_map


def _reply_address(place: LocalService) -> str:
    return str(place.mail(PLAYER)[-1]["Reply-To"])


def _orders(position: GamePosition, seat: Seat, seed: str, entry: int) -> list[str]:
    """Return the lines that a bot would send for what is due in a seat; in War Chest for its whole hand."""
    game = position.game
    bot = list(game.bots.values())[-1]
    dice = SealedDice(seed.encode(), GAME, entry)
    if isinstance(position.state, war_chest.State) and not position.state.picks:
        (due,) = game.rules.due(position.state)
        view, lines = game.rules.view(position.state, seat), list[str]()
        while view.sides[seat].hand:
            order = bot.orders(view, due, dice)[0].order
            lines.append(game.notation.write(order))
            view = view_after(view, seat, order)
        return lines
    orders: list[Order] = [
        choice.order
        for due in game.rules.due(position.state)
        if due.seat == seat
        for choice in bot.orders(game.rules.view(position.state, seat), due, dice)
    ]
    return [game.notation.write(order) for order in orders]


def main() -> None:
    """Play the game, write the emails, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seed", default="fox")
    given = parser.parse_args()
    options = dict(text.split("=", 1) for text in given.option)
    with TemporaryDirectory() as folder:
        game = play(Path(folder), given.kind, options, given.seed)
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        for number, (subject, text) in enumerate(zip(game.subjects, game.received, strict=True), 1):
            (given.folder / f"{number:04}.txt").write_text(f"Subject: {subject}\n\n{text}", encoding="utf-8")
    words = sum(len(text.split()) for text in game.received)
    lines, rows = game.lines(), game.phone_rows()
    emails = len(lines)
    print(f"{given.kind}: {len(game.written)} emails written, {sum(game.written)} lines of orders")
    print(f"{emails} emails received: {words} words, {sum(lines)} lines, {sum(rows)} rows of a phone")
    each = [round(total / emails) for total in (words, sum(lines), sum(rows))]
    print(f"an email: {each[0]} words, {each[1]} lines, {each[2]} rows of a phone")


if __name__ == "__main__":
    main()
