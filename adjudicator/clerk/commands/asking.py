"""STATUS, ORDERS, HELP: questions that change nothing."""

from adjudicator.clerk.commands.case import Case, Done
from adjudicator.clock import spoken
from adjudicator.referee.gather import is_in
from adjudicator.reports.help import help_text
from adjudicator.reports.transcript import Answer
from games.protocol import Game
from orders.commands import Command


def ask_status(case: Case, command: Command) -> Done:
    """How the game stands: the turn, its deadline, who sits where, who has said everything, the standings."""
    game, position = case.game, case.seated.position
    lines = [f"{game.about.title}, game {position.name}."]
    if position.running:
        turn = game.rules.turn(position.state)
        lines.append(f"Now: {turn.name}.")
        if position.deadline is not None:
            lines.append(f"Deadline: {spoken(position.deadline, case.office.zone)}.")
    else:
        result = game.rules.result(position.state)
        winners = ", ".join(result.winners) if result else ""
        lines.append(f"The game is over. Won by: {winners}." if winners else "The game is over, a draw.")
    dues = game.rules.due(position.state)
    for seat, chair in position.chairs.items():
        owing = [due for due in dues if due.seat == seat]
        if not chair.is_person:
            state = "played by a bot"
        elif not owing:
            state = "nothing due"
        else:
            filed = position.filed.get(seat, ())
            done = all(is_in(game, position.state, due, chair, filed) for due in owing)
            state = "orders in" if done else "orders awaited"
        lines.append(f"  {seat:<16}{state}")
    return Done(answered=(Answer(title="Status", text="\n".join(lines)),))


def ask_orders(case: Case, command: Command) -> Done:
    """Every answer lists all orders on file already; so this only says where to look."""
    return Done(notes=("All your orders on file are listed below.",))


def ask_help(case: Case, command: Command) -> Done:
    """A help text."""
    topic = command.args[0] if command.args else "general"
    return Done(answered=(help_answer(topic, case.game),))


def help_answer(topic: str, game: Game | None = None) -> Answer:
    """The help on a topic, or the general one where there is none of that name."""
    return Answer(title=f"Help: {topic}", text=help_text(topic, game))
