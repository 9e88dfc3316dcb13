"""A real HyperKitty, the web forum for Mailman's lists, as Debian installs it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kit.ports import free_ports
from tests.kit.servers import ServerMissingError, end, give_away, run_unprivileged, server_folder, wait_for

PYTHON, INSTALLED = "/usr/bin/python3", Path("/usr/lib/python3/dist-packages")
PACKAGES = ("hyperkitty", "mailman_hyperkitty")
KEY = "archiver"

_SETTINGS = """\
SECRET_KEY, DEBUG, ALLOWED_HOSTS, SITE_ID = "for a test", True, ["*"], 1
MAILMAN_ARCHIVER_KEY, MAILMAN_ARCHIVER_FROM = "{key}", ("127.0.0.1",)
# Mailman's own interface does not run: what HyperKitty would ask of it, it does without.
MAILMAN_REST_API_URL, MAILMAN_REST_API_USER, MAILMAN_REST_API_PASS = "http://127.0.0.1:9", "x", "x"
INSTALLED_APPS = (
    "hyperkitty", "django_mailman3", "django.contrib.admin", "django.contrib.auth",
    "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites",
    "django.contrib.messages", "django.contrib.staticfiles", "rest_framework", "django_gravatar",
    "compressor", "haystack", "django_extensions", "django_q", "allauth", "allauth.account",
    "allauth.socialaccount",
)
MIDDLEWARE = (
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware", "django_mailman3.middleware.TimezoneMiddleware",
)
ROOT_URLCONF = "list_urls"
TEMPLATES = [{{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {{"context_processors": [
        "django.template.context_processors.debug", "django.template.context_processors.i18n",
        "django.template.context_processors.media", "django.template.context_processors.static",
        "django.template.context_processors.tz", "django.template.context_processors.csrf",
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages", "django_mailman3.context_processors.common",
        "hyperkitty.context_processors.common",
    ]}},
}}]
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "{folder}/web.db"}}}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ, TIME_ZONE, STATIC_URL, STATIC_ROOT = True, "UTC", "/static/", "{folder}/static"
STATICFILES_FINDERS = (
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder", "compressor.finders.CompressorFinder",
)
COMPRESS_PRECOMPILERS = (("text/x-scss", "sassc -t compressed {{infile}} {{outfile}}"),)
COMPRESS_ROOT = "{folder}/static"
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_URL = "account_login", "hk_root", "account_logout"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.PickleSerializer"
AUTHENTICATION_BACKENDS = ("django.contrib.auth.backends.ModelBackend",)
HAYSTACK_CONNECTIONS = {{"default": {{"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}}}
Q_CLUSTER = {{"timeout": 60, "sync": True, "orm": "default"}}
FILTER_VHOST = False
GRAVATAR_DEFAULT_IMAGE = "blank"
"""

_URLS = """\
from django.conf.urls import include, url
from django.contrib import admin

urlpatterns = [
    url(r"^hyperkitty/", include("hyperkitty.urls")),
    url(r"", include("django_mailman3.urls")),
    url(r"^accounts/", include("allauth.urls")),
    url(r"^admin/", admin.site.urls),
]
"""

_ARCHIVER = """\
[archiver.hyperkitty]
class: mailman_hyperkitty.Archiver
enable: yes
configuration: {folder}/archiver.cfg
"""


@dataclass(frozen=True)
class HyperKitty:
    """A HyperKitty. archiver: the lines of Mailman's configuration for it. url: the address of its pages."""

    url: str
    archiver: str
    folder: Path

    def log(self) -> str:
        """Return its log."""
        return (self.folder / "output").read_text(errors="replace")


@contextmanager
def hyperkitty() -> Iterator[HyperKitty]:
    """Run HyperKitty. Raises ServerMissingError."""
    if not all((INSTALLED / package).exists() for package in PACKAGES):
        needed = "python3-mailman-hyperkitty python3-django-hyperkitty sassc"
        raise ServerMissingError(f"HyperKitty is not installed: apt-get install {needed}")
    with server_folder("hyperkitty") as folder:
        (port,) = free_ports(1)
        (folder / "static").mkdir()
        (folder / "list_settings.py").write_text(_SETTINGS.format(folder=folder, key=KEY))
        (folder / "list_urls.py").write_text(_URLS)
        base = f"http://127.0.0.1:{port}/hyperkitty/"
        (folder / "archiver.cfg").write_text(f"[general]\nbase_url: {base}\napi_key: {KEY}\n")
        give_away(folder)
        manage = [PYTHON, "-m", "django"]
        around = ["--settings", "list_settings", "--pythonpath", str(folder)]
        process: subprocess.Popen[bytes] | None = None
        try:
            for words in (["migrate"], ["collectstatic", "--noinput"]):
                done = run_unprivileged([*manage, *words, *around], folder / "output")
                assert done.wait(600) == 0, (folder / "output").read_text(errors="replace")[-3000:]
            serve = ["runserver", f"127.0.0.1:{port}", "--noreload", "--insecure"]
            process = run_unprivileged([*manage, *serve, *around], folder / "output")
            wait_for(port, process, folder / "output")
            yield HyperKitty(base, _ARCHIVER.format(folder=folder), folder)
        finally:
            end(process)
