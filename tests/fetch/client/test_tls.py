from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from picspider.errors import Failed
from tests.fetch.servers import Fetchers, Run, fixed, reply, serving


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate for localhost, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def server_side(certificate: Path) -> ssl.SSLContext:
    """The server's TLS context."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_unknown_certificates_are_refused(run: Run, certificate: Path, method: str) -> None:
    """A self-signed certificate is a tls failure, by both clients, without any setting."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok")), tls=server_side(certificate)) as server:
            with pytest.raises(Failed) as info:
                await fetcher().get(f"https://localhost:{server.port}/", method=method)
            assert info.value.reason == "tls"
            assert not server.heads

    run(test)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_switched_off(run: Run, certificate: Path, method: str) -> None:
    """The user may switch verification off."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok")), tls=server_side(certificate)) as server:
            mine = fetcher(DOWNLOAD_VERIFY_CERTIFICATES=False)
            for _ in range(2):
                assert (await mine.get(server.url, method=method)).body == b"ok"
            assert server.connections == 1

    run(test)


def test_known_certificate_and_its_name(run: Run, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate that is trusted is good for its own name only."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok")), tls=server_side(certificate)) as server:
            mine = fetcher()
            assert (await mine.get(f"https://localhost:{server.port}/")).body == b"ok"
            with pytest.raises(Failed) as info:
                await mine.get(server.url)
            assert info.value.reason == "tls"

    run(test)


def test_plain_server_behind_https(run: Run) -> None:
    """A server that does not speak TLS is a tls or connection failure."""

    async def test(fetcher: Fetchers) -> None:
        async with serving(fixed(reply(b"ok"))) as server:
            with pytest.raises(Failed) as info:
                await fetcher(DOWNLOAD_TIMEOUT=3).get(f"https://127.0.0.1:{server.port}/")
            assert info.value.reason in ("tls", "connection", "timeout")

    run(test)
