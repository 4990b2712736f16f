"""The weekly achievements (R8) and the score sheet (R9.2, R9.3): a state in, points out."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from service.engine.cards import ACHIEVEMENTS, CARDS, FORAGE, Achievement, Card
from service.engine.conditions import has_token, holds
from service.engine.ocean import ROW_COUNT, ROW_SLOTS, ZONE_SLOTS, slots_in
from service.engine.reefs import REEF_SIZE
from service.engine.state import GameState, Player, WeekPoints

POINTS_PER_CONSUMED: Final = 1
POINTS_PER_EGG: Final = 1
POINTS_PER_YOUNG: Final = 1
POINTS_PER_SCHOOL: Final = 6
POINTS_PER_CORAL: Final = 1
POINTS_PER_FULL_REEF: Final = (6, 8, 5)
"""R9.2."""
FEW_POINTS: Final = 3
MANY_POINTS: Final = 4
"""R8.3: "1 to 3 points", "more than 4 points"."""
POINTS_FOR_MOST: Final = 3
"""R8.1, side B."""


def _fish(player: Player) -> Iterator[tuple[int, Card]]:
    """Yield the slot and the card of every visible fish, forage fish included."""
    return ((slot, CARDS[player.fish[slot]]) for slot in slots_in(player.occupied))


def _cards(player: Player) -> list[Card]:
    """Return the visible fish that are cards."""
    return [card for _, card in _fish(player) if card.id not in FORAGE]


def _count_fish(fits: Callable[[Card], bool]) -> Callable[[Player], int]:
    return lambda player: sum(fits(card) for _, card in _fish(player))


def _count_cards(fits: Callable[[Card], bool]) -> Callable[[Player], int]:
    return lambda player: sum(fits(card) for card in _cards(player))


def _eggs(player: Player) -> int:
    return player.eggs.bit_count()


def _young(player: Player) -> int:
    return sum(player.young)


def _full_rows(player: Player) -> int:
    return sum(player.occupied & ROW_SLOTS[row] == ROW_SLOTS[row] for row in range(ROW_COUNT))


def full_reef_points(player: Player) -> int:
    """Return the points of full reefs (R9.2)."""
    return sum(
        points for coral, points in zip(player.reefs, POINTS_PER_FULL_REEF, strict=True) if coral == REEF_SIZE
    )


def _fish_with_token(player: Player) -> int:
    return sum(has_token(player, slot) for slot in slots_in(player.occupied))


def _is_activated(card: Card) -> bool:
    return card.ability is not None and card.ability.trigger == "if_activated"


COUNTERS: Final[dict[str, Callable[[Player], int]]] = {
    "eggs_and_young": lambda player: _eggs(player) + _young(player),
    "eggs": _eggs,
    "young": _young,
    "schools": lambda player: player.schools.bit_count(),
    "full_rows": _full_rows,
    "small_fish": _count_fish(lambda card: card.size == 0),
    "medium_fish": _count_fish(lambda card: card.size == 1),
    "large_fish": _count_fish(lambda card: card.size == 2),  # noqa: PLR2004  an index into SIZES
    "fish_with_token": _fish_with_token,
    "fish_without_token": lambda player: player.occupied.bit_count() - _fish_with_token(player),
    "if_activated_fish": _count_cards(_is_activated),
    "sunlight_fish": lambda player: (player.occupied & ZONE_SLOTS[0]).bit_count(),
    "coral": lambda player: sum(player.reefs),
    "fish_of_1_to_3_points": _count_cards(lambda card: 1 <= card.points <= FEW_POINTS),
    "fish_over_4_points": _count_cards(lambda card: card.points > MANY_POINTS),
    "tag_kinds": lambda player: len({tag for card in _cards(player) for tag in card.tags}),
    "discard_pile_cards": lambda player: len(player.discard),
    "reef_completion_points": full_reef_points,
    "predator_tags": lambda player: sum(card.tags.count("predator") for card in _cards(player)),
    "consumed_fish": lambda player: sum(map(len, player.under.values())),
}
"""What the achievements count (R8.2, R8.3)."""


def achievement_points(player: Player, achievement: Achievement) -> int:
    """Return what an achievement is worth to a player as things stand (R8.2, R8.3)."""
    return COUNTERS[achievement.count](player) // achievement.per * achievement.points


def week_points(state: GameState) -> list[WeekPoints]:
    """Return what each player gains at the end of the state's week (R8.1, RU11)."""
    achievement = ACHIEVEMENTS[state.tiles[state.week - 1]]
    points = [achievement_points(player, achievement) for player in state.players]
    most = max(points)
    gives_most = state.options.side == "b"
    return [WeekPoints(gained, POINTS_FOR_MOST * (gives_most and gained == most)) for gained in points]


class Score(NamedTuple):
    """A player's points by category (R9.2), and the hand that breaks a tie (R9.3)."""

    achievements: int
    game_end: int
    printed: int
    consumed: int
    eggs: int
    young: int
    schools: int
    coral: int
    full_reefs: int
    cards_in_hand: int

    @property
    def total(self) -> int:
        """All points."""
        return sum(self) - self.cards_in_hand


def game_end_points(player: Player) -> int:
    """Return the points of game-end abilities whose condition holds (R9.2, R10)."""
    return sum(
        card.ability.score.points
        for slot, card in _fish(player)
        if card.ability is not None
        and card.ability.score is not None
        and holds(player, slot, card.ability.score.condition)
    )


def score(player: Player) -> Score:
    """Return a player's points as they stand."""
    return Score(
        achievements=sum(gained.points + gained.most for gained in player.gained),
        game_end=game_end_points(player),
        printed=sum(card.points for _, card in _fish(player)),
        consumed=COUNTERS["consumed_fish"](player) * POINTS_PER_CONSUMED,
        eggs=_eggs(player) * POINTS_PER_EGG,
        young=_young(player) * POINTS_PER_YOUNG,
        schools=player.schools.bit_count() * POINTS_PER_SCHOOL,
        coral=sum(player.reefs) * POINTS_PER_CORAL,
        full_reefs=full_reef_points(player),
        cards_in_hand=len(player.hand),
    )


def score_sheet(state: GameState) -> list[Score]:
    """Return every player's points by seat."""
    return [score(player) for player in state.players]


def ranks(scores: list[Score]) -> list[int]:
    """Return every player's rank by seat: 1 for most points, then most cards in hand, then shared (R9.3)."""
    standing = [(one.total, one.cards_in_hand) for one in scores]
    return [1 + sum(other > own for other in standing) for own in standing]


def winners(state: GameState) -> tuple[int, ...]:
    """Return the seats that would win as things stand (R9.3)."""
    return tuple(seat for seat, rank in enumerate(ranks(score_sheet(state))) if rank == 1)
