"""Protobuf to engine values and back, both ways, only here.

On the wire an enum is the engine's index plus one (0 stands for "not given"); slots, sites, rows, zones and
dive stops are therefore one higher there, seats are the same.

What is written are *fields*: nested dictionaries from which one message is made in one go, in half the time
that a message for each part takes. What is read is read strictly: whatever the engine could not represent is
noted as a fault with its path, such as ``players[1].ocean[2].slot``. Whether a state that could be read makes
sense is for the engine's `check` to say.
"""

from service.convert.catalogue import catalogue
from service.convert.events import event_fields
from service.convert.moves import move_message, read_moves
from service.convert.options import read_options
from service.convert.replies import decision_fields, legal_move_messages, score_fields, why_not_fields
from service.convert.states import derived_faults, open_fields, read_state, state_fields

__all__ = [
    "catalogue",
    "decision_fields",
    "derived_faults",
    "event_fields",
    "legal_move_messages",
    "move_message",
    "open_fields",
    "read_moves",
    "read_options",
    "read_state",
    "score_fields",
    "state_fields",
    "why_not_fields",
]
