"""The hall's own authority, held against the system's TLS: what it opens, and what it never may."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from arbiterd.access.authority import (
    NameRefusedError,
    Pair,
    authority_of,
    ends,
    fingerprint,
    names_of,
    new_authority,
    service_certificate,
    vouches,
)

NOW = datetime.now(UTC).replace(microsecond=0)
NAMES = ("hall.local", "laptop", "192.168.7.20", "192.0.2.2", "127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def authority() -> Pair:
    return new_authority("main", NAMES, NOW)


async def shaken(tmp_path: Path, service: Pair, trusted: bytes, name: str) -> str:
    """What a client that trusts this authority says of a service that it reaches by a name."""
    (tmp_path / "hall.pem").write_bytes(service.certificate)
    (tmp_path / "hall.key").write_bytes(service.key)
    here = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    here.load_cert_chain(tmp_path / "hall.pem", tmp_path / "hall.key")
    there = ssl.create_default_context(cadata=trusted.decode())

    async def served(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(served, "127.0.0.1", 0, ssl=here)
    port = server.sockets[0].getsockname()[1]
    try:
        _, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=there, server_hostname=name
        )
        writer.close()
        return "trusted"
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    finally:
        server.close()


@pytest.mark.parametrize("name", NAMES)
async def test_whoever_trusts_the_authority_reaches_the_service_by_each_name(
    tmp_path: Path, authority: Pair, name: str
) -> None:
    service = service_certificate(authority, NAMES, NOW)

    assert await shaken(tmp_path, service, authority.certificate, name) == "trusted"


async def test_a_service_may_have_an_address_and_no_name(tmp_path: Path, authority: Pair) -> None:
    service = service_certificate(authority, ("127.0.0.1",), NOW)

    assert await shaken(tmp_path, service, authority.certificate, "127.0.0.1") == "trusted"


async def test_no_other_authority_and_no_other_name_will_do(
    tmp_path: Path, authority: Pair
) -> None:
    service = service_certificate(authority, NAMES, NOW)
    other = new_authority("main", NAMES, NOW)

    foreign = await shaken(tmp_path, service, other.certificate, "hall.local")
    elsewhere = await shaken(tmp_path, service, authority.certificate, "other.local")

    assert "self-signed certificate" in foreign or "signature" in foreign
    assert "mismatch" in elsewhere


@pytest.mark.parametrize("name", ["bank.example", "1.1.1.1", "notlocal", "2001:db8::1"])
def test_the_authority_does_not_vouch_for_the_world(authority: Pair, name: str) -> None:
    with pytest.raises(NameRefusedError, match="cannot vouch"):
        service_certificate(authority, ("hall.local", name), NOW)


async def test_a_stolen_authority_opens_nothing_else(tmp_path: Path, authority: Pair) -> None:
    key = serialization.load_pem_private_key(authority.key, None)
    issuer = x509.load_pem_x509_certificate(authority.certificate)
    stolen = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bank.example")]), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = stolen.public_bytes(serialization.Encoding.PEM)

    said = await shaken(tmp_path, Pair(pem, authority.key), authority.certificate, "bank.example")

    assert said == "permitted subtree violation"


@pytest.mark.parametrize("name", ["", "a b", "x" * 64, "a..b", "ü.local", "*.local", "a\nb"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(NameRefusedError, match="no name of a computer"):
        new_authority("main", (name,), NOW)


def test_a_certificate_says_what_it_is_for_and_until_when(authority: Pair) -> None:
    service = service_certificate(authority, NAMES, NOW)

    assert names_of(service.certificate) == set(NAMES)
    assert timedelta(390) < ends(service.certificate) - NOW < timedelta(398)
    assert timedelta(3600) < ends(authority.certificate) - NOW
    assert authority_of(service.certificate) == authority.certificate
    assert vouches(authority.certificate, service.certificate)
    assert not vouches(new_authority("main", NAMES, NOW).certificate, service.certificate)
    assert len(fingerprint(authority.certificate).split(":")) == 32


def test_a_certificate_of_somebody_else_names_no_authority_of_ours(authority: Pair) -> None:
    assert authority_of(b"") is None
    assert authority_of(b"no certificate") is None
    other = new_authority("other", NAMES, NOW)
    service = service_certificate(authority, NAMES, NOW)
    leaf = service.certificate.removesuffix(authority.certificate)
    assert authority_of(leaf + other.certificate) is None
