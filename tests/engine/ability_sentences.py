"""Abilities as sentences, straight from the notation of the data file; nothing of the engine is asked.

A second opinion on the texts of the service: what the notation means is written down here once more, verb by
verb. Each card has at most one filter on what it lets be played or laid on, and no more is understood.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

Facts = Mapping[str, Any]

TRIGGERS: Final = {"when_played": "When played", "if_activated": "If activated", "game_end": "Game end"}

COUNTED: Final = {
    "draw": ("draw 1 card", "draw {} cards"),
    "recover": ("recover 1 card from your discard pile", "recover {} cards from your discard pile"),
    "egg": ("lay 1 egg", "lay {} eggs"),
    "hatch": ("hatch 1 egg", "hatch {} eggs"),
    "young": ("put 1 young on any slot", "put {} young, each on any slot"),
    "move": ("move a young or a school", "move a young or a school {} times (any one each time)"),
    "scatter": ("scatter 1 school", "scatter {} schools"),
    "consume_by_this": (
        "let this fish consume 1 shorter card from hand",
        "let this fish consume {} shorter cards from hand",
    ),
    "consume_by_any": (
        "let any one of your fish cards consume 1 shorter card from hand",
        "let any one of your fish cards consume 1 shorter card from hand {} times (any of them each time)",
    ),
}
"""What is done once, and what is done several times."""

EGG_EACH: Final = {
    "site": "lay an egg on each of your fish that lie in the {} site and have no egg",
    "row": "lay an egg on each of your fish that lie in the {} row and have no egg",
    "size": "lay an egg on each of your {} fish that have no egg",
    "tag": "lay an egg on each of your fish that have the {} tag and no egg",
}
PLAY: Final = {
    "site": "play a fish in the {} site",
    "row": "play a fish in the {} row",
    "size": "play a {} fish",
    "tag": "play a fish with the {} tag",
    "min_coral": "play a fish in a site with at least {} coral",
}

ON_THIS: Final = {
    "no_tokens": "no egg, young or school is on this fish",
    "school": "a school is on this fish",
    "egg_and_young_and_school": "an egg, a young and a school are on this fish",
}
CONDITIONS: Final = {
    "young_on_this_exactly": "exactly {} young are on this fish",
    "this_in_row": "this fish is in the {} row",
    "every_site_coral_at_least": "each of your sites holds at least {} coral",
    "some_site_coral_at_least": "one of your sites holds at least {} coral",
}


def listed(parts: Sequence[str]) -> str:
    return " and ".join([part for part in (", ".join(parts[:-1]), parts[-1]) if part])


def only_item(facts: Facts, *but: str) -> tuple[str, Any]:
    """Return the one entry that there is beside these, with its value."""
    (item,) = ((name, value) for name, value in facts.items() if name not in but)
    return item


def playing(benefit: Facts) -> str:
    price = " for free" if benefit.get("free") else ", paying its cost"
    filters = {name: value for name, value in benefit.items() if name not in {"do", "free"}}
    if not filters:
        return f"play a fish{price}"
    name, value = only_item(filters)
    if name == "zone":
        return f"play a fish in the {value.capitalize()} zone{price}"
    return PLAY[name].format(value) + price


def coral(benefit: Facts) -> str:
    count, colour = benefit["count"], benefit["color"]
    if colour == "any":
        return f"gain {count} coral of any colour{'s' * (count > 1)}"
    return f"gain {count} {colour} coral"


def doing(benefit: Facts) -> str:
    verb = benefit["do"]
    if verb == "egg_each":
        name, value = only_item(benefit, "do")
        return EGG_EACH[name].format(value)
    if verb == "play":
        return playing(benefit)
    if verb == "coral":
        return coral(benefit)
    once, often = COUNTED[verb]
    count = benefit["count"]
    return once if count == 1 else often.format(count)


def all_of(benefits: Sequence[Facts]) -> str:
    """Return benefits in a row; several colours of coral are gained in one breath."""
    if all(benefit["do"] == "coral" and benefit["color"] != "any" for benefit in benefits):
        colours = ["{count} {color}".format(**benefit) for benefit in benefits]
        return f"gain {listed(colours)} coral"
    return listed([*map(doing, benefits)])


def provided(condition: Facts) -> str:
    name, value = only_item(condition)
    if name == "on_this":
        return ON_THIS[value]
    if name == "consumed_under_this_at_least":
        return f"at least {value} consumed fish {'lies' if value == 1 else 'lie'} under this fish"
    if name == "this_site_coral":
        return f"this fish's site holds at least {value['at_least']} {value['color']} coral"
    if name == "this_site_coral_none":
        return "this fish's site holds no coral"
    return CONDITIONS[name].format(value)


def sentence(card: Facts) -> str:
    """Return what a card of the data file does."""
    ability = card["ability"]
    text = TRIGGERS[ability["trigger"]]
    if ability["all_players"]:
        text += ", all players"
    if "if" in ability:
        text += f", if {provided(ability['if'])}"
    if "score" in ability:
        score = ability["score"]
        return f"{text}: {score['points']} points if {provided(score['if'])}."
    text += f": {all_of(ability['benefits'])}"
    if "bonus" in ability:
        bonus = ability["bonus"]
        text += f"; also, if {provided(bonus['if'])}, {all_of(bonus['benefits'])}"
    return f"{text}."
