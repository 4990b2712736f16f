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
    ("url", "user", "password"),
    [
        ("redis://finspan:hunter2%2Fx%23y%3Fz@redis", "finspan", "hunter2/x#y?z"),
        ("redis://finspan:p:w@x[y]@redis", "finspan", "p:w@x[y]"),
        ("redis://:word@redis", None, "word"),
        ("redis://me@redis", "me", None),
    ],
)
def test_a_password_may_hold_any_character(url: str, user: str | None, password: str | None) -> None:
    settings = RedisSettings.of_url(url)
    assert (settings.username, settings.password) == (user, password)
    assert settings.nodes == (("redis", 6379),)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "redis.example",
        "http://redis.example",
        "redis://a?socket_timeout=1",
        "redis://a#1",
        "redis://a/notadb",
        "redis://a/1/2",
        "redis://a/-1",
        "redis://a:0",
        "redis://a:65536",
        "redis://a:port",
        "redis://a b",
        "redis://a,b:1",
        "unix:///a",
    ],
)
def test_another_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"no URL") as refused:
        RedisSettings.of_url(url)
    assert "unix" not in str(refused.value)


@pytest.mark.parametrize("sign", ["/", "#", "?"])
@pytest.mark.parametrize("password", ["hunter2{}xyz", "123{}xyz", "123{}456"])
def test_no_part_of_a_password_is_told_or_taken_for_a_port(password: str, sign: str) -> None:
    url = f"redis://finspan:{password.format(sign)}@redis:6379/0"
    with pytest.raises(ValueError, match=r"^it is no URL of the form") as refused:
        RedisSettings.of_url(url)
    assert not any(part in str(refused.value) for part in ("hunter2", "xyz", "123", "456", "@redis:"))
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://me:secret@redis.example", "redis://redis.example:6379/0"),
        ("rediss://me:secret@[::1]:7000/3", "rediss://[::1]:7000/3"),
    ],
)
def test_an_address_is_shown_without_user_and_password(url: str, address: str) -> None:
    assert RedisSettings.of_url(url).address == address
