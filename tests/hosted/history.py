"""What writers did to a hosted game through several servers, and whether the servers may have answered so."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from finspan.v1 import finspan_pb2 as pb


class Answer(NamedTuple):
    """How one invocation of a request was answered; moments count all invocations and answers of a test."""

    asked_at: int
    answered_at: int
    code: str
    version: int
    """If it was OK the version that it led to, if it was refused the current one that was told."""
    reply: bytes = b""


@dataclass
class Attempt:
    """A writer's request to make a move for a version, and the answers to it and its repetitions."""

    request_id: str
    version: int
    """The version that it was to lead to."""
    answers: list[Answer] = field(default_factory=list)

    @property
    def has_won(self) -> bool:
        """Whether it was carried out."""
        return any(answer.code == "OK" for answer in self.answers)


def faults(attempts: Sequence[Attempt], log: Sequence[pb.LogEntry], versions: int) -> list[str]:
    """Return all that must not be, of a game that was played from version 0 to a version."""
    return [
        *_faults_of_winners(attempts, versions),
        *_faults_of_answers(attempts),
        *_faults_of_time(attempts),
        *_faults_of_log(attempts, log, versions),
    ]


def _faults_of_winners(attempts: Sequence[Attempt], versions: int) -> Iterator[str]:
    by_version = defaultdict[int, list[Attempt]](list)
    for attempt in attempts:
        by_version[attempt.version].append(attempt)
    for version in range(1, versions + 1):
        won = [attempt for attempt in by_version[version] if attempt.has_won]
        if len(won) != 1:
            yield f"version {version} has {len(won)} winners"
        if len(by_version[version]) < 2:
            yield f"version {version} was not contested"
    ids = Counter(attempt.request_id for attempt in attempts)
    yield from (f"{id_} was used for {count} wishes" for id_, count in ids.items() if count > 1)


def _faults_of_answers(attempts: Sequence[Attempt]) -> Iterator[str]:
    for attempt in attempts:
        codes = {answer.code for answer in attempt.answers}
        if codes not in ({"OK"}, {"ABORTED"}):
            yield f"{attempt.request_id} was answered {sorted(codes)}"
        if attempt.has_won and len({answer.reply for answer in attempt.answers}) != 1:
            yield f"{attempt.request_id} was answered in several ways"
        for answer in attempt.answers:
            if answer.code == "OK" and answer.version != attempt.version:
                yield f"{attempt.request_id} led to version {answer.version}"
            if answer.code == "ABORTED" and answer.version < attempt.version:
                yield f"{attempt.request_id} lost to nobody"


def _faults_of_time(attempts: Sequence[Attempt]) -> Iterator[str]:
    """No answer tells of an older version than one that was told before its question was asked."""
    answers = sorted(
        (answer for attempt in attempts for answer in attempt.answers), key=lambda answer: answer.asked_at
    )
    told = sorted(answers, key=lambda answer: answer.answered_at)
    newest, known = 0, iter(told)
    ahead = next(known, None)
    for answer in answers:
        while ahead is not None and ahead.answered_at < answer.asked_at:
            newest = max(newest, ahead.version)
            ahead = next(known, None)
        if answer.code == "ABORTED" and answer.version < newest:
            yield f"version {answer.version} was told after version {newest}"


def _faults_of_log(attempts: Sequence[Attempt], log: Sequence[pb.LogEntry], versions: int) -> Iterator[str]:
    if [entry.version for entry in log] != list(range(versions + 1)):
        yield "the log has gaps or doubles, or ends elsewhere"
    winners = {attempt.version: attempt.request_id for attempt in attempts if attempt.has_won}
    for entry in log[1:]:
        if entry.request_id != winners.get(entry.version):
            yield f"version {entry.version} is in the log as made by {entry.request_id}"
