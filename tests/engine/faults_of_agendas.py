"""States with one thing wrong with what players have used, and with the open decision."""

from typing import Any

from service.engine.events import BonusSource, FishSource
from service.engine.ocean import SLOTS_BY_NAME
from service.engine.state import AlsoIf, Benefits, DiveOn, Frame, GameState, Pay, Scattering, Step
from tests.engine.faults_at_the_table import START, Row, but, but_for, laid, ocean, slots
from tests.table import START_OCEAN, Ocean


def asking(*steps: Step, **fields: Any) -> GameState:  # noqa: ANN401  whatever `situation` takes
    """Return a state in the midst of a turn, or of whatever frame is given."""
    return laid(**{"frame": Frame.END_TURN, "steps": steps, **fields})


def at_end(*steps: Step, used: str = "", **fields: Any) -> GameState:  # noqa: ANN401  see `situation`
    """Return a state in the midst of the first player's game end."""
    state = asking(*steps, frame=Frame.GAME_END, week=4, turn=6, **fields)
    return but_for(0, state, activated=slots(*used.split()))


def bonus(site: int, stop: int, *, following: int | None, seat: int = 0) -> list[Step]:
    """Return the open bonus of a dive, with the way down behind it."""
    way: list[Step] = [] if following is None else [DiveOn(site, following)]
    return [*way, Benefits(seat, BonusSource(site, stop), (1,))]


HATCH = bonus(2, 0, following=1)
"""The Sunlight bonus of the green site, where a forage fish lies."""
DEEP = bonus(0, 10, following=None)


def dived(turn: int, steps: list[Step], *used: str) -> GameState:
    return asking(*steps, turn=turn, deep_used=[used])


BY_BOTTOM = "cannot be used: the dives that have reached a bottom this week are"
DEEP_USED = "players[0].deep_bonuses_used"
ENDS = [{"B1": "41"}, {"B4": "19", "P1": "69"}, {"B6": "77"}]
THIRD = laid(oceans=ENDS, frame=Frame.GAME_END, week=4, turn=6, seat=1)
SECOND_ENDS = but_for(1, but_for(0, THIRD, activated=slots("B1")), activated=slots("P1"))
OVER = laid(oceans=[{"B1": "41", "P1": "30"}, {}], frame=Frame.GAME_OVER, week=4, turn=6)
USED = {
    "a deep bonus more than dives": Row(
        laid(turn=3, deep_used=[("blue", "green")]),
        laid(turn=3, deep_used=[("blue", "green", "purple")]),
        [(DEEP_USED, "R6.3", f"3 {BY_BOTTOM} 2 at most.")],
    ),
    "a deep bonus of a dive on its way": Row(
        dived(2, HATCH, "blue"),
        dived(2, HATCH, "blue", "green"),
        [
            (DEEP_USED, "R6.3", f"2 {BY_BOTTOM} 1 at most."),
        ],
    ),
    "a deep bonus more than dives at the bottom": Row(
        dived(2, DEEP, "blue", "green"),
        dived(2, DEEP, "blue", "green", "purple"),
        [(DEEP_USED, "R6.3", f"3 {BY_BOTTOM} 2 at most.")],
    ),
    "a deep bonus before the first turn": Row(
        laid(turn=2, seat=1, deep_used=[("blue", "green"), ("green",)]),
        laid(seat=1, deep_used=[("blue",), ("green",)]),
        [("players[1].deep_bonuses_used", "R6.3", f"1 {BY_BOTTOM} 0 at most.")],
    ),
    "a fish of the third player's used in the second's game end": Row(
        SECOND_ENDS,
        but_for(2, SECOND_ENDS, activated=slots("B6")),
        [
            ("players[2].game_end_fish_used", "R9.1", "This player's game end has not begun."),
        ],
    ),
    "a fish used before the game end": Row(
        ocean(ENDS[0]),
        but_for(0, ocean(ENDS[0]), activated=slots("B1")),
        [
            ("players[0].game_end_fish_used", "R9.1", "This player's game end has not begun."),
        ],
    ),
    "a fish used that only gives points": Row(
        but_for(0, OVER, activated=slots("B1")),
        but_for(0, OVER, activated=slots("P1")),
        [
            (
                "players[0].game_end_fish_used",
                "R9.1",
                "No fish with benefits at the game's end lies on P1.",
            ),
        ],
    ),
    "no fish used": Row(
        but_for(0, OVER, activated=slots("B1")),
        but_for(0, OVER, activated=slots("G1")),
        [
            ("players[0].game_end_fish_used", "R9.1", "No fish with benefits at the game's end lies on G1."),
        ],
    ),
}

