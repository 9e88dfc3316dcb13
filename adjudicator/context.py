"""The service's context: the settings that all parts need, and the context of one request."""

from collections.abc import Callable
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from adjudicator.clock import Millis
from adjudicator.config.channels import Channel
from adjudicator.config.service import OwnBot, Settings
from adjudicator.model.addresses import is_own
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.people import DEFAULT_STYLE, Style
from adjudicator.model.repository import Repository
from games.record import Value
from orders.mail.dkim_signatures import Signature

SignatureCheck = Callable[[bytes, str], tuple[Signature, ...]]
"""Returns an email's valid signatures of a domain. It queries DNS and raises nothing."""


@dataclass(frozen=True)
class ServiceContext:
    """The service's address, name, key and time zone, and the ways to authenticate a sender.

    strict: two ways must agree. authserv_id: the name under which our mail server reports the sender's
    authentication. signed: how signatures are checked, None if they aren't. addresses: further addresses
    whose emails come to us. channels: where public news is posted. effort: the number of adjudications a turn
    that the bots may use in all games begun by one player. letters: the form of reports for readers who
    haven't chosen one. digest_at: the minute of the reader's local day at which digests are written.
    site_url: the archive's address, "" if it has none. terms: the settings of a new game, None for the
    defaults. alert: the address that learns of outages, None for the service's own. own_bots: the GM's own
    bots.
    """

    address: str
    name: str
    key: bytes = field(repr=False)
    zone: ZoneInfo
    accept: frozenset[str]
    strict: bool = False
    authserv_id: str | None = None
    signed: SignatureCheck | None = field(default=None, repr=False, compare=False)
    addresses: frozenset[str] = frozenset()
    answers_an_hour: int = 20
    largest_letter: int = 1_000_000
    effort: int = 30_000
    channels: tuple[Channel, ...] = ()
    letters: Style = DEFAULT_STYLE
    digest_at: int = 7 * 60
    site_url: str = ""
    terms: Deadlines | None = None
    alert: str | None = None
    own_bots: tuple[OwnBot, ...] = ()

    @property
    def domain(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]

    def is_ours(self, address: str) -> bool:
        """Return whether an address is the service's, with or without a suffix, or one of `addresses`."""
        return is_own(address, self.address) or address.lower() in self.addresses


def build_service_context(settings: Settings, key: bytes, signed: SignatureCheck | None) -> ServiceContext:
    """Return the context for a service with these settings. key: of its database."""
    return ServiceContext(
        address=settings.address,
        name=settings.name,
        key=key,
        zone=settings.zone,
        accept=settings.accept,
        strict=settings.strict,
        authserv_id=settings.authserv_id,
        signed=signed,
        addresses=settings.addresses,
        channels=settings.channels,
        site_url=settings.site.url if settings.site else "",
        effort=settings.effort,
        letters=settings.letters,
        digest_at=settings.digest_at,
        terms=settings.deadlines,
        alert=settings.alert,
        own_bots=settings.own_bots,
    )


class RequestContext(Value, frozen=True):
    """The context of a decision: the database, the service's settings, and the time."""

    repository: Repository
    service_context: ServiceContext
    now: Millis
