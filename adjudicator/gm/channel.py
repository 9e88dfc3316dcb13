"""``gm channel``: where people are told how games go; what waits for it, and whether it works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.clock import moment
from adjudicator.errors import Fault, Refusal
from adjudicator.gm import channel_view
from adjudicator.gm.help_examples import Json, example, noun
from adjudicator.gm.opening import config_of, house_of, shelf_at
from adjudicator.gm.output import document, say, stamp, table
from adjudicator.ledger import headers, letters
from adjudicator.reports import posts
from adjudicator.secretary import crier as criers

if TYPE_CHECKING:
    from adjudicator.house import House
    from adjudicator.ledger.letters import Receipt
    from adjudicator.settings.channel import Channel

app = noun(
    "See the channels that are told of games, and try them.",
    "gm channel list",
    "gm channel test club",
)

ChannelName = Annotated[str, typer.Argument(metavar="NAME", help="A channel: gm channel list shows them.")]


@app.command("list", epilog=example("gm channel list", then="Channels are named in gm.toml, as [[channel]]."))
def list_channels(ctx: typer.Context, as_json: Json = False) -> None:
    """List the channels: what each is told, what waits for it, since when it takes nothing."""
    with shelf_at(config_of(ctx)) as shelf:
        found, zone = channel_view.channels(shelf), shelf.zone
    if as_json:
        document([{**one, "down_since": stamp(one["down_since"])} for one in found])
        return
    if not found:
        say("There is no channel. Name one in gm.toml, as [[channel]].")
        return
    rows = [
        (
            one["channel"],
            one["kind"],
            ", ".join(one["games"]) if one["games"] is not None else "all",
            ", ".join(one["what"]),
            one["waiting"],
            f"{moment(one['down_since'], zone):%Y-%m-%d %H:%M}" if one["down_since"] else None,
            one["why"],
        )
        for one in found
    ]
    table(("channel", "kind", "games", "is told", "waiting", "down since", "why"), rows)


@app.command(
    "test", epilog=example("gm channel test club", then="It tells of no game, and nothing is kept of it.")
)
def try_channel(ctx: typer.Context, name: ChannelName, as_json: Json = False) -> None:
    """Post a trial to a channel, at once, and say what becomes of it."""
    with house_of(ctx) as house:
        channel = _channel(house, name)
        receipt = _tried(house, channel)
    if as_json:
        document({"channel": channel.called, "outcome": receipt.outcome, "why": receipt.why})
        if receipt.outcome != "sent":
            raise typer.Exit(1)
    elif receipt.outcome != "sent":
        raise Fault(f"channel {channel.called}", receipt.why or receipt.outcome)
    else:
        say(f"The channel {channel.called} has taken a trial post.")


def _channel(house: House, name: str) -> Channel:
    for one in house.settings.channels:
        if one.called == name:
            return one
    named = ", ".join(one.called for one in house.settings.channels)
    instead = f"there are: {named}" if named else "name one in gm.toml, as [[channel]]"
    raise Refusal(f"channel {name}", "there is no such channel", instead)


def _tried(house: House, channel: Channel) -> Receipt:
    now = house.clock.now()
    trial = posts.trial(house.writer.of_house, now)
    for crier in house.criers:
        if crier.channel.name == channel.name:
            return crier.hand_over(criers.Parcel(trial), f"channel/{channel.name}/test/{now}", now)
    asked = letters.Outgoing(
        key=f"channel/{channel.called}/test/{now}",
        to=headers.HeaderText(channel.address),
        subject=headers.HeaderText.cleaned(trial.heading),
        text=trial.text,
        automatic=headers.HeaderText("no"),
    )
    (receipt,) = house.carrier.deliver([house.writer.seal(asked, now)], lambda sealed: True)
    return receipt
