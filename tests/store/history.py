"""What writers did to one game, and whether a store may have answered them like that."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Attempt(NamedTuple):
    """A request of a writer: to make the move that leads to a version; and what the store answered."""

    request_id: str
    version: int
    verdict: str
    """As it was last answered; a request is repeated if the store does not answer, or now and then."""
    outcome_version: int
    outcome_revision: int
    items: int
    """How many items it would add to the log; each bears its request id."""


class Entry(NamedTuple):
    """An item as it is in the log."""

    version: int
    number: int
    request_id: str


WON = frozenset({"done", "repeated"})


def faults(attempts: Sequence[Attempt], log: Sequence[Entry], versions: int) -> list[str]:
    """Return all that must not be: of a game that began at version 0 and was played to a version.

    ``log`` is all of its log after version 0.
    """
    return [
        *_faults_of_winners(attempts, versions),
        *_faults_of_answers(attempts, versions),
        *_faults_of_log(attempts, log, versions),
    ]


def _faults_of_winners(attempts: Sequence[Attempt], versions: int) -> Iterator[str]:
    winners = Counter(each.version for each in attempts if each.verdict in WON)
    tries = Counter(each.version for each in attempts)
    for version in range(1, versions + 1):
        if winners[version] != 1:
            yield f"version {version} has {winners[version]} winners"
        if tries[version] < 2:
            yield f"version {version} was not contested"
    yield from (f"version {version} is too high" for version in winners if not 1 <= version <= versions)


def _faults_of_answers(attempts: Sequence[Attempt], versions: int) -> Iterator[str]:
    for each in attempts:
        if each.verdict not in {*WON, "conflict"}:
            yield f"{each.request_id} was answered {each.verdict}"
        if each.verdict == "done" and each.outcome_version != each.version:
            yield f"{each.request_id} was done and led to {each.outcome_version}"
        if not each.version <= each.outcome_version <= versions:
            yield f"{each.request_id} was told of version {each.outcome_version}"
        if each.outcome_revision != each.outcome_version + 1:
            yield f"{each.request_id} was told of revision {each.outcome_revision}"
    ids = Counter(each.request_id for each in attempts)
    yield from (f"{request_id} is there {number} times" for request_id, number in ids.items() if number > 1)


def _faults_of_log(attempts: Sequence[Attempt], log: Sequence[Entry], versions: int) -> Iterator[str]:
    winners = {each.version: each for each in attempts if each.verdict in WON}
    expected = [
        Entry(version, number, winners[version].request_id)
        for version in range(1, versions + 1)
        for number in range(winners[version].items if version in winners else 0)
    ]
    yield from (f"{entry} is missing in the log" for entry in (Counter(expected) - Counter(log)).elements())
    yield from (f"{entry} is too much in the log" for entry in (Counter(log) - Counter(expected)).elements())
    if list(log) != sorted(log):
        yield "the log is not in order"
