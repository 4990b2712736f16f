"""From a request's state to a game that can be played on, and back.

The order is always the same: decode, rules version, unseal, check. A sealed state whose seal is intact came
from us and is not checked again. Any other state, built by hand or not, has to pass the engine's `check`.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from finspan.v1 import finspan_pb2 as pb
from service.convert import derived_faults, open_fields, read_state, state_fields
from service.convert.reading import Faults, read_cards
from service.engine.bounds import counter_faults
from service.engine.cards import cards_of
from service.engine.check import check
from service.engine.digest import full_digest, public_bytes
from service.engine.errors import Fault, ImpossibleState
from service.engine.rng import Generator
from service.engine.rules import RULES_VERSION
from service.engine.samples import cards_of_player, unseen_cards
from service.engine.setup import ACHIEVEMENT_WEEKS, STARTERS_DEALT, seed_faults, tiles_of
from service.engine.state import Frame, GameState, Options
from service.errors import HiddenPartMissing, InvalidFields, OtherRulesVersion, SealBroken
from service.seal import Sealed, Seals

_NO_SEED: Final = "-"
"""Stands for the seed of a state that came without its hidden part; nothing is ever drawn from it."""

_MAX_KEPT_BYTES: Final = 8192
"""The size of a state that is kept at most."""

PositionRequest = pb.LegalMovesRequest | pb.ApplyMoveRequest | pb.ScoreRequest | pb.SampleStatesRequest
"""A request about a position."""


@dataclass(frozen=True)
class Position:
    """A game, whether its hidden part is open, and the canonical bytes of its public facts."""

    state: GameState
    is_open: bool
    public: bytes
    is_ended: bool = False
    """Whether an administrator has ended it before its time: nothing can be decided then."""

    @property
    def is_over(self) -> bool:
        """Whether nothing can be decided any more."""
        return self.is_ended or self.state.is_over

    @cached_property
    def digest(self) -> str:
        """The digest of the public facts."""
        return sha256(self.public).hexdigest()

    @cached_property
    def full_digest(self) -> str:
        """The digest of all facts, the hidden ones included; it never leaves the service."""
        return full_digest(self.state, self.public)


def position_of(state: GameState, *, is_open: bool) -> Position:
    """Return a state of our own making as a position."""
    return Position(state, is_open, public_bytes(state))


def require_rules_version(requested: str) -> None:
    """Refuse another rules version than ours; an empty one stands for ours.

    Raises:
        OtherRulesVersion: it is another.

    """
    if requested not in ("", RULES_VERSION):
        raise OtherRulesVersion(requested)


def _missing_starters(state: GameState) -> tuple[int, ...]:
    """Return as many starters as are not dealt to so many players (R2.1): the highest that lie nowhere."""
    starters = cards_of(state.options.sets, "starter")
    undealt = max(len(starters) - STARTERS_DEALT * len(state.players), 0)
    seen = {card for player in state.players for card in cards_of_player(player)}
    free = [card for card in starters if card not in seen and card not in state.deck]
    return tuple(free[max(len(free) - undealt, 0) :])


def _missing_tiles(options: Options) -> tuple[str, ...]:
    """Return the achievements that follow from the options: those named, or side A's fixed ones (R8.2)."""
    if options.tiles or options.side != "a":
        return options.tiles
    return tuple(tiles_of(options, week)[0].id for week in ACHIEVEMENT_WEEKS)


def _fill_in(state: GameState) -> None:
    """Fill in what a state built by hand may leave out, all but the deck."""
    state.undealt = state.undealt or _missing_starters(state)
    state.tiles = state.tiles or _missing_tiles(state.options)
    state.agenda = state.agenda or [Frame.TURN]


def _lay_deck(state: GameState) -> Faults:
    """Give a state without a deck every card that lies nowhere, shuffled by its generator.

    Returns:
        what is wrong with the counter as it came; a wrong one is not shuffled with.

    """
    faults = [*counter_faults(state.counter, shuffles=state.version)]
    generator = Generator(state.seed, 0 if faults else state.counter)
    state.deck = generator.shuffled(unseen_cards(state))
    state.counter = generator.counter
    return faults


