"""Certificates: an authority and a certificate for ``localhost``, made for one test run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Certificates:
    """PEM files in ``folder``: ``authority`` signs ``certificate``, which ``key`` belongs to."""

    def __init__(self, folder: Path) -> None:
        self.authority, self.certificate, self.key = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
        signing, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authguard tests")])
        root = _unsigned(issuer, issuer, signing.public_key())
        root = root.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        root = root.add_extension(x509.SubjectKeyIdentifier.from_public_key(signing.public_key()), critical=False)
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
        leaf = _unsigned(x509.Name([]), issuer, own.public_key()).add_extension(names, critical=True)
        known = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key())
        leaf = leaf.add_extension(known, critical=False)
        self.authority.write_bytes(root.sign(signing, hashes.SHA256()).public_bytes(Encoding.PEM))
        self.certificate.write_bytes(leaf.sign(signing, hashes.SHA256()).public_bytes(Encoding.PEM))
        self.key.write_bytes(own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))

    @property
    def redis_options(self) -> list[str]:
        """What puts the certificate on Redis's command line; clients need none."""
        files = {"--tls-cert-file": self.certificate, "--tls-key-file": self.key, "--tls-ca-cert-file": self.authority}
        return [word for name, path in files.items() for word in (name, str(path))] + ["--tls-auth-clients", "no"]


def _unsigned(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(issuer, subject, key, x509.random_serial_number())
    return builder.not_valid_before(now - DAY).not_valid_after(now + DAY)
