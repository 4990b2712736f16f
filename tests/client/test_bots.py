"""Bots choose legal moves, the same ones again, and the greedy one the better of two."""

import pytest

from finspan import Game, GreedyBot, LocalService, RandomBot
from finspan import play as play_on
from finspan.greedy import Appraisal, turns_left
from finspan.v1 import finspan_pb2 as v1
from tests.client.messages import (
    CATALOG,
    DARTER,
    DIVES,
    GIANT,
    GOBY,
    HUNTER,
    MINNOW,
    OCEAN,
    POLYP,
    legal,
    player,
    position,
    slot,
)

PASS = legal(v1.Move(**{"pass": v1.Pass()}))  # type: ignore[arg-type]  # a keyword of Python


def dive(site: v1.Site.ValueType) -> v1.LegalMove:
    return legal(v1.Move(dive=v1.Dive(site=site)))


def play(card: int, to: v1.Slot.ValueType) -> v1.LegalMove:
    return legal(v1.Move(play_fish=v1.PlayFish(card=card, slot=to)))


def move_young(origin: v1.Slot.ValueType, to: v1.Slot.ValueType) -> v1.LegalMove:
    return legal(v1.Move(move_young=v1.MoveYoung(**{"from": origin, "to": to})))


def gain_coral(site: v1.Site.ValueType) -> v1.LegalMove:
    return legal(v1.Move(gain_coral=v1.GainCoral(site=site)))


def young_on(at: v1.Slot.ValueType) -> v1.LegalMove:
    return legal(v1.Move(place_young=v1.PlaceYoung(slot=at)))


@pytest.mark.parametrize("bot", [RandomBot(1), GreedyBot()], ids=["random", "greedy"])
def test_a_bot_chooses_one_of_the_legal_moves(bot: RandomBot | GreedyBot) -> None:
    assert all(bot.choose(position(*DIVES)) in DIVES for _ in range(20))
    assert bot.choose(position(PASS)) is PASS


def test_a_random_bot_of_the_same_seed_chooses_the_same() -> None:
    one, same, other = (RandomBot(seed) for seed in ("a", "a", "b"))
    choices = [[bot.choose(position(*DIVES)).id for _ in range(30)] for bot in (one, same, other)]
    assert choices[0] == choices[1] != choices[2]


def test_a_random_bot_chooses_every_move_now_and_then() -> None:
    bot = RandomBot(1)
    assert {bot.choose(position(*DIVES)).id for _ in range(60)} == {move.id for move in DIVES}


def test_a_position_tells_who_decides() -> None:
    here = position(*DIVES, me=player(hand=[DARTER], name="Ada"))
    assert (here.seat, here.player.display_name) == (0, "Ada")


