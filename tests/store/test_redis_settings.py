"""Where Redis is, read from a URL."""

import pytest

from service.store.redis_settings import RedisSettings


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://", RedisSettings()),
        ("redis://redis.example:1/2", RedisSettings(nodes=(("redis.example", 1),), database=2)),
        (
            "rediss://user:pass%20word@redis.example",
            RedisSettings(
                nodes=(("redis.example", 6379),), tls=True, username="user",
                password="pass word",  # noqa: S106  of this test
            ),
        ),
    ],
    ids=["all by default", "another database", "with TLS and a user"],
)  # fmt: skip
def test_a_url_says_where_redis_is(url: str, expected: RedisSettings) -> None:
    assert RedisSettings.of_url(url) == expected


@pytest.mark.parametrize(
    "url", ["", "redis.example", "http://redis.example", "redis://a?socket_timeout=1", "unix:///a"]
)
def test_another_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"URL"):
        RedisSettings.of_url(url)
