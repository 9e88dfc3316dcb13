"""``gm serve``: the service, until it is told to stop."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import logs
from adjudicator.admin import archiving
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, say
from adjudicator.daemon import daemon, file_handles, gc_tuning

if TYPE_CHECKING:
    from adjudicator.service import Service


app = alone()


@app.command(
    epilog=example(
        "gm serve",
        "gm --config /etc/turnpost/gm.toml serve",
        "gm serve --log-format json",
        "gm serve --jobs process,send",
        then="It logs to the standard error and ends orderly on Ctrl-C or SIGTERM. To have it start with the "
        "machine, see deploy/turnpost.service.",
    )
)
def serve(
    ctx: typer.Context,
    log_format: Annotated[
        str, typer.Option(metavar="text|json", help="How events are written: a line, or an object, each.")
    ] = "text",
    jobs: Annotated[
        str, typer.Option(metavar="JOBS", help="What this worker does: some of poll, process, send.")
    ] = "poll,process,send",
    as_json: Json = False,
) -> None:
    """Run the service: letters in, turns played, letters out.

    Looks for letters every few seconds, plays each turn that is due, and sends what is ready. It can be
    stopped at any moment: nothing is lost, nothing is done twice. Where the books lie on PostgreSQL several
    workers may run, on one machine or on many; --jobs says which of the work is this one's.
    """
    wanted = {job.strip() for job in jobs.split(",")}
    if not wanted or wanted - {"poll", "process", "send"}:
        raise typer.BadParameter("write some of poll,process,send", param_hint="--jobs")
    if log_format not in ("text", "json"):
        raise typer.BadParameter("write text or json", param_hint="--log-format")
    logs.configure_logging("json" if log_format == "json" else "text")

    def run(stop: threading.Event) -> None:
        with house_of(ctx) as house:
            gc_tuning.settle_down(house.books.kinds())
            archive = archiving.archive_task(house) if "process" in wanted else None
            daemon.serve(house, stop, ready=lambda: _announce(house, as_json), jobs=wanted, archive=archive)

    file_handles.patiently(run)
    if not as_json:
        say("Stopped.")


def _announce(house: Service, as_json: bool) -> None:
    local = house.settings.local
    listen = f"{local.host}:{local.port}" if local else None
    if as_json:
        document({"serving": house.office.address, "listen": listen, "config": str(house.settings.file)})
        return
    say(f"Serving {house.office.address}.")
    if listen:
        say(f"Mail programs on this machine can send to it through the SMTP server {listen}.")
    say("Ctrl-C stops it.")
