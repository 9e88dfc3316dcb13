"""RECORD: how somebody fared in the games that he plays alone, beside what bots get."""

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Caller, Done, told
from adjudicator.reports.campaign_record import record_of, record_text
from adjudicator.reports.transcript import Answer
from orders.commands import Command


def ask_record(caller: Caller, command: Command) -> Done:
    """The record of all seats of the address to which the answer goes, in every game that is over.

    So a letter in the name of somebody else shows his record to nobody but him.
    """
    chapters = record_of(caller.address, caller.books)
    if not chapters:
        kinds = sorted(game.about.title for game in games.kinds().values() if game.campaign is not None)
        return told(sentence("clerk.record.empty", kinds=kinds))
    text = record_text(chapters) + "\n\n" + sentence("clerk.record.what_counts")
    return Done(answered=(Answer(title=sentence("clerk.record.title"), text=text),))
