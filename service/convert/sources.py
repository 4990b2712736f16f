"""Where decisions, groups of benefits and events come from, both ways."""

from collections.abc import Callable
from typing import Any, Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.reading import (
    Faults,
    Fields,
    note,
    note_unknown,
    read_card,
    read_given,
    read_site,
    read_slot,
)
from service.engine.cards import STOPS
from service.engine.events import BonusSource, FishSource, GroupSource, RuleSource, Source


def read_stop(number: int, field: str, faults: Faults) -> int:
    """Return the dive stop of a number of the contract."""
    if number - 1 not in STOPS:
        note_unknown(faults, field, "dive stop", number)
    return number - 1


def read_fish_source(message: pb.FishSource, field: str, faults: Faults) -> FishSource:
    """Return the fish that a message names."""
    return FishSource(
        read_given(message, "seat", f"{field}.", faults),
        read_slot(message.slot, f"{field}.slot", faults),
        read_card(message.card, f"{field}.card", faults),
        message.also,
    )


def read_giver(message: pb.Source, field: str, faults: Faults) -> GroupSource:
    """Return a source that gives benefits: a fish or a bonus; a rule gives none."""
    if message.HasField("fish"):
        return read_fish_source(message.fish, f"{field}.fish", faults)
    if message.HasField("bonus"):
        return BonusSource(
            read_site(message.bonus.site, f"{field}.bonus.site", faults),
            read_stop(message.bonus.stop, f"{field}.bonus.stop", faults),
        )
    note(faults, field, "It must be a fish or a bonus.")
    return BonusSource(0, STOPS[0])


def fish_source_fields(source: FishSource) -> Fields:
    """Return the fields of a message that names a fish."""
    fields: Fields = {"seat": source.seat, "slot": source.slot + 1, "card": source.card}
    if source.is_also:
        fields["also"] = True
    return fields


_FIELDS: Final[dict[type[Source], Callable[[Any], Fields]]] = {
    FishSource: lambda source: {"fish": fish_source_fields(source)},
    BonusSource: lambda source: {"bonus": {"site": source.site + 1, "stop": source.stop + 1}},
    RuleSource: lambda source: {"rule": source.rule},
}


def source_fields(source: Source) -> Fields:
    """Return the fields of a message that says where something comes from."""
    return _FIELDS[type(source)](source)
