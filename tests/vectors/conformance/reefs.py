"""Positions of Sharks & Reefs, laid out by hand; together they show every kind of thing that only it has."""

from typing import Final

from service.engine.state import Frame
from tests.table import START_OCEAN, situation
from tests.vectors.conformance.positions import Cases, line

REEFS: Final[Cases] = {
    "R11.2, R11.3: a dive in the blue site, an ability with a second part, a coral for an egg": line(
        situation(
            oceans=[{"B1": "138", "G2": "301 e", "B5": "303 e"}, START_OCEAN],
            discards=[(12, 13, 14)],
            reefs=[(3, 0, 0)],
        ),
        "? buy_coral:egg:G2",
        "dive:blue draw",
        "recover:12",
        "draw",
        "? buy_coral:egg:B1 buy_coral:young:P3 coral:blue",
        "buy_coral:egg:G2",
    ),
    "R11.2: a coral for a young, one for a card, and a full reef that takes none": line(
        situation(
            oceans=[{"P3": "2y", "B1": "y"}, START_OCEAN],
            hands=[(16,), (3, 131)],
            reefs=[(6, 1, 0)],
        ),
        "?",
        "dive:purple pass",
        "buy_coral:young:P3 pass dive:green pass",
        "buy_coral:card:131 pass dive:blue",
    ),
    "R7.6, R11.4: coral that a card needs, coral gained, and one young where no school is broken up": line(
        situation(oceans=[START_OCEAN, START_OCEAN], hands=[(151, 210)], reefs=[(2, 0, 1)]),
        "? play:151@P1 play:151@B4 play:210@B1 coral:blue",
        "play:151@B1 pay_egg:G2",
        "? coral:green scatter:B1",
        "coral:blue young:P3",
    ),
    "R7.5: a school is broken up, and what lay beside it forms a new one": line(
        situation(
            oceans=[{"P1": "61 s 3y", "G2": "301"}, START_OCEAN], hands=[(16, 131, 207)], reefs=[(0, 0, 0)]
        ),
        "? scatter:P1",
        "play:207@G1",
        "? scatter:G2 young:P1",
        "scatter:P1",
        "young:P1",
        "? young:P1 pass",
        "young:B1 young:B2 young:G2",
    ),
    "R7.4, R7.8: any fish consumes, in an ability in which all players take part": line(
        situation(
            oceans=[
                {"B1": "61", "B5": "303 e", "G2": "301 e", "P3": "y"},
                {"P1": "57", "B5": "303 e", "G2": "301", "P3": "y"},
            ],
            hands=[(3, 16, 131, 203), (126,)],
            reefs=(),
        ),
        "?",
        "play:203@G1 pay_card:3 pay_egg:B5",
        "? consume:16@B5",
        "consume:131@B1 hatch:G2",
        "consume:126@P1",
    ),
    "R5.8: a play free of its cost, among the cards of a size": line(
        situation(hands=[(16, 131, 154, 170)], reefs=[(0, 0, 1)]),
        "? play:154@B1",
        "play:170@P1 pay_egg:G2",
        "? play:16@G1",
        "play:131@B1",
    ),
    "R11.3: a condition that comes to hold before the first part is over, which is declined": line(
        situation(
            oceans=[{"P4": "214 <302", "P5": "180", "G2": "301 e", "P3": "y"}, START_OCEAN],
            reefs=[(0, 2, 0)],
        ),
        "?",
        "dive:purple pass buy_coral:young:P3",
        "? coral:green",
        "pass",
        "coral:green pass egg:P5",
        "draw",
    ),
    "R11.5: game-end abilities that ask for coral, or for none": line(
        situation(
            oceans=[
                {"P1": "141", "B1": "174", "G6": "209", "G2": "301 e", "B5": "303 e"},
                START_OCEAN,
            ],
            hands=[(16, 131, 205), ()],
            reefs=[(4, 0, 5), (1, 2, 3)],
            week=4,
            turn=6,
            frame=Frame.GAME_END,
        ),
        "? activate:G2",
        "activate:P1 play:16@P5",
        "pass pass activate:B1",
        "coral:purple coral:blue",
        "? activate:P1",
    ),
    "R9.2: the points of coral, of full reefs and of what asks for it": line(
        situation(
            oceans=[{"P1": "206"}, {"G1": "202"}, START_OCEAN],
            reefs=[(6, 6, 6), (3, 3, 2), (0, 5, 0)],
            week=4,
            turn=6,
            frame=Frame.GAME_OVER,
        ),
        "? dive:blue",
    ),
    "R8.3: a week whose achievement counts coral": line(
        situation(
            oceans=[START_OCEAN, START_OCEAN],
            reefs=[(2, 0, 1), (0, 4, 0)],
            turn=6,
            seat=1,
            side="b",
            tiles=("s1_coral", "s2_tag_kinds", "s3_reef_bonuses"),
        ),
        "?",
        "dive:green pass pass",
    ),
}