def _read_open(state: GameState, part: pb.OpenPart, faults: Faults) -> None:
    faults += seed_faults(part.seed, "open.seed")
    state.seed, state.counter = part.seed, part.counter
    state.deck = read_cards(part.deck.cards, "open.deck", "cards", faults)[::-1]


def _built(message: pb.GameState, state: GameState, faults: Faults) -> Position:
    """Return the game of a state that anybody may have built, its gaps filled in."""
    if message.HasField("open"):
        _read_open(state, message.open, faults)
    else:
        state.seed = _NO_SEED
    if faults:
        raise InvalidFields(faults)
    _fill_in(state)
    if not message.open.HasField("deck"):
        faults = _lay_deck(state)
    faults += check(state) + derived_faults(message, state, all_given=False)
    if faults:
        raise ImpossibleState(faults)
    return position_of(state, is_open=True)


def state_in(request: PositionRequest) -> pb.GameState:
    """Return the carried state of a request.

    Raises:
        InvalidFields: it names none, and no hosted game either.

    """
    if not request.HasField("state"):
        raise InvalidFields([Fault("state", "", "It is missing, and so is a game_id.")])
    return request.state


class Positions:
    """Reads the states of requests and writes those of replies, with this server's keys.

    The last states read and written are kept by their exact bytes. A state that comes back as it was, as most
    do, need not be decoded, unsealed and checked anew; what its bytes mean does not depend on when they come.
    """

    def __init__(self, seals: Seals, kept: int = 0) -> None:
        """Take the keys, and how many states to keep."""
        self._seals = seals
        self._limit = kept
        self._kept: dict[bytes, Position] = {}

    def read(self, message: pb.GameState) -> Position:
        """Return the game of a carried state.

        Raises:
            OtherRulesVersion, HiddenPartMissing, InvalidFields, SealKeyUnknown, SealBroken,
            ImpossibleState: as their names say.

        """
        position = self.read_public(message)
        if message.WhichOneof("hidden") is None:
            raise HiddenPartMissing
        return position

    def read_public(self, message: pb.GameState) -> Position:
        """Return the game of a state that may lack its hidden part; its deck's order then means nothing.

        Raises:
            as `read`, but for HiddenPartMissing.

        """
        written = message.SerializeToString()
        position = self._kept.get(written)
        if position is None:
            position = self._decoded(message)
            self._keep(written, position)
        return position

    def write(self, position: Position) -> pb.GameState:
        """Return a state's message, its hidden part sealed or open."""
        state = position.state
        fields = state_fields(state)
        if position.is_open:
            fields["open"] = open_fields(state)
        else:
            fields["sealed"] = self._seals.seal(state, position.public)._asdict()
        message = pb.GameState(**fields)
        self._keep(message.SerializeToString(), position)
        return message

    def _decoded(self, message: pb.GameState) -> Position:
        require_rules_version(message.rules_version)
        faults: Faults = []
        state = read_state(message, faults)
        if message.HasField("sealed"):
            return self._unsealed(message, state, faults)
        return _built(message, state, faults)

    def _unsealed(self, message: pb.GameState, state: GameState, faults: Faults) -> Position:
        """What even the seal does not see, such as a derived field left out, was not our doing either."""
        if faults:
            raise SealBroken(faults)
        part, position = message.sealed, position_of(state, is_open=False)
        self._seals.unseal(state, position.public, Sealed(part.key_id, part.nonce, part.ciphertext))
        faults = derived_faults(message, state, all_given=True)
        if faults:
            raise SealBroken(faults)
        return position

    def _keep(self, written: bytes, position: Position) -> None:
        """Keep a state in the place of the oldest, if it is not swollen by fields that we do not know."""
        if self._limit == 0 or len(written) > _MAX_KEPT_BYTES:
            return
        if len(self._kept) >= self._limit:
            del self._kept[next(iter(self._kept))]
        self._kept[written] = position
