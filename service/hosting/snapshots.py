"""A hosted game as it is stored: a snapshot, sealed as a whole, and the entries of its log.

A snapshot has a head that can be read (rules version, digests, which key) and a sealed rest: what belongs
to the hosted game alone (`Meta`), the hidden part of the state, and the state. The seal is bound to the game,
the version and the head, so that no snapshot can take another's place.

An entry of the log is the contract's `LogEntry` behind the full digest, which never leaves the service.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from finspan.v1 import finspan_pb2 as pb
from service.convert import read_state, state_fields
from service.convert.reading import Faults
from service.engine.rules import RULES_VERSION
from service.engine.state import GameState
from service.errors import OtherRulesVersion, SealBroken
from service.positions import Position, position_of
from service.seal import Sealed, Seals, hidden_bytes, joined, set_hidden

_LABEL: Final = b"finspan.v1 snapshot"
_LENGTH: Final = struct.Struct(">I")
_DIGEST_LENGTH: Final = 32


class DamagedSnapshot(Exception):
    """A snapshot that is not what we stored: a fault of the store or of who reaches it, not of a caller."""

    def __init__(self) -> None:
        super().__init__("The stored snapshot was changed, or belongs to another game or version.")


class Meta(BaseModel):
    """What a hosted game has beside its state."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    public_watching: bool
    """Whether anybody may watch."""
    nonce: str
    """The 32 random bytes of the commitment, in hexadecimal digits."""
    seed: str
    """What the commitment speaks of: the seed that the hidden order was first drawn from."""
    play_generations: tuple[int, ...]
    """By seat, how often a token for it was issued anew; earlier ones are void."""
    watch_generation: int = 0
    admin_generation: int = 0
    bots: tuple[int, ...] = ()
    """The seats that a bot has taken, ascending."""
    is_over: bool = False
    """Whether it was played to its end."""
    is_ended: bool = False
    """Whether an administrator ended the game."""
    forked_from: tuple[str, int] | None = None
    """The game and version that it was forked from."""
    number: int = 0
    """The number of the newest entry of its log, which counts the entries of a version from 0."""


class Snapshot(NamedTuple):
    """A snapshot, unsealed; the state may be one of another rules version, and is then not to be decoded."""

    game_id: str
    version: int
    rules_version: str
    digest: str
    """The digest of the public facts."""
    meta: Meta
    hidden: bytes
    state: bytes
    """The state's message without its hidden part."""


class Hosted(NamedTuple):
    """A hosted game at one version, ready to be played."""

    game_id: str
    meta: Meta
    position: Position

    @property
    def state(self) -> GameState:
        """The state, its true hidden order included."""
        return self.position.state


def _bound(game_id: str, version: int, head: bytes) -> bytes:
    return joined((_LABEL, game_id.encode(), _LENGTH.pack(version), head))


def _pack(head: Any, plain: bytes, game_id: str, version: int, seals: Seals) -> bytes:  # noqa: ANN401  JSON
    head_bytes = json.dumps(head, separators=(",", ":")).encode()
    sealed = seals.seal_bytes(plain, _bound(game_id, version, head_bytes))
    key = sealed.key_id.encode()
    return joined((head_bytes, key, sealed.nonce, sealed.ciphertext))


def _parts(blob: bytes) -> list[bytes]:
    """Return the parts that `joined` put together."""
    parts, at = [], 0
    while at < len(blob):
        (length,) = _LENGTH.unpack_from(blob, at)
        at += _LENGTH.size
        parts.append(blob[at : at + length])
        at += length
    return parts


def public_message(state: GameState) -> pb.GameState:
    """Return a state's message without its hidden part, as a hosted game's leaves the service."""
    return pb.GameState(**state_fields(state))


def to_snapshot(hosted: Hosted, seals: Seals, message: pb.GameState) -> bytes:
    """Return the bytes of a snapshot; ``message`` is the game's `public_message`."""
    state = hosted.state
    head = {
        "rules": RULES_VERSION,
        "public": hosted.position.digest,
        "full": hosted.position.full_digest,
    }
    plain = joined((hosted.meta.model_dump_json().encode(), hidden_bytes(state), message.SerializeToString()))
    return _pack(head, plain, hosted.game_id, state.version, seals)


def read_snapshot(game_id: str, version: int, blob: bytes, seals: Seals) -> Snapshot:
    """Return what the bytes of a snapshot say, whichever rules version it is of.

    Raises:
        SealKeyUnknown: it was sealed with a key that this server does not have.
        DamagedSnapshot: it was changed, or belongs to another game or version.

    """
    try:
        head_bytes, key, nonce, ciphertext = _parts(blob)
        head, sealed = json.loads(head_bytes), Sealed(key.decode(), nonce, ciphertext)
        meta, hidden, state = _parts(seals.unseal_bytes(sealed, _bound(game_id, version, head_bytes)))
    except (ValueError, struct.error, SealBroken):
        raise DamagedSnapshot from None
    return Snapshot(
        game_id, version, head["rules"], head["public"], Meta.model_validate_json(meta), hidden, state
    )


def reseal(game_id: str, version: int, blob: bytes, seals: Seals) -> bytes:
    """Return the same snapshot, sealed with the key that seals now."""
    head_bytes, key, nonce, ciphertext = _parts(blob)
    plain = seals.unseal_bytes(Sealed(key.decode(), nonce, ciphertext), _bound(game_id, version, head_bytes))
    return _pack(json.loads(head_bytes), plain, game_id, version, seals)


def hosted_of(snapshot: Snapshot) -> Hosted:
    """Return the game of a snapshot.

    Raises:
        OtherRulesVersion: it is of another rules version than ours.

    """
    if snapshot.rules_version != RULES_VERSION:
        raise OtherRulesVersion(snapshot.rules_version)
    return decoded(snapshot)


def decoded(snapshot: Snapshot) -> Hosted:
    """Return the game of a snapshot, read as if it were one of our rules version.

    Raises:
        DamagedSnapshot: it holds what our rules version does not know.

    """
    faults: Faults = []
    state = read_state(pb.GameState.FromString(snapshot.state), faults)
    if faults:
        raise DamagedSnapshot
    set_hidden(state, snapshot.hidden)
    position = position_of(state, is_open=False)
    return Hosted(snapshot.game_id, snapshot.meta, replace(position, is_ended=snapshot.meta.is_ended))


def to_item(entry: pb.LogEntry, position: Position) -> bytes:
    """Return the bytes of a log entry; ``position`` is the game after it."""
    return bytes.fromhex(position.full_digest) + entry.SerializeToString()


class Logged(NamedTuple):
    """An entry of a log, as it was stored."""

    full_digest: str
    entry: pb.LogEntry


def read_item(data: bytes) -> Logged:
    """Return the log entry of such bytes."""
    return Logged(data[:_DIGEST_LENGTH].hex(), pb.LogEntry.FromString(data[_DIGEST_LENGTH:]))


def moves_of(entries: Sequence[Logged]) -> list[pb.Move]:
    """Return the moves of a log, in order."""
    return [logged.entry.move for logged in entries if logged.entry.HasField("move")]
