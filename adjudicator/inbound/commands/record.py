"""RECORD: the results of a player in the games that they play alone, beside those of bots."""

import games
from adjudicator.inbound.commands.context import CommandContext, CommandResult, reply_with
from adjudicator.messages import sentence
from adjudicator.reports.charts import record_of, record_text
from adjudicator.reports.verdict import CommandAnswer
from orders.commands import Command


def ask_record(caller: CommandContext, command: Command) -> CommandResult:
    """Return the record of all seats of the address that the reply goes to, in every game that is over.

    So a letter in somebody else's name shows that record to its owner alone.
    """
    chapters = record_of(caller.address, caller.books)
    if not chapters:
        kinds = sorted(game.about.title for game in games.kinds().values() if game.campaign is not None)
        return reply_with(sentence("clerk.record.empty", kinds=kinds))
    text = record_text(chapters) + "\n\n" + sentence("clerk.record.what_counts")
    return CommandResult(answered=(CommandAnswer(title=sentence("clerk.record.title"), text=text),))