SAILFISH_ON_P1 = Pay(10, SLOTS_BY_NAME["P1"], cards=1, eggs=1, young=1, schools=0)


def paying(hand: tuple[int, ...] = (10, 21, 46), discard: tuple[int, ...] = (), **left: int) -> GameState:
    """Return a state in which card 10 is being paid for: 1 card, 1 egg, 1 young."""
    return asking(SAILFISH_ON_P1._replace(**left), hands=[hand], discards=[discard])


PAY = "agenda[0].pay"
PRICES = {
    "paid for without a turn": Row(
        paying(),
        but(paying(), agenda=[Frame.TURN, SAILFISH_ON_P1]),
        [
            ("agenda", "R3.1", "Behind such a step stands end_turn or game_end."),
        ],
    ),
    "not in hand": Row(
        paying(),
        paying(hand=(21, 46)),
        [
            (f"{PAY}.card", "R5.1", "The card being played is in its owner's hand."),
        ],
    ),
    "on a slot that it does not allow": Row(
        paying(),
        paying(slot=SLOTS_BY_NAME["P4"]),
        [
            (f"{PAY}.slot", "R5.6", "Atlantic Sailfish cannot be played on P4."),
        ],
    ),
    "more than is printed": Row(
        paying(),
        paying(cards=2),
        [
            (f"{PAY}.cards", "R5.1", "It is 2 and must be 0 to 1."),
        ],
    ),
    "of a kind that is not printed": Row(
        paying(),
        paying(cards=0, discard=(95,), schools=1),
        [
            (f"{PAY}.schools", "R5.1", "It is 1 and must be 0."),
        ],
    ),
    "a kind paid before its turn": Row(
        paying(),
        paying(eggs=0),
        [
            (f"{PAY}.eggs", "R5.1", "It is not its turn yet, and 1 must be left of it."),
        ],
    ),
    "the last kind paid before its turn": Row(
        paying(cards=0, discard=(95,)),
        paying(cards=0, young=0, discard=(95,)),
        [
            (f"{PAY}.young", "R5.1", "It is not its turn yet, and 1 must be left of it."),
        ],
    ),
    "more than there is": Row(
        paying(),
        paying(hand=(10,)),
        [
            (f"{PAY}.cards", "R5.6", "It is 1, and there is no more than 0 to pay with."),
        ],
    ),
    "a card paid that is not in the discard pile": Row(
        paying(cards=0, discard=(95,)),
        paying(cards=0),
        [
            (f"{PAY}.cards", "R5.1", "The cards already paid are not in the discard pile."),
        ],
    ),
    "at the game's end, by no ability": Row(
        at_end(SAILFISH_ON_P1, hands=[(10, 21, 46)], oceans=[{**START_OCEAN, "G1": "11"}, {}], used="G1"),
        at_end(SAILFISH_ON_P1, hands=[(10, 21, 46)], oceans=[{**START_OCEAN, "G1": "11"}, {}]),
        [(PAY, "R9.1", "No ability of this player lets a fish be played there now.")],
    ),
}

