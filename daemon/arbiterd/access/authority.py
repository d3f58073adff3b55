"""The hall's own authority, and the certificate of its service: what lets tablets in over TLS.

An authority that tablets trust could vouch for any name in the world to them. So ours carries name
constraints (RFC 5280 §4.2.1.10): it can vouch for names under `.local`, for the names it was made
with, and for addresses that no network outside routes. A stolen one opens nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_DAYS = 3650
SERVICE_DAYS = 397
"""Tablets refuse certificates that are valid for longer than 398 days."""
RENEWED = timedelta(days=60)
"""A certificate that ends sooner is to be made anew."""
EARLIER = timedelta(days=1)
"""Valid from a day ago: the clock of a tablet may be slow."""
PRIVATE = (
    "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
    "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its key, in PEM. The key has no password: a service reads it alone."""

    certificate: bytes
    key: bytes


class NameRefusedError(ValueError):
    """A name no certificate can carry, or this authority cannot vouch for."""


def new_authority(hall: str, names: Iterable[str], now: datetime) -> Pair:
    """An authority for these names, `.local` and private addresses. Raises NameRefusedError."""
    permitted: list[x509.GeneralName] = [
        *map(_subtree, names),
        *(x509.DNSName(name) for name in ("localhost", "local")),
        *(x509.IPAddress(ip_network(network)) for network in PRIVATE),
    ]
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, f"arbiterd {hall} {now:%Y-%m-%d}"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "arbiterd"),
        ]
    )
    certificate = (
        _begun(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _pem(key, certificate)


def service_certificate(authority: Pair, names: Sequence[str], now: datetime) -> Pair:
    """The service's own, its authority's behind it. Raises NameRefusedError.

    All names must be within what the authority vouches for.
    """
    issuer = x509.load_pem_x509_certificate(authority.certificate)
    signer = serialization.load_pem_private_key(authority.key, password=None)
    assert isinstance(signer, ec.EllipticCurvePrivateKey), "we made it"
    for name in names:
        if not _permitted(issuer, _general(name)):
            raise NameRefusedError(
                f"{name}: the authority cannot vouch for it; make a new one with this name"
            )
    key = ec.generate_private_key(ec.SECP256R1())
    # No name of a computer: OpenSSL holds a subject that looks like one against the constraints.
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "arbiterd, its service")])
    certificate = (
        _begun(subject, issuer.subject, key, now, SERVICE_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(map(_general, names)), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )
    made = _pem(key, certificate)
    return Pair(made.certificate + authority.certificate, made.key)


def names_of(certificate: bytes) -> frozenset[str]:
    """The names and addresses that the first certificate of a file is for. Raises ValueError."""
    read = x509.load_pem_x509_certificate(certificate)
    try:
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(
        str(name.value) for name in names if isinstance(name, x509.DNSName | x509.IPAddress)
    )


def ends(certificate: bytes) -> datetime:
    """Until when the first certificate of a file is valid. Raises ValueError."""
    return x509.load_pem_x509_certificate(certificate).not_valid_after_utc


def ending(certificate: bytes, now: datetime) -> str:
    """What to do about a certificate that ends soon, in a sentence; empty: it does not."""
    until = ends(certificate)
    if until > now + RENEWED:
        return ""
    days = (until - now).days
    when = f"ends on {until:%Y-%m-%d}, in {days} days" if until > now else f"ended {until:%Y-%m-%d}"
    return f"the certificate {when}; run arbiterd trust renew --config FILE"


def fingerprint(certificate: bytes) -> str:
    """SHA-256 as tablets show it: `3F:A0:…`."""
    digest = x509.load_pem_x509_certificate(certificate).fingerprint(hashes.SHA256())
    return digest.hex(":").upper()


def authority_of(chain: bytes) -> bytes | None:
    """The authority's certificate in a service's file, in PEM. None: it is not one of ours."""
    try:
        read = x509.load_pem_x509_certificates(chain)
        read[0].verify_directly_issued_by(read[-1])
        read[-1].extensions.get_extension_for_class(x509.NameConstraints)
    except (ValueError, TypeError, IndexError, InvalidSignature, x509.ExtensionNotFound):
        return None
    return read[-1].public_bytes(serialization.Encoding.PEM)


def vouches(authority: bytes, chain: bytes) -> bool:
    """This authority has signed that certificate."""
    return authority_of(chain) == authority


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    public = key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now - EARLIER + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Pair:
    return Pair(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )


def _subtree(name: str) -> x509.DNSName | x509.IPAddress:
    known = _general(name)
    return x509.IPAddress(ip_network(name)) if isinstance(known, x509.IPAddress) else known


def _general(name: str) -> x509.DNSName | x509.IPAddress:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        pass
    parts = name.split(".")
    plain = all(part and part.replace("-", "").isalnum() and len(part) <= 63 for part in parts)
    if not (plain and name.isascii() and len(name) <= 253):
        raise NameRefusedError(f"{name!r} is no name of a computer and no address")
    return x509.DNSName(name.lower())


def _permitted(authority: x509.Certificate, name: x509.DNSName | x509.IPAddress) -> bool:
    held = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    allowed = held.permitted_subtrees or ()
    if isinstance(name, x509.IPAddress):
        networks = (each.value for each in allowed if isinstance(each, x509.IPAddress))
        return any(ip_address(str(name.value)) in ip_network(str(each)) for each in networks)
    hosts = (each.value for each in allowed if isinstance(each, x509.DNSName))
    return any(f".{name.value}".endswith(f".{each}") for each in hosts)
