"""What callers of hosted games show: tokens good and bad, keys, and nonsense."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import jwt

from service.hosting.seats import ALGORITHM, API_KEY, AUTHORIZATION, ISSUER, Claims, Scope, SeatTokens
from service.seal import read_keys
from tests.fuzz import doors
from tests.fuzz.asking import NOTHING, Metadata, Shown
from tests.fuzz.corpus import SEAL_KEYS

LATER: Final = 4_000_000_000
KEY_ID: Final = SEAL_KEYS.partition(":")[0]
OURS: Final = SeatTokens(read_keys(SEAL_KEYS))
_THEIRS: Final = SeatTokens({KEY_ID: b"\x33" * 32})

MAKER: Final = Shown(((API_KEY, doors.API_KEY),), may_create=True)
ADMINISTRATOR: Final = Shown(((API_KEY, doors.ADMIN_KEY),), is_admin=True, may_create=True)
NONSENSE: Final[Sequence[Metadata]] = [
    ((API_KEY, "another key"),),
    ((API_KEY, ""),),
    ((API_KEY, "x" * 5000),),
    ((API_KEY, f"{doors.API_KEY},{doors.ADMIN_KEY}"),),
    *(
        ((AUTHORIZATION, text),)
        for text in (
            *("", "Bearer", "Bearer ", "Bearer .", "Bearer ..", "Bearer a.b.c", "Bearer e30.e30.e30"),
            *("Basic YTpi", "\u00e4", "Bearer \U0001f41f", "Bearer \0", "Bearer " + "x" * 2000),
        )
    ),
]


@lru_cache(1000)
def claims_of(token: str) -> Claims:
    """Return what a token of the service says."""
    said = jwt.decode(token, options={"verify_signature": False})
    return Claims(said["game"], Scope(said["scope"]), said["seat"], said["gen"], said["exp"])


def bearer(token: str) -> Metadata:
    """Return the metadata that shows a token."""
    return ((AUTHORIZATION, f"Bearer {token}"),)


def good(token: str) -> Shown:
    """Show a token that the service has issued; it may be void by now."""
    return Shown(bearer(token), claims_of(token))


# Tokens that are none.


def _cut_off(rng: random.Random, token: str) -> str:
    return token[: rng.randrange(len(token))]


def _with_other_character(rng: random.Random, token: str) -> str:
    """Change a character; the last one says less than its six bits, and may mean the same as another."""
    place = rng.randrange(len(token) - 1)
    other = rng.choice([letter for letter in "abAB01-_." if letter != token[place]])
    return token[:place] + other + token[place + 1 :]


def _forged(_rng: random.Random, token: str) -> str:
    return _THEIRS.issue(claims_of(token))


def _raised(_rng: random.Random, token: str) -> str:
    """Make an administrator's token of it, with the signature that was there."""
    raised = _THEIRS.issue(claims_of(token)._replace(scope=Scope.ADMIN, seat=None, generation=99))
    return raised.rpartition(".")[0] + "." + token.rpartition(".")[2]


def _expired(_rng: random.Random, token: str) -> str:
    return OURS.issue(claims_of(token)._replace(expires=1))


def _unsigned(_rng: random.Random, token: str) -> str:
    said = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(said, "", "none", headers={"kid": KEY_ID})


def _of_unknown_key(_rng: random.Random, token: str) -> str:
    said = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(said, b"\x33" * 32, ALGORITHM, headers={"kid": "another"})


def _of_less(rng: random.Random, token: str) -> str:
    """Leave out something that a token says, and sign it with a key of their own."""
    said = jwt.decode(token, options={"verify_signature": False}) | {"iss": ISSUER}
    del said[rng.choice(list(said))]
    return jwt.encode(said, b"\x33" * 32, ALGORITHM, headers={"kid": KEY_ID})


SPOILS: Final[Sequence[Callable[[random.Random, str], str]]] = [
    *(_cut_off, _cut_off, _with_other_character, _with_other_character, _forged, _raised, _expired),
    *(_unsigned, _of_unknown_key, _of_less),
]


def bad(rng: random.Random, tokens: Sequence[str]) -> Shown:
    """Show something that is no token or key of the service."""
    if not tokens or rng.random() < 0.3:
        return Shown(rng.choice(NONSENSE), is_bad=True)
    return Shown(bearer(rng.choice(SPOILS)(rng, rng.choice(tokens))), is_bad=True)


def any_of(rng: random.Random, tokens: Sequence[str]) -> Shown:
    """Show anything: a token of some game, void or not, a key, both, nothing, or something bad."""
    shown = rng.choice([NOTHING, MAKER, ADMINISTRATOR, bad(rng, tokens), *map(good, tokens[-4:])])
    if shown.claims is not None and rng.random() < 0.2:
        key = rng.choice((MAKER, ADMINISTRATOR))
        return key._replace(metadata=shown.metadata + key.metadata, claims=shown.claims)
    return shown
