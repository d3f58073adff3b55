"""Asking the running service over HTTP, as a tablet does: a command about a round, its answer."""

from __future__ import annotations

import json
import ssl
import uuid
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import click

from arbiterd.access.people import SecretError, read_secret
from arbiterd.cli import CONFIG_OF, FailedError, WrongError, called
from arbiterd.cli.check import checked
from arbiterd.cli.holding import runs
from arbiterd.config import Config
from arbiterd.config.values import Listen

ANSWERED_S = 20.0


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and which service."""

    config: Config
    folder: Path
    by: str
    password_file: Path | None

    def ask(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a command about a round. Raises FailedError, see `send`."""
        return self.send("/api/v1/commands", {"action": "round", **said})

    def act(self, table: str, **said: Any) -> dict[str, Any]:
        """The answer to an act at a table. Raises FailedError, see `send`."""
        return self.send(f"/api/v1/tables/{quote(table)}/commands", said)

    def send(self, path: str, said: Mapping[str, Any]) -> dict[str, Any]:
        """The service's answer. Raises FailedError where it refuses or is not there, WrongError
        where it cannot be asked."""
        command = {"by": self.by, "id": uuid.uuid4().hex}
        command |= {key: value for key, value in said.items() if value not in (None, "")}
        heads = self._heads()
        self._must_run()
        link, place = self._link()
        try:
            link.request("POST", path, json.dumps(command), heads)
            answer = link.getresponse()
            body = answer.read()
        except ssl.SSLCertVerificationError as error:
            raise FailedError(
                f"{place} shows another certificate than [http] tls_cert names, or one that has"
                f" ended ({error.verify_message}); restart the service, or see arbiterd doctor"
            ) from None
        except (OSError, HTTPException) as error:
            raise FailedError(
                f"the service does not answer at {place} ({error}); start it with arbiterd run"
                " --config"
            ) from None
        finally:
            link.close()
        return _read(answer, body)

    def _must_run(self) -> None:
        """Raises FailedError: at the port of a service that has ended, another hall may answer."""
        with suppress(OSError):
            if runs(self.config, self.folder) is None:
                raise FailedError(
                    f"the service does not run: nobody writes its journal; start it with {called()}"
                    " run --config"
                )

    def _link(self) -> tuple[HTTPConnection, str]:
        at = reached_at(self.config, self.folder)
        certificate = self.config.http.tls_cert
        place = f"http{'s' * bool(certificate)}://{at}"
        if not certificate:
            return HTTPConnection(at.host, at.port, timeout=ANSWERED_S), place
        trust = its_own(self.folder / certificate)
        return HTTPSConnection(at.host, at.port, timeout=ANSWERED_S, context=trust), place

    def _heads(self) -> dict[str, str]:
        heads = {"Content-Type": "application/json"}
        if self.password_file is not None:
            try:
                login = f"{self.by}:{read_secret(self.password_file)}"
            except SecretError as error:
                raise WrongError(str(error)) from None
            heads["Authorization"] = f"Basic {b64encode(login.encode()).decode()}"
        return heads


def asks(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that asks the service; its first argument is the Asker."""

    @click.option("--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF,
                  required=True)  # fmt: skip
    @click.option("--by", default="organiser", help="Who asks: the login, where there are any.")
    @click.option(
        "--password-file", type=click.Path(path_type=Path), help="Their password, in a file."
    )
    @wraps(command)
    def asking(file: Path, by: str, password_file: Path | None, **said: Any) -> None:
        command(Asker(checked(file), file.parent, by, password_file), **said)

    return asking


def reached_at(config: Config, folder: Path) -> Listen:
    """Where the page of a service on this machine is. Raises WrongError where it is off.

    Whoever writes the journal says where its page is: at a port that was taken, another program
    answers, or another hall.
    """
    listen = config.http.listen
    if listen is None:
        raise WrongError("[http] listen is off: the service is asked over HTTP; switch it on")
    try:
        service = runs(config, folder)
    except OSError:
        service = None
    page = urlsplit("" if service is None else service.page)
    if page.hostname and page.port:
        return Listen(_reachable(page.hostname), page.port)
    return Listen(_reachable(listen.host), listen.port)


def trusting(file: Path) -> ssl.SSLContext:
    """TLS with whoever the file vouches for. Raises WrongError."""
    try:
        return ssl.create_default_context(cafile=str(file))
    except OSError as error:
        raise WrongError(f"{file} cannot be read ({error.strerror or error})") from None


def its_own(file: Path) -> ssl.SSLContext:
    """TLS with whoever shows the first certificate of the file: a service's own, asked on its own
    machine, whatever names and whoever's authority that has. Raises WrongError."""
    begin, end = ssl.PEM_HEADER, ssl.PEM_FOOTER
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.check_hostname = False  # There is but this one, and it may be for tablets' names alone.
    trust.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        text = file.read_text(encoding="ascii", errors="replace")
        trust.load_verify_locations(cadata=text[text.index(begin) : text.index(end) + len(end)])
    except (OSError, ValueError) as error:
        raise WrongError(f"{file} cannot be read ({getattr(error, 'strerror', error)})") from None
    return trust


def _reachable(host: str) -> str:
    """Where to call a service that listens everywhere."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not address.is_unspecified:
        return host
    return "127.0.0.1" if address.version == 4 else "::1"


def refused_by(status: int, reason: str, body: bytes) -> str:
    """Why the service refuses, in its own sentence where it gives one."""
    text = body.decode("utf-8", errors="replace").strip()
    said = _object(text)
    return str(said.get("error", f"the service refuses ({status}): {text or reason}"))


def _object(text: str) -> dict[str, Any]:
    """Empty where it is none."""
    try:
        said = json.loads(text)
    except ValueError:
        said = {}
    return said if isinstance(said, dict) else {}


def _read(answer: HTTPResponse, body: bytes) -> dict[str, Any]:
    """Raises FailedError for a refusal."""
    said = _object(body.decode("utf-8", errors="replace"))
    if answer.status < 300 and said:
        return said
    raise FailedError(refused_by(answer.status, answer.reason, body))
