"""The parts of Mailman in one process, run by the Python that Debian installs it for.

    /usr/bin/python3 mailman_inside.py CONFIG LIST PLAN

Mailman starts a process for each of its runners, and each takes a second to load. Here all run in turn in one
process: the LMTP server, the rules for posts, the pipeline, the sender and the archiver. PLAN: a JSON
document with the members, the writers who get nothing, and the list's attributes.
"""

import asyncio
import json
import sys
from pathlib import Path

EVERY_SECONDS = 0.05


def main(config_file: str, name: str, plan: dict) -> None:
    """Make the list, then distribute its posts until the process is ended."""
    from mailman.core.initialize import initialize

    initialize(config_file)
    from mailman.config import config
    from mailman.runners.incoming import IncomingRunner
    from mailman.runners.outgoing import OutgoingRunner
    from mailman.runners.pipeline import PipelineRunner

    _create_list(name, plan)
    runners = [IncomingRunner("in"), PipelineRunner("pipeline"), OutgoingRunner("out")]
    if plan["archived"]:
        from mailman.runners.archive import ArchiveRunner

        runners.append(ArchiveRunner("archive"))
    asyncio.run(_serve(config, runners))


async def _serve(config, runners) -> None:
    from mailman.runners.lmtp import LMTP, LMTPHandler

    loop = asyncio.get_running_loop()
    handler = LMTPHandler()
    await loop.create_server(
        lambda: LMTP(handler, loop=loop, hostname="localhost"),
        config.mta.lmtp_host,
        int(config.mta.lmtp_port),
    )
    while True:
        for runner in runners:
            runner._one_iteration()
        await asyncio.sleep(EVERY_SECONDS)


def _create_list(name: str, plan: dict) -> None:
    from mailman.app.lifecycle import create_list
    from mailman.database.transaction import transaction
    from mailman.interfaces.domain import IDomainManager
    from mailman.interfaces.member import DeliveryStatus
    from mailman.interfaces.template import ITemplateManager
    from mailman.interfaces.usermanager import IUserManager
    from mailman.utilities.datetime import now
    from zope.component import getUtility

    with transaction():
        getUtility(IDomainManager).add(name.partition("@")[2])
        made = create_list(name)
        made.send_welcome_message = False
        made.admin_immed_notify = False
        for attribute, value in plan["attributes"].items():
            setattr(made, attribute, value)
        if plan["footer"] is not None:
            uri = Path(plan["footer"]).as_uri()
            getUtility(ITemplateManager).set("list:member:regular:footer", made.list_id, uri)
        for address in (*plan["members"], *plan["writers"]):
            one = getUtility(IUserManager).create_address(address)
            one.verified_on = now()
            member = made.subscribe(one)
            if address in plan["writers"]:
                member.preferences.delivery_status = DeliveryStatus.by_user
        config_owner(made)


def config_owner(made) -> None:
    """Disable emails about the list itself."""
    made.admin_notify_mchanges = False


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