BENEFITS, SCATTER = "agenda[0].benefits", "agenda[0].scatter"
UNICORNFISH = FishSource(0, SLOTS_BY_NAME["B1"], 25)
"""Bluespine Unicornfish on B1, if activated: all players hatch."""
SEAROBIN = FishSource(0, SLOTS_BY_NAME["B1"], 138)
"""Armored Searobin on B1, if activated: recover 1, also draw 1 with 3 coral."""
ANGLER = FishSource(0, SLOTS_BY_NAME["B1"], 141)
"""Blackmouth Angler on B1, at the game's end: free play, if no coral lies in its site."""
VELVET = FishSource(0, SLOTS_BY_NAME["P1"], 207)
"""Velvet Belly Lanternshark on P1, when played: scatter 2."""
MANDARINFISH = FishSource(0, SLOTS_BY_NAME["G1"], 131)
"""Mandarinfish on G1, when played: draw 3, egg."""
FLOUNDER = FishSource(0, SLOTS_BY_NAME["P1"], 69)
"""Largetooth Flounder on P1, at the game's end: an egg on each fish of the green site."""


def hatching(seat: int, *left: int) -> GameState:
    step = Benefits(seat, UNICORNFISH, left)
    return asking(DiveOn(0, 2), step, oceans=[{**START_OCEAN, "B1": "25"}, START_OCEAN])


def second_part(blue: int, seat: int = 0) -> GameState:
    step = Benefits(seat, SEAROBIN._replace(is_also=True), (1,))
    return asking(DiveOn(0, 2), step, oceans=[{"B1": "138"}, {}], reefs=[(blue, 0, 0)])


def free_play(blue: int) -> GameState:
    return at_end(
        Benefits(0, ANGLER, (1,)), oceans=[{"B1": "141"}, {}], hands=[(12,)], reefs=[(blue, 0, 0)], used="B1"
    )


def just_played(used: str) -> GameState:
    lying = {"G1": "131", "P1": "11"}
    return at_end(Benefits(0, MANDARINFISH, (3, 1)), oceans=[lying, {}], used=used)


def covering(lying: str) -> GameState:
    """Return the when played of a large fish; a medium one, played first, may have let it be played."""
    step = Benefits(0, FishSource(0, SLOTS_BY_NAME["P1"], 52), (3,))
    return at_end(step, oceans=[{"B1": "149", "P1": lying}, {}], reefs=(), used="B1")


def flounder(used: str) -> GameState:
    return at_end(Benefits(0, FLOUNDER, (1,)), oceans=[{"P1": "69"}, {}], used=used)


def purchase(*steps: Step, **fields: Any) -> GameState:  # noqa: ANN401  whatever `situation` takes
    return asking(*steps, oceans=[START_OCEAN, {}], **fields)


