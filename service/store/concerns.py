"""What a server of Redis says of itself that bodes ill for the games in it."""

from collections.abc import Mapping
from typing import Any, Final

OLDEST: Final = (6, 2)
"""The oldest version that has all that the store needs."""
INFO_FORBIDDEN: Final = (
    "Redis does not let this user ask for INFO: whether it is new enough, drops games to make room, and "
    "keeps them over a restart was not looked at"
)


def concerns_about(info: Mapping[str, Any]) -> list[str]:
    """Return what is wrong, a sentence each, with a server that answers INFO like this.

    What it does not say is taken for good: some that pass for Redis leave much out.
    """
    found = []
    version = str(info.get("redis_version", ""))
    if version and not _is_new_enough(version):
        found.append(f"Redis is of version {version}, and must be of 6.2 or newer")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        found.append(f"maxmemory-policy is {policy}, which drops games to make room; it must be noeviction")
    if not info.get("aof_enabled", 1):
        found.append("appendonly is no: a crash of Redis loses all that changed since its last snapshot")
    return found


def _is_new_enough(version: str) -> bool:
    parts = [int(part) if part.isdigit() else 0 for part in version.split(".")[:2]]
    return tuple(parts) >= OLDEST
