"""The headline of some turns of War Chest, and who is ahead."""

from collections.abc import Sequence
from typing import assert_never

from games.war_chest.components import name
from games.war_chest.events import (
    AnyEvent,
    Attacked,
    Bolstered,
    Claimed,
    Controlled,
    Dealt,
    Deployed,
    Drew,
    DrewCoins,
    Ended,
    Idle,
    Lost,
    Moved,
    Paid,
    Passed,
    Picked,
    Recruited,
    Refused,
    Revealed,
    Round,
    Spent,
)
from games.war_chest.model import View
from games.war_chest.phrases import capital, join_words, side_name, unit_of


def headline(events: Sequence[AnyEvent]) -> str:
    """Return what counted most: the end, locations taken, units lost; else what was done last."""
    news = [text for event in events if (text := _news(event))]
    if news:
        return f"{capital(join_words(news[-3:]))}."
    last = [text for event in events if (text := _action(event))]
    return f"{capital(last[-1])}." if last else "No unit was moved."


def lead(view: View, events: Sequence[AnyEvent]) -> str:
    """Return who has more control markers, once one was placed; "" before, and when the game is over."""
    if not any(isinstance(event, Controlled) for event in events) or view.winners:
        return ""
    ranked = sorted(view.seats, key=lambda seat: -view.markers(seat))
    most, least = (view.markers(seat) for seat in ranked)
    if most == least:
        return f"Both sides have {most} markers."
    return f"{capital(side_name(ranked[0]))} leads with {most} markers to {least}."


def _news(event: AnyEvent) -> str:
    """An event of weight, as part of a headline."""
    match event:
        case Ended():
            who = join_words([side_name(seat) for seat in event.winners])
            return f"{who} won the game" if event.winners else "the game is a draw"
        case Controlled():
            return f"{side_name(event.seat)} took {event.at}"
        case Attacked() if event.left == 0 and event.source == "stack":
            return f"{unit_of(event.victim, event.target)} on {event.to} was destroyed"
        case Attacked() if event.riposte == 0:
            return f"{unit_of(event.seat, event.card)} fell on the pikes"
        case Attacked() | Dealt() | Picked() | Revealed() | Drew() | DrewCoins() | Spent() | Deployed():
            return ""
        case Bolstered() | Moved() | Lost() | Paid() | Recruited() | Claimed() | Passed():
            return ""
        case Idle() | Refused() | Round():
            return ""
        case _:
            assert_never(event)


def _action(event: AnyEvent) -> str:
    """Return what a side did, as a headline where nothing weightier happened."""
    match event:
        case Moved():
            return f"{unit_of(event.seat, event.card)} moved to {event.to}"
        case Attacked():
            return f"{unit_of(event.seat, event.card)} attacked {unit_of(event.victim, event.target)}"
        case Deployed():
            return f"{side_name(event.seat)} deployed the {name(event.card)} on {event.at}"
        case Bolstered():
            return f"{side_name(event.seat)} bolstered the {name(event.card)}"
        case Recruited():
            return f"{side_name(event.seat)} recruited the {name(event.card)}"
        case Passed():
            return f"{side_name(event.seat)} passed"
        case Picked():
            return f"{side_name(event.seat)} picked the {name(event.card)}"
        case Claimed():
            return f"{side_name(event.seat)} claimed the initiative"
        case Dealt() | Revealed() | Drew() | DrewCoins() | Spent() | Lost() | Controlled() | Paid():
            return ""
        case Idle() | Refused() | Round() | Ended():
            return ""
        case _:
            assert_never(event)
