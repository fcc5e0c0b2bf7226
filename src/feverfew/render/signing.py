"""Ed25519 keys, as OpenSSL writes them, and signatures.

openssl genpkey -algorithm ed25519 -out audit.key
openssl pkey -in audit.key -pubout -out audit.pub
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from feverfew.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

_PURPOSE = b"feverfew audit 3\0"
"""A prefix of the signed bytes, so that the key's other signatures cannot be reused."""


class SigningKey:
    """A private key; made by `open`."""

    def __init__(self, key: "Ed25519PrivateKey") -> None:
        self._key = key

    @classmethod
    def open(cls, path: Path) -> "SigningKey":
        """Read a private key in PEM."""
        library = _library()
        found = _read(path, lambda data: library.load_pem_private_key(data, None), "private")
        return cls(found)

    def sign(self, data: bytes) -> str:
        """Sign some bytes."""
        return self._key.sign(_PURPOSE + data).hex()


class VerifyKey:
    """A public key; made by `open`."""

    def __init__(self, key: "Ed25519PublicKey") -> None:
        self._key = key

    @classmethod
    def open(cls, path: Path) -> "VerifyKey":
        """Read a public key in PEM."""
        return cls(_read(path, _library().load_pem_public_key, "public"))

    def verifies(self, data: bytes, signature: str) -> bool:
        """Say whether a signature of these bytes is valid."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(bytes.fromhex(signature), _PURPOSE + data)
        except (InvalidSignature, ValueError):
            return False
        return True


def _library() -> Any:
    try:
        from cryptography.hazmat.primitives import serialization
    except ModuleNotFoundError:
        raise MissingExtra("signing", "sign") from None
    return serialization


def _read(path: Path, load: Any, kind: str) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ed25519

    wanted = ed25519.Ed25519PrivateKey if kind == "private" else ed25519.Ed25519PublicKey
    try:
        found = load(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        found = error
    if isinstance(found, wanted):
        return found
    raise InputError(
        f"{path}: is not a {kind} Ed25519 key in PEM, without a password; make one with "
        "'openssl genpkey -algorithm ed25519', and its public half with 'openssl pkey -pubout'"
    )
