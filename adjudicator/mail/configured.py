"""The mailbox and the carrier that the settings name."""

from collections.abc import Sequence

from adjudicator.clock import Clock, WallClock
from adjudicator.config.servers import Imap, MaildirAt
from adjudicator.config.service import Settings
from adjudicator.mail import imap
from adjudicator.mail.connection_limit import ConnectionLimit, MachineTimer
from adjudicator.mail.mailbox import Mailbox
from adjudicator.mail.maildir import MaildirCarrier, MaildirMailbox
from adjudicator.mail.many_mailboxes import Mailboxes
from adjudicator.mail.rate_limit import Admit
from adjudicator.mail.smtp import Server, SmtpCarrier
from adjudicator.mail.transport import Carrier, DoubtPolicy
from adjudicator.model.addresses import sent_address
from adjudicator.model.service_start import ServiceStart


def create_mailbox(
    settings: Settings, beside: Sequence[Mailbox] = (), start: ServiceStart | None = None
) -> Mailbox:
    """Where the settings say that letters come in. Raises PostFault where a Maildir cannot be made.

    beside: forums whose posts are read as letters are; start: of the service, where it is known.
    """
    places = (settings.inbox, *settings.also)
    timer = MachineTimer()
    # Several folders may be those of one account.
    limits = {_account(at): ConnectionLimit(timer) for at in places if isinstance(at, Imap)}
    boxes = [
        imap.ImapMailbox(at, start=start, timer=timer, connections=limits[_account(at)])
        if isinstance(at, Imap)
        else MaildirMailbox(at.path, start)
        for at in places
    ]
    return Mailboxes([*boxes, *beside]) if settings.also or beside else boxes[0]


def _account(at: Imap) -> tuple[str, int, str]:
    return at.host, at.port, at.username


def create_carrier(settings: Settings, clock: Clock | None = None, admit: Admit | None = None) -> Carrier:
    """Return the carrier of the settings. Raises PostFault where a Maildir cannot be made.

    admit: who counts what goes to which domain.
    """
    at = settings.outbox
    if isinstance(at, MaildirAt):
        return MaildirCarrier(at.path)
    server = Server(
        host=at.host,
        port=at.port,
        tls=at.tls,
        username=at.username,
        password=at.password.reveal if at.password else None,
        data_s=at.timeout / 1000,
        timeout_s=min(60.0, at.timeout / 1000),
        ca_file=str(at.ca_file) if at.ca_file else None,
        token=at.token,
    )
    if settings.local is not None and (at.host, at.port) == (settings.local.host, settings.local.port):
        # Our own server, which knows a letter again.
        return SmtpCarrier(server, DoubtPolicy("again"))
    copy_to = sent_address(settings.address) if at.probe else None
    doubt = DoubtPolicy("probe" if at.probe else "marked", at.probe_wait if at.probe else 0)
    return SmtpCarrier(server, doubt, copy_to, at.connections, at.pace, clock or WallClock(), admit)
