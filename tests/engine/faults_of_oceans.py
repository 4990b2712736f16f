"""States with one thing wrong with their cards, and with what lies in oceans and reefs."""

from service.engine.ocean import SLOTS_BY_NAME
from service.engine.state import GameState
from tests.engine.faults_at_the_table import START, Row, but, but_for, laid, ocean

FIVE = laid(oceans=[{}] * 5, hands=[[126]])
CARDS = {
    "five undealt": Row(
        START,
        but(START, undealt=START.undealt[:-1], deck=[*START.deck, 135]),
        [
            (
                "undealt_starters",
                "R2.1",
                "List exactly the 6 starter cards of the sets in play that nobody was dealt.",
            ),
        ],
    ),
    "one undealt with five players": Row(
        FIVE,
        but(FIVE, undealt=(135,), deck=[card for card in FIVE.deck if card != 135]),
        [
            ("undealt_starters", "R2.1", "All starter cards of the sets in play were dealt: list none."),
        ],
    ),
    "a card in two places": Row(
        laid(hands=[[1]]),
        but_for(0, START, hand=[1]),
        [
            ("players[0].hand", "R1.3", "Card 1 lies in 2 places."),
        ],
    ),
    "two cards in two places": Row(
        laid(hands=[[1, 126]]),
        but_for(0, START, hand=[1, 135]),
        [
            ("players[0].hand", "R1.3", "Card 1 lies in 2 places."),
            ("players[0].hand", "R1.3", "Card 135 lies in 2 places."),
        ],
    ),
    "a card twice among the undealt": Row(
        START,
        but(START, undealt=(130, 131, 132, 133, 134, 134)),
        [
            ("undealt_starters", "R1.3", "Card 134 lies in 2 places."),
            ("open.deck", "R1.3", "Card 135 lies nowhere."),
        ],
    ),
    "a card of another set in the deck": Row(
        START,
        but(START, deck=[*START.deck, 136]),
        [("open.deck", "R2.4", "Card 136 does not belong to the sets in play.")],
    ),
    "a card of another set in a discard pile": Row(
        laid(discards=[[], [1]]),
        but_for(1, START, discard=[136]),
        [("players[1].discard_pile", "R2.4", "Card 136 does not belong to the sets in play.")],
    ),
    "a card of another set in an ocean": Row(
        ocean({"B1": "57"}),
        ocean({"B1": "190"}),
        [("players[0].ocean[B1].fish", "R2.4", "Card 190 does not belong to the sets in play.")],
    ),
    "a card of another set under a fish": Row(
        ocean({"B1": "57 <34"}),
        ocean({"B1": "57 <190"}),
        [("players[0].ocean[B1].consumed", "R2.4", "Card 190 does not belong to the sets in play.")],
    ),
    "a card of another set": Row(
        laid(hands=[[136]], reefs=()),
        laid(hands=[[136]]),
        [
            ("players[0].hand", "R2.4", "Card 136 does not belong to the sets in play."),
        ],
    ),
    "a card that lies nowhere": Row(
        START,
        but(START, deck=START.deck[1:]),
        [
            ("open.deck", "R1.3", f"Card {START.deck[0]} lies nowhere."),
        ],
    ),
    "a forage fish in hand": Row(
        START,
        but_for(1, START, hand=[302]),
        [
            ("players[1].hand", "R1.5", "Showy Bristlemouth is printed on the ocean."),
        ],
    ),
    "a forage fish in a discard pile": Row(
        START,
        but_for(0, START, discard=[301]),
        [
            ("players[0].discard_pile", "R1.5", "Catalina Goby is printed on the ocean."),
        ],
    ),
}

B1, B5, G2, P4 = (f"players[0].ocean[{name}]" for name in ("B1", "B5", "G2", "P4"))
GONE = "Glasshead Grenadier is printed on B5 and lies there or under a fish there."


def without_fish(state: GameState, name: str) -> GameState:
    """Return a copy of a state without the fish on a slot; all else stays there."""
    slot = SLOTS_BY_NAME[name]
    player = state.players[0]
    fish = [0 if index == slot else card for index, card in enumerate(player.fish)]
    missing = but_for(0, state, fish=fish, occupied=player.occupied & ~(1 << slot))
    return but(missing, deck=[*state.deck, player.fish[slot]])


