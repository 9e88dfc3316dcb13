"""``gm channel``: where people are told how games go; what waits for it, and whether it works."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli import channel_view
from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.connect import config_of, house_of, shelf_at
from adjudicator.cli.output import document, say, stamp, table
from adjudicator.clock import datetime_of
from adjudicator.errors import Fault, Refusal
from adjudicator.model import headers, mail
from adjudicator.outbound import channels as criers
from adjudicator.reports import posts

if TYPE_CHECKING:
    from adjudicator.config.channels import Channel
    from adjudicator.model.mail import Receipt
    from adjudicator.service import Service

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
        channels, zone = channel_view.channels(shelf), shelf.zone
    if as_json:
        document([{**channel, "down_since": stamp(channel["down_since"])} for channel in channels])
        return
    if not channels:
        say("There is no channel. Name one in gm.toml, as [[channel]].")
        return
    rows = [
        (
            channel["channel"],
            channel["kind"],
            ", ".join(channel["games"]) if channel["games"] is not None else "all",
            ", ".join(channel["what"]),
            channel["waiting"],
            f"{datetime_of(channel['down_since'], zone):%Y-%m-%d %H:%M}" if channel["down_since"] else None,
            channel["why"],
        )
        for channel in channels
    ]
    table(("channel", "kind", "games", "is told", "waiting", "down since", "why"), rows)


@app.command(
    "test", epilog=example("gm channel test club", then="It tells of no game, and nothing is kept of it.")
)
def try_channel(ctx: typer.Context, name: ChannelName, as_json: Json = False) -> None:
    """Post a trial to a channel, at once, and say what becomes of it."""
    with house_of(ctx) as house:
        channel = _channel(house, name)
        receipt = _send_trial_post(house, channel)
    if as_json:
        document({"channel": channel.display_name, "outcome": receipt.outcome, "why": receipt.why})
        if receipt.outcome != "sent":
            raise typer.Exit(1)
    elif receipt.outcome != "sent":
        raise Fault(f"channel {channel.display_name}", receipt.why or receipt.outcome)
    else:
        say(f"The channel {channel.display_name} has taken a trial post.")


def _channel(house: Service, name: str) -> Channel:
    for channel in house.settings.channels:
        if channel.display_name == name:
            return channel
    named = ", ".join(known_channel.display_name for known_channel in house.settings.channels)
    instead = f"there are: {named}" if named else "name one in gm.toml, as [[channel]]"
    raise Refusal(f"channel {name}", "there is no such channel", instead)


def _send_trial_post(house: Service, channel: Channel) -> Receipt:
    now = house.clock.now()
    trial = posts.trial_post(house.composer.service_info, now)
    for crier in house.channel_senders:
        if crier.channel.name == channel.name:
            return crier.deliver(criers.OutboxPost(trial), f"channel/{channel.name}/test/{now}", now)
    asked = mail.LetterDraft(
        key=f"channel/{channel.display_name}/test/{now}",
        to=headers.HeaderText(channel.address),
        subject=headers.HeaderText.clean(trial.heading),
        text=trial.text,
        automatic=headers.HeaderText("no"),
    )
    (receipt,) = house.carrier.deliver([house.composer.seal(asked, now)], lambda sealed: True)
    return receipt
