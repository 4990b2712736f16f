"""Hand-made messages: a small catalogue, an ocean, a position, and a service that needs no server."""

from collections.abc import Iterable
from typing import TypeVar, cast

from google.protobuf.message import Message

from finspan import Call, Catalog, LegalMoves, Position, Service
from finspan.v1 import finspan_pb2 as v1

Reply = TypeVar("Reply", bound=Message)

MINNOW, DARTER, HUNTER, GIANT, POLYP, GOBY = 1, 2, 3, 4, 138, 301
ZONES = (v1.ZONE_SUNLIGHT,) * 3 + (v1.ZONE_TWILIGHT,) + (v1.ZONE_MIDNIGHT,) * 2


def ability(trigger: v1.Trigger.ValueType, verb: v1.Verb.ValueType, count: int = 1) -> v1.AbilityInfo:
    benefit = v1.BenefitInfo(verb=verb, count=count)
    return v1.AbilityInfo(trigger=trigger, benefits=[benefit], text=f"{count} of {v1.Verb.Name(verb)}.")


CARDS = (
    v1.CardInfo(
        id=MINNOW,
        name="Minnow",
        zones=[v1.ZONE_SUNLIGHT],
        points=1,
        length_cm=5,
        size=v1.SIZE_SMALL,
        ability=ability(v1.TRIGGER_IF_ACTIVATED, v1.VERB_DRAW),
    ),
    v1.CardInfo(
        id=DARTER,
        name="Darter",
        cost=v1.CostInfo(cards=1, eggs=1),
        zones=[v1.ZONE_SUNLIGHT, v1.ZONE_TWILIGHT],
        site=v1.SITE_BLUE,
        points=6,
        length_cm=60,
        size=v1.SIZE_MEDIUM,
        tags=[v1.TAG_PREDATOR, v1.TAG_PREDATOR],
        ability=ability(v1.TRIGGER_WHEN_PLAYED, v1.VERB_LAY_EGG, 2),
    ),
    v1.CardInfo(
        id=HUNTER,
        name="Hunter",
        cost=v1.CostInfo(young=2, schools=1, consume=True),
        zones=[v1.ZONE_MIDNIGHT],
        row=6,
        points=4,
        length_cm=160,
        size=v1.SIZE_LARGE,
        tags=[v1.TAG_VENOMOUS],
        ability=v1.AbilityInfo(trigger=v1.TRIGGER_GAME_END, text="3 points if it has a school."),
    ),
    v1.CardInfo(
        id=POLYP,
        name="Polyp Eater",
        zones=[v1.ZONE_SUNLIGHT],
        points=2,
        length_cm=20,
        size=v1.SIZE_SMALL,
        expansion=v1.EXPANSION_SHARKS_AND_REEFS,
        needs_coral=v1.CoralNeedInfo(at_least=2),
        ability=v1.AbilityInfo(
            trigger=v1.TRIGGER_IF_ACTIVATED,
            also=v1.AlsoIfInfo(
                condition=v1.ConditionInfo(kind=v1.CONDITION_KIND_SITE_CORAL_AT_LEAST, number=3),
                benefits=[v1.BenefitInfo(verb=v1.VERB_DRAW, count=2)],
            ),
            text="If activated.",
        ),
    ),
    v1.CardInfo(
        id=GIANT,
        name="A Giant with One of the Longest Names",
        points=9,
        length_cm=900,
        size=v1.SIZE_LARGE,
    ),
)


def _slot_info(index: int) -> v1.SlotInfo:
    site, row = index // 6 + 1, index % 6 + 1
    return v1.SlotInfo(
        slot=v1.Slot.ValueType(index + 1),
        name=f"{'BPG'[site - 1]}{row}",
        site=v1.Site.ValueType(site),
        zone=ZONES[row - 1],
        row=row,
    )


def _bonus(
    at: v1.Site.ValueType,
    stop: v1.DiveStop.ValueType,
    verb: v1.Verb.ValueType,
    count: int = 1,
    site: v1.Site.ValueType = v1.SITE_UNSPECIFIED,
) -> v1.BonusInfo:
    return v1.BonusInfo(site=at, stop=stop, benefits=[v1.BenefitInfo(verb=verb, count=count, site=site)])