GROUPS = {
    "another way down": Row(
        purchase(*bonus(0, 5, following=6), reefs=()),
        purchase(*bonus(0, 5, following=7), reefs=()),
        [
            ("agenda", "R3.1", "What stands behind the first step does not follow from it."),
        ],
    ),
    "a step that is carried out by itself": Row(
        START,
        asking(DiveOn(0, 2)),
        [
            ("agenda[0]", "R3.3", "The first step asks nothing; it would have been carried out."),
        ],
    ),
    "an end of turn": Row(
        START,
        asking(),
        [
            ("agenda[0]", "R3.3", "The first step asks nothing; it would have been carried out."),
        ],
    ),
    "benefits of nobody": Row(
        hatching(1, 1),
        hatching(2, 1),
        [
            (f"{BENEFITS}.seat", "R3.1", "It is 2 and must be 0 to 1."),
        ],
    ),
    "one benefit more": Row(
        hatching(1, 1),
        hatching(1, 1, 1),
        [
            (f"{BENEFITS}.left", "R7.9", "It has one entry for each benefit that the source prints."),
        ],
    ),
    "a benefit twice": Row(
        hatching(1, 1),
        hatching(1, 2),
        [
            (f"{BENEFITS}.left[0]", "R3.2", "It is 2 and must be 0 to 1."),
        ],
    ),
    "another player's bonus": Row(
        asking(*HATCH),
        asking(*bonus(2, 0, following=1, seat=1)),
        [
            (f"{BENEFITS}.seat", "R6.2", "A bonus belongs to the player who dives."),
        ],
    ),
    "a bonus without a dive": Row(
        asking(*HATCH),
        asking(*HATCH, frame=Frame.TURN),
        [
            ("agenda", "R3.1", "Behind such a step stands end_turn."),
        ],
    ),
    "a bonus of an empty zone": Row(
        asking(*bonus(0, 4, following=6), oceans=[{"B4": "50"}, {}]),
        asking(*bonus(0, 4, following=6)),
        [
            (f"{BENEFITS}.source", "R6.2", "No visible fish lies in this zone of the blue site."),
        ],
    ),
    "a deep bonus that is not used up": Row(
        asking(*DEEP, deep_used=[("blue",)]),
        asking(*DEEP),
        [
            (BENEFITS, "R6.3", "A deep bonus is used up on arrival."),
        ],
    ),
    "a reef in a base game": Row(
        purchase(*bonus(0, 5, following=6), reefs=()),
        purchase(*bonus(0, 5, following=6)),
        [
            (f"{BENEFITS}.source", "R2.4", "There are no reefs in this game."),
        ],
    ),
    "the ability of a fish that does not lie there": Row(
        hatching(1, 1),
        asking(DiveOn(0, 2), Benefits(1, UNICORNFISH, (1,)), oceans=[{"B2": "25"}, {}]),
        [
            (
                f"{BENEFITS}.source",
                "R7.9",
                "It must be a visible fish of the player whose turn or game end it is.",
            ),
        ],
    ),
    "the ability of another player's fish": Row(
        second_part(3),
        second_part(3, seat=1),
        [
            (f"{BENEFITS}.seat", "R7.8", "Only the fish's owner takes part in this ability."),
        ],
    ),
    "a second part with 2 coral": Row(
        second_part(3),
        second_part(2),
        [
            (f"{BENEFITS}.source", "R11.3", "The reef of this fish's site is too small for its second part."),
        ],
    ),
    "an ability whose condition fails": Row(
        free_play(0),
        free_play(1),
        [
            (f"{BENEFITS}.source", "R11.5", "The condition of this ability does not hold."),
        ],
    ),
    "a fish played at the game's end by no ability": Row(
        just_played("P1"),
        just_played(""),
        [
            (f"{BENEFITS}.source", "R9.1", "No ability let this fish be played there now."),
        ],
    ),
    "a large fish played at the game's end by what lets medium ones be played": Row(
        covering("52 <29"),
        covering("52"),
        [(f"{BENEFITS}.source", "R9.1", "No ability let this fish be played there now.")],
    ),
    "a game-end ability at work that is not used": Row(
        flounder("P1"),
        flounder(""),
        [
            (f"{BENEFITS}.source", "R9.1", "A game-end ability at work counts as used."),
        ],
    ),
}

FOUR = {"P1": "207", "P2": "y", "P3": "y", "P4": "302 s", "P5": "2y"}


def scattering(*used: str, left: int = 1, fish: FishSource = VELVET, lying: Ocean = FOUR) -> GameState:
    """Return a scatter that has put young on these slots, with the second one behind it."""
    behind: list[Step] = [AlsoIf(SEAROBIN)] if fish == SEAROBIN else [Benefits(0, fish, (left,))]
    return asking(*behind, Scattering(0, fish, slots(*used)), oceans=[lying, {}], reefs=())


SCATTERS = {
    "by a fish that scatters nothing": Row(
        scattering(),
        scattering(fish=SEAROBIN, lying={"B1": "138"}),
        [
            (f"{SCATTER}.source", "R7.5", "It prints no scatter that has been used."),
        ],
    ),
    "with both scatters left": Row(
        scattering(),
        scattering(left=2),
        [
            (f"{SCATTER}.source", "R7.5", "It prints no scatter that has been used."),
        ],
    ),
    "four young put": Row(
        scattering("P2", "P3", "P4"),
        scattering("P2", "P3", "P4", "P5"),
        [
            (f"{SCATTER}.used", "R7.5", "All young of the school are put."),
        ],
    ),
    "a young gone": Row(
        scattering("P2"),
        scattering("P2", "B2"),
        [
            (f"{SCATTER}.used", "R7.5", "No young of the school lies on B2."),
        ],
    ),
}