OCEANS = {
    "a forage fish gone": Row(ocean({"B5": "57 <303"}), ocean({"B5": "57"}), [(B5, "R1.5", GONE)]),
    "a forage fish elsewhere": Row(
        ocean({"G2": "52 <301"}),
        ocean({"B1": "301", "G2": "52"}),
        [
            (f"{B1}.fish", "R1.5", "Catalina Goby is printed on G2, and this is B1."),
            (G2, "R1.5", "Catalina Goby is printed on G2 and lies there or under a fish there."),
        ],
    ),
    "a fish in the wrong zone": Row(
        ocean({"P1": "95"}),
        ocean({"P4": "95 <302"}),
        [
            (f"{P4}.fish", "R5.3", "Red Lionfish lives in the Sunlight zone, and P4 is elsewhere."),
        ],
    ),
    "a fish in the wrong site": Row(
        ocean({"B1": "12"}),
        ocean({"P1": "12"}),
        [
            (
                "players[0].ocean[P1].fish",
                "R5.3",
                "Atlantic Sturgeon belongs to the blue site, and P1 is elsewhere.",
            ),
        ],
    ),
    "a fish in the wrong row": Row(
        ocean({"B6": "44"}),
        ocean({"B5": "44 <303"}),
        [
            (f"{B5}.fish", "R5.3", "Faceless Cusk goes to row 6 only, and B5 is elsewhere."),
        ],
    ),
    "something under no fish": Row(
        ocean({"B1": "57 <131"}),
        without_fish(ocean({"B1": "57 <131"}), "B1"),
        [
            (f"{B1}.consumed", "R5.4", "Consumed fish lie under a visible fish, and there is none."),
        ],
    ),
    "an egg on no fish": Row(
        ocean({"B2": "57 e"}),
        without_fish(ocean({"B2": "57 e"}), "B2"),
        [
            ("players[0].ocean[B2].egg", "R4.1", "An egg lies on a visible fish, and there is none."),
        ],
    ),
    "100 young": Row(
        ocean({"B1": "99y s"}),
        ocean({"B1": "100y s"}),
        [
            (f"{B1}.young", "R4.1", "It is 100 and must be 0 to 99."),
        ],
    ),
    "105 young after 5 moves": Row(
        but(ocean({"B1": "104y s"}), version=5),
        but(ocean({"B1": "105y s"}), version=5),
        [
            (f"{B1}.young", "R4.1", "It is 105 and must be 0 to 104."),
        ],
    ),
    "three young": Row(
        ocean({"B1": "2y"}),
        ocean({"B1": "3y"}),
        [
            (f"{B1}.young", "R4.2", "Three young without a school would have become a school."),
        ],
    ),
    "a fish under one as long": Row(
        ocean({"B1": "34 <131"}),
        ocean({"B1": "34 <24"}),
        [
            (f"{B1}.consumed", "R5.4", "Blue Tang is not shorter than Creolefish."),
        ],
    ),
    "a fish under one that is shorter": Row(
        ocean({"B1": "24 <131"}),
        ocean({"B1": "131 <24"}),
        [
            (f"{B1}.consumed", "R5.4", "Blue Tang is not shorter than Mandarinfish."),
        ],
    ),
    "a fish as long as the only one that eats": Row(
        ocean({"B1": "57 <22,34"}),
        ocean({"B1": "57 <34,103"}),
        [
            (
                f"{B1}.consumed",
                "R7.4",
                "Silver Lightfish cannot be played here, and no fish here could eat it.",
            ),
        ],
    ),
    "a fish that nothing could eat": Row(
        ocean({"B1": "34 <22"}),
        ocean({"B1": "57 <22"}),
        [
            (
                f"{B1}.consumed",
                "R7.4",
                "Black Swallower cannot be played here, and no fish here could eat it.",
            ),
        ],
    ),
    "a fish under a forage fish": Row(
        laid(reefs=()),
        ocean({"P4": "302 <94"}, reefs=()),
        [
            (f"{P4}.consumed", "R7.4", "Showy Bristlemouth never consumes."),
        ],
    ),
    "seven coral": Row(
        laid(reefs=[(6, 0, 0)]),
        laid(reefs=[(0, 7, 0)]),
        [
            ("players[0].reefs[1]", "R11.1", "It is 7 and must be 0 to 6."),
        ],
    ),
    "coral in a base game": Row(
        laid(reefs=[(0, 0, 1)]),
        but_for(0, START, reefs=[0, 0, 1]),
        [
            ("players[0].reefs[2]", "R11.1", "Reefs are there with Sharks & Reefs only."),
        ],
    ),
    "too little coral": Row(
        ocean({"P3": "204"}, reefs=[(0, 2, 0)]),
        ocean({"P3": "204"}, reefs=[(6, 1, 6)]),
        [
            (
                "players[0].ocean[P3].fish",
                "R11.4",
                "Tomato Clownfish needs more coral in the reef of this site.",
            ),
        ],
    ),
}
