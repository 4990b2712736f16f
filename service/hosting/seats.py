"""Who asks about a hosted game: seat tokens, and the keys of administrators and of whoever may make games.

A token is a JSON Web Token, signed with HMAC-SHA-256 and nothing else. It says for which game it is, for what
(to play a seat, to watch, to administer), until when, and of which generation it is: when a token is issued
anew, the game's count of generations goes up, and all earlier ones are void. Tokens are not stored: the same
claims and the same key give the same token.

Several signing keys may be known at once; each has an id, which a token names. The first one signs, all
verify.
"""

import hmac
import time
from collections.abc import Iterable, Mapping
from enum import IntEnum
from hashlib import sha256
from typing import Any, Final, NamedTuple

import jwt

from service.errors import TokenRefused

ALGORITHM: Final = "HS256"
ISSUER: Final = "finspan"
MAX_TOKEN_LENGTH: Final = 1024
MAX_KNOWN: Final = 10_000
"""How many verified tokens are remembered; some 500 bytes each."""
AUTHORIZATION: Final = "authorization"
"""The metadata in which a caller shows a token, behind the word Bearer."""
API_KEY: Final = "x-api-key"
"""The metadata in which a caller shows a key."""
_BEARER: Final = "bearer "


class Scope(IntEnum):
    """What the bearer of a token may do in its game; numbers as in the contract."""

    PLAY = 1
    WATCH = 2
    ADMIN = 3


class Claims(NamedTuple):
    """What a token says."""

    game_id: str
    scope: Scope
    seat: int | None
    """The seat that may be played; None for the other scopes."""
    generation: int
    expires: int
    """Seconds since 1970, UTC."""


class Caller(NamedTuple):
    """Who asks: what was shown, verified as far as that can be done without the game."""

    claims: Claims | None
    is_admin: bool
    """Whether an administrator's key was shown."""
    may_create: bool
    """Whether the caller may make games."""


def _claims_of(payload: Mapping[str, Any]) -> Claims:
    """Return the claims of a payload whose signature is ours; it has exactly what we once signed."""
    return Claims(payload["game"], Scope(payload["scope"]), payload["seat"], payload["gen"], payload["exp"])


class SeatTokens:
    """The signing keys of this server, at work."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        """Take the keys by id, the one that signs first."""
        self._keys = keys
        self._first = next(iter(keys))
        self._known: dict[str, Claims] = {}

    def issue(self, claims: Claims) -> str:
        """Return the token that says this."""
        payload = {
            "iss": ISSUER,
            "game": claims.game_id,
            "scope": int(claims.scope),
            "seat": claims.seat,
            "gen": claims.generation,
            "exp": claims.expires,
        }
        return jwt.encode(payload, self._keys[self._first], ALGORITHM, headers={"kid": self._first})

    def verify(self, token: str) -> Claims:
        """Return what a token says; the last ones are remembered, since players show theirs at every move.

        Raises:
            TokenRefused: it is no token of ours, was changed, or has expired.

        """
        claims = self._known.get(token)
        if claims is None or claims.expires <= time.time():
            claims = self._verified(token)
            if len(self._known) >= MAX_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[token] = claims
        return claims

    def _verified(self, token: str) -> Claims:
        if len(token) > MAX_TOKEN_LENGTH:
            raise TokenRefused("It is no token of this service.")
        try:
            key = self._keys[jwt.get_unverified_header(token)["kid"]]
            payload = jwt.decode(token, key, [ALGORITHM], issuer=ISSUER, options={"require": ["exp", "iss"]})
            return _claims_of(payload)
        except jwt.ExpiredSignatureError:
            raise TokenRefused("The token has expired; an administrator can issue a new one.") from None
        except (jwt.PyJWTError, LookupError, ValueError, TypeError):
            raise TokenRefused("It is no token of this service, or it was changed.") from None


def read_api_keys(text: str) -> tuple[bytes, ...]:
    """Return the digests of keys that stand in a text with commas between them."""
    return tuple(sha256(key.encode()).digest() for key in map(str.strip, text.split(",")) if key)


def _is_among(key: str | None, digests: Iterable[bytes]) -> bool:
    """Return whether a key is one of those, in a time that does not tell which part of it was right."""
    if key is None:
        return False
    ours = sha256(key.encode()).digest()
    return any([hmac.compare_digest(ours, digest) for digest in digests])  # noqa: C419  no early end


class Access:
    """Tells who asks."""

    def __init__(self, tokens: SeatTokens, api_keys: str, admin_keys: str) -> None:
        """Take the signing keys, and the keys that callers may show, with commas between them."""
        self._tokens = tokens
        self._api_keys = read_api_keys(api_keys)
        self._admin_keys = read_api_keys(admin_keys)

    def caller(self, metadata: Iterable[tuple[str, str | bytes]]) -> Caller:
        """Return who asks, by the metadata of a call.

        Raises:
            TokenRefused: a token or a key was shown that is none of ours.

        """
        shown = {name: value for name, value in metadata if isinstance(value, str)}
        bearer, key = shown.get(AUTHORIZATION), shown.get(API_KEY)
        is_admin = _is_among(key, self._admin_keys)
        is_known = is_admin or _is_among(key, self._api_keys)
        if key is not None and not is_known:
            raise TokenRefused("The key is none of this service's.")
        return Caller(
            claims=None if bearer is None else self._tokens.verify(_token_in(bearer)),
            is_admin=is_admin,
            may_create=is_known or not self._api_keys,
        )


def _token_in(bearer: str) -> str:
    if not bearer.lower().startswith(_BEARER):
        raise TokenRefused(f"The metadata {AUTHORIZATION} holds the word Bearer and a token.")
    return bearer[len(_BEARER) :].strip()