CATALOG = Catalog(
    v1.GetCatalogResponse(
        rules_version="7",
        cards=CARDS,
        forage_fish=[
            v1.ForageFishInfo(id=GOBY, name="Goby", length_cm=1, slot=v1.SLOT_G2, size=v1.SIZE_SMALL)
        ],
        achievements=[v1.AchievementInfo(id="a1", week=1, text="Week 1: 1 point for each egg.")],
        slots=map(_slot_info, range(18)),
        bonuses=[
            _bonus(v1.SITE_BLUE, v1.DIVE_STOP_SUNLIGHT_BONUS, v1.VERB_DRAW),
            _bonus(v1.SITE_BLUE, v1.DIVE_STOP_REEF, v1.VERB_BUY_CORAL, site=v1.SITE_BLUE),
            _bonus(v1.SITE_BLUE, v1.DIVE_STOP_DEEP_BONUS, v1.VERB_RECOVER),
            _bonus(v1.SITE_GREEN, v1.DIVE_STOP_SUNLIGHT_BONUS, v1.VERB_LAY_EGG),
            _bonus(v1.SITE_GREEN, v1.DIVE_STOP_DEEP_BONUS, v1.VERB_PLACE_YOUNG, 2),
        ],
        rules=[v1.RuleInfo(id="R5.3", text="Where.")],
        rulings=[v1.RulingInfo(id="RU05", ruling="All or none.")],
    )
)


def slot(slot: v1.Slot.ValueType, fish: int | None = None, **contents: object) -> v1.SlotState:
    return v1.SlotState(slot=slot, fish=fish, **contents)  # type: ignore[arg-type]  # what is named, as it is


OCEAN = (
    slot(v1.SLOT_B1, GIANT, egg=True, young=2, school=True, consumed=[MINNOW, GOBY]),
    slot(v1.SLOT_B4, DARTER),
    slot(v1.SLOT_P3, young=1),
    slot(v1.SLOT_G2, GOBY, egg=True),
)


def player(
    *ocean: v1.SlotState, hand: Iterable[int] = (), name: str = "", reefs: Iterable[int] = ()
) -> v1.PlayerState:
    return v1.PlayerState(ocean=ocean, hand=hand, display_name=name, divers_left=6, reefs=reefs)


def dive(site: v1.Site.ValueType) -> v1.LegalMove:
    name = v1.Site.Name(site).removeprefix("SITE_").lower()
    return v1.LegalMove(
        move=v1.Move(dive=v1.Dive(site=site)), id=f"dive:{name}", text=f"Dive in the {name} site"
    )


DIVES = (dive(v1.SITE_BLUE), dive(v1.SITE_PURPLE), dive(v1.SITE_GREEN))


def legal(move: v1.Move) -> v1.LegalMove:
    return v1.LegalMove(move=move, id=str(move.WhichOneof("move")))


def position(*legal_moves: v1.LegalMove, me: v1.PlayerState | None = None, week: int = 1) -> Position:
    state = v1.GameState(players=[me or player(*OCEAN)], week=week, turn=1, seat=0)
    decision = v1.Decision(seat=0, kind=v1.DECISION_KIND_TURN)
    return Position(state, decision, LegalMoves(legal_moves), CATALOG)


class DivesOnly(Service):
    """A game without rules, in which two players dive in turn: one turn a week, and after four it is over."""

    def __init__(self) -> None:
        self.calls: list[Call[Message]] = []

    def send(self, call: Call[Reply]) -> Reply:
        self.calls.append(cast("Call[Message]", call))
        return cast("Reply", getattr(self, f"_{call.method}")(call.request))

    def _GetCatalog(self, _request: v1.GetCatalogRequest) -> v1.GetCatalogResponse:  # noqa: N802
        return CATALOG.reply

    def _NewGame(self, request: v1.NewGameRequest) -> v1.NewGameResponse:  # noqa: N802
        state = self._state(0, list(request.display_names))
        return v1.NewGameResponse(state=state, decision=v1.Decision(seat=0), legal_moves=DIVES)

    def _ApplyMove(self, request: v1.ApplyMoveRequest) -> v1.ApplyMoveResponse:  # noqa: N802
        state = self._state(request.state.version + 1, [one.display_name for one in request.state.players])
        over = state.version == 8
        return v1.ApplyMoveResponse(
            state=state,
            decision=None if over else v1.Decision(seat=state.seat),
            legal_moves=() if over else DIVES,
            version=state.version,
            digest=f"d{state.version}",
            over=over,
        )

    def _Score(self, request: v1.ScoreRequest) -> v1.ScoreResponse:  # noqa: N802
        version = request.state.version
        return v1.ScoreResponse(
            players=[v1.PlayerScore(seat=seat, eggs=version, total=version + seat) for seat in (0, 1)],
            over=version == 8,
            winners=[1] if version == 8 else [],
        )

    def _state(self, version: int, names: list[str]) -> v1.GameState:
        players = [player(*OCEAN, name=name) for name in names]
        week = min(version // 2 + 1, 4)
        return v1.GameState(
            version=version,
            rules_version="7",
            players=players,
            week=week,
            turn=1,
            seat=version % 2,
            achievements=["a1"],
        )
