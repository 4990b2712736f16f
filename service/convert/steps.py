"""The steps of an agenda, both ways."""

from collections.abc import Callable
from typing import Any, Final

from finspan.v1 import finspan_pb2 as pb
from service.convert.reading import (
    Faults,
    Fields,
    is_short,
    note,
    read_card,
    read_given,
    read_set,
    read_site,
    read_slot,
)
from service.convert.sources import (
    fish_source_fields,
    read_fish_source,
    read_giver,
    read_stop,
    source_fields,
)
from service.engine.ocean import slots_in
from service.engine.state import AllPlayers, AlsoIf, Benefits, DiveOn, Frame, Pay, Scattering, Step

MAX_STEPS: Final = 64
"""An agenda with more steps is not even read; those of real games have a handful."""
MAX_BENEFITS: Final = 16
"""No group of benefits has so many."""


def _read_pay(step: pb.PayStep, field: str, faults: Faults) -> Pay:
    card = read_card(step.card, f"{field}.card", faults)
    slot = read_slot(step.slot, f"{field}.slot", faults)
    return Pay(card, slot, step.cards, step.eggs, step.young, step.schools)


def _read_benefits(step: pb.BenefitsStep, field: str, faults: Faults) -> Benefits:
    seat = read_given(step, "seat", f"{field}.", faults)
    source = read_giver(step.source, f"{field}.source", faults)
    left = tuple(step.left) if is_short(step.left, MAX_BENEFITS, field, "left", faults) else ()
    return Benefits(seat, source, left)


def _read_all_players(step: pb.AllPlayersStep, field: str, faults: Faults) -> AllPlayers:
    fish = read_fish_source(step.fish, f"{field}.fish", faults)
    return AllPlayers(fish, read_given(step, "next_seat", f"{field}.", faults))


def _read_dive(step: pb.DiveStep, field: str, faults: Faults) -> DiveOn:
    site = read_site(step.site, f"{field}.site", faults)
    return DiveOn(site, read_stop(step.next_stop, f"{field}.next_stop", faults))


def _read_scatter(step: pb.ScatterStep, field: str, faults: Faults) -> Scattering:
    seat = read_given(step, "seat", f"{field}.", faults)
    source = read_giver(step.source, f"{field}.source", faults)
    return Scattering(seat, source, read_set(step.used, read_slot, field, "used", faults))


def _read_also_if(step: pb.AlsoIfStep, field: str, faults: Faults) -> AlsoIf:
    return AlsoIf(read_fish_source(step.fish, f"{field}.fish", faults))


def _read_frame(frame: Frame) -> Callable[[object, str, Faults], Frame]:
    return lambda _message, _field, _faults: frame


_READ: Final[dict[str, Callable[[Any, str, Faults], Step]]] = {
    **{frame.value: _read_frame(frame) for frame in Frame},
    "pay": _read_pay,
    "benefits": _read_benefits,
    "all_players": _read_all_players,
    "dive": _read_dive,
    "scatter": _read_scatter,
    "also_if": _read_also_if,
}


def read_agenda(message: pb.GameState, faults: Faults) -> list[Step]:
    """Return a state's agenda as the engine has it, the next step last."""
    steps: list[Step] = []
    if is_short(message.agenda, MAX_STEPS, "", "agenda", faults):
        for index, step in enumerate(message.agenda):
            name = step.WhichOneof("step")
            if name is None:
                note(faults, f"agenda[{index}]", "It names no step.")
            else:
                steps.append(_READ[name](getattr(step, name), f"agenda[{index}].{name}", faults))
    return steps[::-1]


def _benefits_fields(step: Benefits) -> Fields:
    return {"seat": step.seat, "source": source_fields(step.source), "left": step.left}


def _scatter_fields(step: Scattering) -> Fields:
    used = [slot + 1 for slot in slots_in(step.used)]
    return {"seat": step.seat, "source": source_fields(step.source), "used": used}


_FIELDS: Final[dict[type[Step], Callable[[Any], Fields]]] = {
    Frame: lambda frame: {frame.value: {}},
    Pay: lambda pay: {"pay": pay._asdict() | {"slot": pay.slot + 1}},
    Benefits: lambda step: {"benefits": _benefits_fields(step)},
    AllPlayers: lambda step: {
        "all_players": {"fish": fish_source_fields(step.fish), "next_seat": step.next_seat}
    },
    Scattering: lambda step: {"scatter": _scatter_fields(step)},
    AlsoIf: lambda step: {"also_if": {"fish": fish_source_fields(step.fish)}},
    DiveOn: lambda step: {"dive": {"site": step.site + 1, "next_stop": step.stop + 1}},
}


def agenda_fields(agenda: list[Step]) -> list[Fields]:
    """Return the fields of an agenda's messages, the next step first."""
    return [_FIELDS[type(step)](step) for step in reversed(agenda)]
