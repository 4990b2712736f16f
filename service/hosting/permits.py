"""Who may do what with a hosted game: whoever has a token of the newest generation for it, or a key."""

from service.errors import NotAllowed, TokenRefused
from service.hosting.games import Game
from service.hosting.seats import Caller, Claims, Scope


def check_token(game: Game, claims: Claims) -> None:
    """Refuse a token that is not, or no longer, one for this game."""
    meta = game.snapshot.meta
    if claims.game_id != game.id:
        raise TokenRefused("The token is for another game.")
    current = {
        Scope.PLAY: lambda: meta.play_generations[claims.seat or 0],
        Scope.WATCH: lambda: meta.watch_generation,
        Scope.ADMIN: lambda: meta.admin_generation,
    }[claims.scope]()
    if claims.generation != current:
        raise TokenRefused("The token is void: a newer one was issued, or a bot took the seat.")


def require_watcher(game: Game, caller: Caller) -> None:
    """Refuse callers who may not see a game."""
    if caller.claims is not None:
        check_token(game, caller.claims)
    elif not (caller.is_admin or game.snapshot.meta.public_watching):
        raise TokenRefused("This game is private: a token is needed.")


def is_administrator(game: Game, caller: Caller) -> bool:
    """Return whether a caller administers this game."""
    if caller.claims is not None:
        check_token(game, caller.claims)
    return caller.is_admin or (caller.claims is not None and caller.claims.scope is Scope.ADMIN)


def require_administrator(game: Game, caller: Caller) -> None:
    """Refuse callers who do not administer a game."""
    if not is_administrator(game, caller):
        raise NotAllowed("administrator", "This is for administrators alone.")


def seat_of(game: Game, caller: Caller) -> int:
    """Return the seat that a caller may move for."""
    if caller.claims is None:
        raise TokenRefused("To move, the token of a seat is needed.")
    check_token(game, caller.claims)
    if caller.claims.scope is not Scope.PLAY or caller.claims.seat is None:
        raise NotAllowed("seat", "This token is none to move with.")
    return caller.claims.seat