BETTER: dict[str, tuple[v1.PlayerState, v1.LegalMove, v1.LegalMove]] = {
    "a card of more points": (player(), play(GIANT, v1.SLOT_B1), play(MINNOW, v1.SLOT_B1)),
    "an empty slot rather than a good fish covered": (
        player(slot(v1.SLOT_B1, MINNOW)),
        play(DARTER, v1.SLOT_B2),
        play(DARTER, v1.SLOT_B1),
    ),
    "a forage fish covered rather than a card": (
        player(slot(v1.SLOT_B1, MINNOW), slot(v1.SLOT_G2, GOBY)),
        play(DARTER, v1.SLOT_G2),
        play(DARTER, v1.SLOT_B1),
    ),
    "to dive rather than to pay two young and a school for four points": (
        player(*OCEAN),
        dive(v1.SITE_BLUE),
        play(HUNTER, v1.SLOT_B6),
    ),
    "a dive whose bonuses are open": (
        player(slot(v1.SLOT_B1, GIANT)),
        dive(v1.SITE_BLUE),
        dive(v1.SITE_PURPLE),
    ),
    "a dive past a fish that is activated": (
        player(slot(v1.SLOT_P1, MINNOW)),
        dive(v1.SITE_PURPLE),
        PASS,
    ),
    "the third young of a slot": (
        player(slot(v1.SLOT_B1, young=2), slot(v1.SLOT_B2, young=1)),
        young_on(v1.SLOT_B1),
        young_on(v1.SLOT_B2),
    ),
    "the second young of a slot rather than one beside a school": (
        player(slot(v1.SLOT_B1, young=1), slot(v1.SLOT_B2, school=True)),
        young_on(v1.SLOT_B1),
        young_on(v1.SLOT_B2),
    ),
    "a young moved to make a school": (
        player(slot(v1.SLOT_B1, young=2), slot(v1.SLOT_B2, young=1)),
        move_young(v1.SLOT_B2, v1.SLOT_B1),
        PASS,
    ),
    "no young moved away from others": (
        player(slot(v1.SLOT_B1, young=2)),
        PASS,
        move_young(v1.SLOT_B1, v1.SLOT_B2),
    ),
    "the lesser card paid": (
        player(),
        legal(v1.Move(pay_card=v1.PayCard(card=MINNOW))),
        legal(v1.Move(pay_card=v1.PayCard(card=GIANT))),
    ),
    "the young paid that is alone": (
        player(slot(v1.SLOT_B1, young=2), slot(v1.SLOT_B2, young=1)),
        legal(v1.Move(pay_young=v1.PayYoung(slot=v1.SLOT_B2))),
        legal(v1.Move(pay_young=v1.PayYoung(slot=v1.SLOT_B1))),
    ),
    "an egg rather than nothing": (
        player(*OCEAN),
        legal(v1.Move(lay_egg=v1.LayEgg(slot=v1.SLOT_B4))),
        PASS,
    ),
    "the egg hatched where young wait": (
        player(slot(v1.SLOT_B1, GIANT, egg=True, young=2), slot(v1.SLOT_G2, GOBY, egg=True)),
        legal(v1.Move(hatch=v1.Hatch(slot=v1.SLOT_B1))),
        legal(v1.Move(hatch=v1.Hatch(slot=v1.SLOT_G2))),
    ),
    "a coral gained rather than nothing": (player(reefs=[0, 0, 0]), gain_coral(v1.SITE_BLUE), PASS),
    "the coral that is nearer to a full reef": (
        player(reefs=[4, 4, 1]),
        gain_coral(v1.SITE_PURPLE),
        gain_coral(v1.SITE_GREEN),
    ),
    "the sixth coral of the reef that is worth most": (
        player(reefs=[5, 5, 5]),
        gain_coral(v1.SITE_PURPLE),
        gain_coral(v1.SITE_BLUE),
    ),
    "a sixth coral rather than a fourth": (
        player(reefs=[3, 3, 5]),
        gain_coral(v1.SITE_GREEN),
        gain_coral(v1.SITE_PURPLE),
    ),
    "a coral for an egg": (
        player(slot(v1.SLOT_B1, GIANT, egg=True), reefs=[0, 0, 0]),
        legal(v1.Move(buy_coral=v1.BuyCoral(egg=v1.SLOT_B1))),
        PASS,
    ),
    "no coral for a young that makes a school with two others": (
        player(slot(v1.SLOT_B1, young=2), reefs=[0, 0, 0]),
        PASS,
        legal(v1.Move(buy_coral=v1.BuyCoral(young=v1.SLOT_B1))),
    ),
    "but for the last one of a reef": (
        player(slot(v1.SLOT_B1, young=2), reefs=[0, 5, 0]),
        legal(v1.Move(buy_coral=v1.BuyCoral(young=v1.SLOT_B1))),
        PASS,
    ),
    "a coral for the lesser card": (
        player(reefs=[0, 0, 0]),
        legal(v1.Move(buy_coral=v1.BuyCoral(card=MINNOW))),
        legal(v1.Move(buy_coral=v1.BuyCoral(card=GIANT))),
    ),
    "no school broken up for four young": (
        player(slot(v1.SLOT_B1, school=True), reefs=[0, 0, 0]),
        PASS,
        legal(v1.Move(scatter=v1.Scatter(slot=v1.SLOT_B1))),
    ),
    "a school broken up that makes two others": (
        player(
            slot(v1.SLOT_B1, school=True),
            slot(v1.SLOT_B2, young=2),
            slot(v1.SLOT_B3, young=2),
            reefs=[0, 0, 0],
        ),
        legal(v1.Move(scatter=v1.Scatter(slot=v1.SLOT_B1))),
        PASS,
    ),
    "a dive past a reef that lacks one coral": (
        player(slot(v1.SLOT_P1, MINNOW), reefs=[5, 0, 0]),
        dive(v1.SITE_BLUE),
        dive(v1.SITE_PURPLE),
    ),
    "a dive past a fish whose second part there is coral for": (
        player(slot(v1.SLOT_P1, POLYP), slot(v1.SLOT_G1, POLYP), reefs=[0, 2, 3]),
        dive(v1.SITE_GREEN),
        dive(v1.SITE_PURPLE),
    ),
    "no school moved for nothing": (
        player(slot(v1.SLOT_B1, school=True)),
        PASS,
        legal(v1.Move(move_school=v1.MoveSchool(to=v1.SLOT_B2))),
    ),
}


