"""The configuration files of the servers in `servers`."""

from collections.abc import Sequence
from pathlib import Path

from tests.kit.certificates import CertificateFiles


def dovecot(
    folder: Path,
    version: str,
    ports: Sequence[int],
    papers: CertificateFiles,
    owner: tuple[str, str],
    password: str,
    tokens: int | None = None,
) -> str:
    """Return a dovecot.conf for a version. ports: of IMAP, IMAP with TLS, LMTP. owner: user and group.

    tokens: the port of the server that checks access tokens. Without it no token is valid.
    """
    imap, imaps, lmtp = ports
    head, words = (_HEAD_24, _DOVECOT_24) if _release(version) >= (2, 4) else ("", _DOVECOT_23)
    # The token is checked before the common password.
    besides = "" if tokens is None else _oauth(folder, version, tokens)
    return (
        head
        + besides
        + (words + _DOVECOT).format(
            folder=folder,
            user=owner[0],
            group=owner[1],
            imap=imap,
            imaps=imaps,
            lmtp=lmtp,
            mechanisms="plain login" if tokens is None else "plain login xoauth2 oauthbearer",
            certificate=papers.certificate,
            key=papers.key,
            password=password,
        )
    )


def _oauth(folder: Path, version: str, port: int) -> str:
    """Return the settings for tokens, checked at ``http://127.0.0.1:port/introspect``."""
    facts = _OAUTH.format(port=port)
    if _release(version) >= (2, 4):
        body = "".join(f"  {line}\n" for line in facts.splitlines())
        return f"oauth2 {{\n{body}}}\npassdb oauth2 {{\n  mechanisms_filter = xoauth2 oauthbearer\n}}\n"
    (folder / "oauth2.conf").write_text(facts)
    mechanisms = "mechanisms = xoauth2 oauthbearer"
    return f"passdb {{\n  driver = oauth2\n  {mechanisms}\n  args = {folder}/oauth2.conf\n}}\n"


def postfix(folder: Path, port: int, lmtp: int, papers: CertificateFiles, domain: str) -> tuple[str, str]:
    """Return main.cf and master.cf of a Postfix that passes one domain's mail on over LMTP."""
    main = _MAIN.format(
        folder=folder, lmtp=lmtp, domain=domain, certificate=papers.certificate, key=papers.key
    )
    return main, _MASTER.format(port=port)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split()[0].split(".")[:2])


# A chroot needs root, so it is disabled for the services that have one by default.
_DOVECOT = """
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/dovecot.log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
mail_uid = {user}
mail_gid = {group}
first_valid_uid = 1
first_valid_gid = 1
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
mail_max_userip_connections = 100
# Without a free inotify watch, clients in IDLE learn of an email when the server polls.
mailbox_idle_check_interval = 2 secs
imap_idle_notify_interval = 2 secs
recipient_delimiter = +
ssl = yes
service anvil {{
  chroot =
  # Tests give wrong passwords; without this, those after them would have to wait.
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service auth {{
  # A Postfix asks here whether a login is good.
  unix_listener {folder}/sasl {{
    mode = 0666
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
"""

_DOVECOT_23 = """
mail_location = maildir:{folder}/mail/%n
disable_plaintext_auth = no
ssl_cert = <{certificate}
ssl_key = <{key}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%n allow_all_users=yes
}}
"""

_HEAD_24 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
"""
"""The string must begin at the start of the line."""

_DOVECOT_24 = """
mail_driver = maildir
mail_home = {folder}/mail/%{{user | username}}
mail_path = {folder}/mail/%{{user | username}}
auth_allow_cleartext = yes
ssl_server_cert_file = {certificate}
ssl_server_key_file = {key}
passdb static {{
  password = {password}
}}
userdb static {{
  allow_all_users = yes
  fields {{
    uid = {user}
    gid = {group}
    home = {folder}/mail/%{{user | username}}
  }}
}}
"""

_OAUTH = """\
introspection_mode = post
introspection_url = http://127.0.0.1:{port}/introspect
username_attribute = username
active_attribute = active
active_value = true
"""

_MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{domain}
mydestination = {domain}
local_recipient_maps =
local_transport = lmtp:inet:127.0.0.1:{lmtp}
lmtp_destination_recipient_limit = 1
default_transport = error:5.1.2 there is no world outside
alias_maps =
recipient_delimiter = +
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {key}
smtpd_tls_security_level = may
smtpd_tls_received_header = yes
smtpd_client_connection_count_limit = 0
smtp_dns_support_level = disabled
message_size_limit = 10485760
"""

LOGIN_NEEDED = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/sasl
smtpd_tls_auth_only = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject
"""
"""Further lines of main.cf, for a Postfix that accepts emails only after a login. folder: of the Dovecot."""

WITHOUT_PLUS = """
recipient_delimiter =
local_recipient_maps = inline:{{{{ {user}=yes }}}}
"""
"""Further lines of main.cf, for a Postfix that knows one user, and no addresses with a +."""

_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
tlsmgr unix - - n 1000? 1 tlsmgr
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
"""
