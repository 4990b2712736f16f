"""Hides and authenticates what the holder of a carried state must neither see nor change.

A seal is AES-GCM-SIV (RFC 8452) with a 256-bit key and a random nonce of 12 bytes. Encrypted is the *hidden
part*: the deck's order, the seed and the generator's counter. Authenticated with it is all the rest of the
state, written without ambiguity: `bound_bytes`. So a seal opens only on the very state that it was made for.

Several keys may be known at once; each has an id, which a seal names. The first one seals, all open. To
rotate: let every server know the new key behind the old one, then put it first, then drop the old one.
"""

import os
import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from service.engine.rules import RULES_VERSION
from service.engine.state import GameState
from service.errors import SealBroken, SealKeyUnknown

NONCE_LENGTH: Final = 12
KEY_LENGTH: Final = 32
_LABEL: Final = b"finspan.v1 sealed state"
_KEY_ENTRY: Final = re.compile(rf"([\w.-]{{1,32}}):([0-9a-fA-F]{{{2 * KEY_LENGTH}}})", re.ASCII)
_LENGTH: Final = struct.Struct(">I")
_HIDDEN_HEAD: Final = struct.Struct(">IH")


class SealUnavailable(RuntimeError):
    """The cryptography library of this machine cannot do AES-GCM-SIV."""


class Sealed(NamedTuple):
    """A hidden part, encrypted: the id of its key, its nonce, and the ciphertext with its tag."""

    key_id: str
    nonce: bytes
    ciphertext: bytes


def read_keys(text: str) -> dict[str, bytes]:
    """Return the keys by id, in their order, of a text such as ``new:<64 hex digits>,old:<64 hex digits>``.

    Raises:
        ValueError: the text has another form; the message says which entry, and quotes no key.

    """
    keys: dict[str, bytes] = {}
    for number, entry in enumerate(filter(None, (part.strip() for part in text.split(","))), 1):
        match = _KEY_ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(
                f"key {number} is not of the form id:key, with an id of 1 to 32 letters, digits, '.', '_' or "
                f"'-' and a key of {2 * KEY_LENGTH} hexadecimal digits"
            )
        key_id, digits = match.groups()
        if key_id in keys:
            raise ValueError(f"key {number} has the id {key_id!r} of an earlier one")
        keys[key_id] = bytes.fromhex(digits)
    return keys


def new_key() -> str:
    """Return a random key with a random id, as `read_keys` reads it; to seal or to sign with."""
    return f"{os.urandom(4).hex()}:{os.urandom(KEY_LENGTH).hex()}"


def joined(parts: Iterable[bytes]) -> bytes:
    """Return the parts in a row, each behind its length, so that no two lists give the same bytes."""
    return b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def bound_bytes(state: GameState, public: bytes) -> bytes:
    """Return everything of a state that its seal is bound to: all but the hidden part.

    Its public facts in the engine's canonical layout (the options are among them), which the caller has at
    hand, then the version, the rules version and the names.
    """
    version = _LENGTH.pack(state.version)
    names = (name.encode() for name in state.names)
    return joined((_LABEL, public, version, RULES_VERSION.encode(), *names))


def hidden_bytes(state: GameState) -> bytes:
    """Return the hidden part: counter, length of the seed, seed, deck (a byte per card, top card first)."""
    seed = state.seed.encode()
    return _HIDDEN_HEAD.pack(state.counter, len(seed)) + seed + bytes(reversed(state.deck))


def set_hidden(state: GameState, hidden: bytes) -> None:
    """Give a state the hidden part that `hidden_bytes` wrote."""
    state.counter, length = _HIDDEN_HEAD.unpack_from(hidden)
    seed_end = _HIDDEN_HEAD.size + length
    state.seed = hidden[_HIDDEN_HEAD.size : seed_end].decode()
    state.deck = list(reversed(hidden[seed_end:]))


class Seals:
    """The keys of this server, at work."""

    openings: Counter[str]
    """How many seals each key has opened, by key id: a key without openings can be dropped."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        """Take the keys by id, the one that seals first.

        Raises:
            SealUnavailable: the machine cannot do AES-GCM-SIV.

        """
        try:
            self._ciphers = {key_id: AESGCMSIV(key) for key_id, key in keys.items()}
        except UnsupportedAlgorithm as error:
            raise SealUnavailable(
                "the OpenSSL that `cryptography` uses has no AES-GCM-SIV; its wheels bring one that has"
            ) from error
        self._first = next(iter(keys))
        self.openings = Counter()

    def seal(self, state: GameState, public: bytes) -> Sealed:
        """Return a state's hidden part, sealed by the first key and bound to the rest (see `bound_bytes`)."""
        return self.seal_bytes(hidden_bytes(state), bound_bytes(state, public))

    def seal_bytes(self, plain: bytes, bound: bytes) -> Sealed:
        """Return bytes, sealed by the first key and bound to others."""
        nonce = os.urandom(NONCE_LENGTH)
        return Sealed(self._first, nonce, self._ciphers[self._first].encrypt(nonce, plain, bound))

    def unseal(self, state: GameState, public: bytes, sealed: Sealed) -> None:
        """Give a state the hidden part of its seal; its deck must already have as many cards as it says.

        Raises:
            as `unseal_bytes`.

        """
        set_hidden(state, self.unseal_bytes(sealed, bound_bytes(state, public)))

    def unseal_bytes(self, sealed: Sealed, bound: bytes) -> bytes:
        """Return what was sealed.

        Raises:
            SealKeyUnknown: the key is not one of ours.
            SealBroken: the seal, or anything that it is bound to, was changed.

        """
        cipher = self._ciphers.get(sealed.key_id)
        if cipher is None:
            raise SealKeyUnknown(sealed.key_id)
        if len(sealed.nonce) != NONCE_LENGTH:
            raise SealBroken
        try:
            plain = cipher.decrypt(sealed.nonce, sealed.ciphertext, bound)
        except InvalidTag:
            raise SealBroken from None
        self.openings[sealed.key_id] += 1
        return plain