@pytest.mark.parametrize("name", BETTER)
def test_the_greedy_bot_prefers(name: str) -> None:
    me, better, worse = BETTER[name]
    for moves in ((better, worse), (worse, better)):
        assert GreedyBot().choose(position(*moves, me=me)) is better


def test_of_moves_that_look_alike_the_first_is_chosen() -> None:
    assert GreedyBot().choose(position(PASS, legal(v1.Move()))) is PASS


def test_a_kind_of_move_of_a_newer_contract_is_worth_nothing() -> None:
    assert Appraisal(player(), CATALOG, 24).worth(v1.Move()) == 0


@pytest.mark.parametrize(("week", "divers", "left"), [(1, 6, 24), (4, 1, 1), (4, 0, 0)])
def test_turns_left(week: int, divers: int, left: int) -> None:
    here = position(*DIVES, me=v1.PlayerState(divers_left=divers), week=week)
    assert turns_left(here) == left


@pytest.mark.parametrize(
    ("benefit", "eggs"),
    [
        (v1.BenefitInfo(), 2),
        (v1.BenefitInfo(site=v1.SITE_BLUE), 1),
        (v1.BenefitInfo(row=2), 1),
        (v1.BenefitInfo(size=v1.SIZE_SMALL), 1),
        (v1.BenefitInfo(tag=v1.TAG_PREDATOR), 1),
        (v1.BenefitInfo(tag=v1.TAG_ELECTRIC), 0),
    ],
    ids=["all", "site", "row", "size", "tag", "none"],
)
def test_an_egg_on_each_counts_the_fish_that_fit_and_have_none(benefit: v1.BenefitInfo, eggs: int) -> None:
    ocean = (
        slot(v1.SLOT_B1, GIANT, egg=True),
        slot(v1.SLOT_B4, DARTER),
        slot(v1.SLOT_G2, GOBY),
    )
    assert Appraisal(player(*ocean), CATALOG, 24).each(benefit) == eggs


@pytest.mark.parametrize(
    ("benefit", "worth"),
    [
        (v1.BenefitInfo(verb=v1.VERB_GAIN_CORAL, count=1, site=v1.SITE_GREEN), 0),
        (v1.BenefitInfo(verb=v1.VERB_BUY_CORAL, count=1, site=v1.SITE_GREEN), 0),
        (v1.BenefitInfo(verb=v1.VERB_GAIN_CORAL, count=1), 1),
        (v1.BenefitInfo(verb=v1.VERB_GAIN_CORAL, count=2, site=v1.SITE_BLUE), 2),
    ],
    ids=["full reef", "purchase for it", "any reef", "two"],
)
def test_a_full_reef_takes_no_coral(benefit: v1.BenefitInfo, worth: float) -> None:
    appraisal = Appraisal(player(reefs=[0, 0, 6]), CATALOG, 24)
    assert appraisal.benefits([benefit]) == pytest.approx(worth, abs=0.6)
    assert (appraisal.benefits([benefit]) == 0) == (worth == 0)


def test_without_reefs_nothing_of_them_is_worth_anything() -> None:
    verbs = (v1.VERB_GAIN_CORAL, v1.VERB_BUY_CORAL)
    appraisal = Appraisal(player(), CATALOG, 24)
    assert appraisal.benefits(v1.BenefitInfo(verb=verb, count=1, site=v1.SITE_BLUE) for verb in verbs) == 0
    assert not any(
        appraisal.gives(bonus) for bonus in CATALOG.bonuses(v1.SITE_BLUE) if bonus.stop == v1.DIVE_STOP_REEF
    )


@pytest.mark.parametrize("bots", [[GreedyBot(), RandomBot(1)], [RandomBot(1), RandomBot(2), GreedyBot()]])
def test_bots_play_with_reefs_to_the_end(local: LocalService, bots: list[GreedyBot | RandomBot]) -> None:
    game = Game.new(local, len(bots), seed="reefs", expansions=["sharks_and_reefs"])
    *_, last = play_on(game, bots)
    assert last.after.is_over
    assert sum(score.coral for score in last.after.score().players) > 0
