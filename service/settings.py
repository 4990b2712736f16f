"""The settings of a server, from the environment and the command line; all of them, each documented here."""

import os
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.seal import read_keys
from service.store.redis_settings import MAX_PORT, RedisSettings

PREFIX: Final = "FINSPAN_"
"""What the name of every variable begins with: `port` is ``FINSPAN_PORT``."""
MIN_API_KEY: Final = 16
"""How many characters the keys of callers and administrators have at least."""
_KEYS_OF_OTHERS: Final = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")
"""What OpenSSL says of a key that belongs to another certificate."""

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0)]
Bytes = Annotated[int, Field(ge=1024, le=1 << 30)]


def _entries(text: str) -> list[str]:
    """Return what stands in a text with commas between it."""
    return [entry for entry in map(str.strip, text.split(",")) if entry]


def _why_no_certificates(path: Path) -> str:
    """Return why a file with certificates cannot be used; nothing for one that can."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_verify_locations(path)
    except ssl.SSLError:
        return "it is not a certificate in PEM"
    return "" if context.cert_store_stats()["x509"] else "it is not a certificate in PEM"


def _why_no_pair(certificate: str, cert_file: Path, key: str, key_file: Path) -> str:
    """Return why a certificate and a key cannot be used together, with the variable; nothing if they can."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert_file, key_file, password=lambda: "")  # else OpenSSL asks the terminal
    except ssl.SSLError as error:
        if not error.reason:  # what is in PEM has a reason, what is not has none
            return f"{key}: it is not a private key in PEM without a password"
        if error.reason in _KEYS_OF_OTHERS:
            return f"{key}: it is not the key of {certificate}"
        return f"{certificate}: it is not accepted, {error.reason.lower().replace('_', ' ')}"
    return ""


class Settings(BaseSettings):
    """The settings of a server."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    host: str = Field("127.0.0.1", description="The address to listen on; 0.0.0.0 or :: for all.")
    port: int = Field(50051, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    workers: int = Field(
        1, ge=1, le=128, description="How many processes share the port; one for each core is best."
    )

    seal_keys: SecretStr = Field(
        SecretStr(""),
        description="The keys of sealed states, as id:key,id:key with keys of 64 hexadecimal digits. The "
        "first seals, all open. Without any, the server makes one that dies with it.",
    )

    token_keys: SecretStr = Field(
        SecretStr(""),
        description="The keys of seat tokens, in the form of those above. The first signs, all verify. "
        "Without any, the server makes one that dies with it.",
    )
    token_days: Count = Field(90, description="How many days a seat token is good for.")
    api_keys: SecretStr = Field(
        SecretStr(""),
        description="What callers must show to make hosted games, with commas between them, each of 16 "
        "characters or more. Without any, everybody may.",
    )
    admin_keys: SecretStr = Field(
        SecretStr(""),
        description="What administrators show, in the form of those above, and none of them. Without any, "
        "there are none.",
    )

    redis_url: SecretStr = Field(
        SecretStr(""),
        description="Where hosted games are kept, such as redis://user:password@host:6379/0, or rediss:// "
        "with TLS. Without it a single worker keeps them in its memory, several workers host none.",
    )
    redis_mode: Literal["single", "sentinel", "cluster"] = Field(
        "single",
        description="What stands at that URL: a server, one of several Sentinels, or a node of a Cluster.",
    )
    redis_sentinels: str = Field("", description="Further Sentinels, as host:port with commas between them.")
    redis_sentinel_master: str = Field(
        "finspan", description="The name by which the Sentinels know the master."
    )
    redis_ca_file: Path | None = Field(
        None, description="The authorities that Redis' certificate is checked by, in PEM; else the system's."
    )
    redis_cert_file: Path | None = Field(None, description="The certificate that is shown to Redis, in PEM.")
    redis_key_file: Path | None = Field(None, description="The private key of that certificate, in PEM.")
    redis_prefix: str = Field("finspan", description="What the names of all keys in Redis begin with.")
    redis_timeout_seconds: Annotated[float, Field(gt=0)] = Field(
        1.0, description="How long the store has to answer, its repetitions included."
    )
    finished_days: Count = Field(30, description="How many days a hosted game is kept after its end.")
    abandoned_days: Count = Field(
        90, description="How many days a hosted game is kept in which nothing happens."
    )
    kept_games: int = Field(
        1000, ge=0, description="How many hosted games a worker keeps decoded, besides the store."
    )

    tls_cert_file: Path | None = Field(
        None, description="The server's certificate chain, in PEM. Without it the server speaks plain text."
    )
    tls_key_file: Path | None = Field(None, description="The private key of the certificate, in PEM.")
    tls_client_ca_file: Path | None = Field(
        None,
        description="The authorities that sign clients' certificates, in PEM; then every client needs one.",
    )

    max_request_bytes: Bytes = Field(1 << 20, description="The size of a request at most, in bytes.")
    max_reply_bytes: Bytes = Field(
        4 << 20,
        description="The size of a reply at most, in bytes. gRPC clients take 4 MiB unless told more.",
    )
    max_calls: Count = Field(256, description="How many calls a worker has in hand at once at most.")
    max_moves: Count = Field(1000, description="How many moves one ApplyMove takes at most.")
    max_why_not_moves: Count = Field(
        10_000, description="How many moves one LegalMoves gives reasons for at most."
    )

    kept_states: int = Field(
        1000,
        ge=0,
        description="How many states a worker keeps decoded, to know one that comes back at once; some 6 KB "
        "each.",
    )

    keepalive_seconds: Count = Field(
        30, description="After how many silent seconds a connection is asked whether it still lives."
    )
    keepalive_timeout_seconds: Count = Field(
        10, description="How many seconds a connection has to answer that before it is closed."
    )
    drain_delay_seconds: Seconds = Field(
        0,
        description="On SIGTERM, how long the server says NOT_SERVING while it still takes calls, "
        "so that balancers can turn away first.",
    )
    drain_seconds: Seconds = Field(
        20,
        description="After that, how many seconds the calls in hand have to end before they are cancelled.",
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least level that is logged; calls are logged at info."
    )

    @field_validator("seal_keys", "token_keys")
    @classmethod
    def _are_keys(cls, keys: SecretStr) -> SecretStr:
        read_keys(keys.get_secret_value())
        return keys

    @field_validator("api_keys", "admin_keys")
    @classmethod
    def _are_long_words(cls, keys: SecretStr) -> SecretStr:
        text = keys.get_secret_value()
        if text and not _entries(text):
            raise ValueError("there is no key in it; without any, it is to be empty or not set")
        if any(len(key) < MIN_API_KEY for key in _entries(text)):
            raise ValueError(f"it has a key of fewer than {MIN_API_KEY} characters")
        return keys

    @field_validator("redis_url")
    @classmethod
    def _is_url(cls, url: SecretStr) -> SecretStr:
        if url.get_secret_value():
            RedisSettings.of_url(url.get_secret_value())
        return url

    @field_validator("redis_sentinels")
    @classmethod
    def _are_addresses(cls, text: str) -> str:
        for entry in filter(None, map(str.strip, text.split(","))):
            host, _, port = entry.rpartition(":")
            if not (host and port.isascii() and port.isdigit() and 0 < int(port) <= MAX_PORT):
                raise ValueError("it has an entry that is not of the form host:port")
        return text

    @field_validator(
        "tls_cert_file",
        "tls_key_file",
        "tls_client_ca_file",
        "redis_ca_file",
        "redis_cert_file",
        "redis_key_file",
    )
    @classmethod
    def _is_file(cls, path: Path | None) -> Path | None:
        if path is not None and not (path.is_file() and os.access(path, os.R_OK)):
            raise ValueError("there is no such file, or it cannot be read")
        return path

    @field_validator("tls_cert_file", "tls_client_ca_file", "redis_ca_file", "redis_cert_file")
    @classmethod
    def _has_certificates(cls, path: Path | None) -> Path | None:
        if path is not None and (why := _why_no_certificates(path)):
            raise ValueError(why)
        return path

    @model_validator(mode="after")
    def _has_both(self) -> Self:
        if (self.tls_cert_file is None) != (self.tls_key_file is None):
            raise ValueError(f"{PREFIX}TLS_CERT_FILE and {PREFIX}TLS_KEY_FILE go together")
        if self.tls_client_ca_file is not None and self.tls_cert_file is None:
            raise ValueError(f"{PREFIX}TLS_CLIENT_CA_FILE needs {PREFIX}TLS_CERT_FILE")
        return self

    @model_validator(mode="after")
    def _keys_open_their_certificates(self) -> Self:
        pairs = (
            ("TLS", self.tls_cert_file, self.tls_key_file),
            ("REDIS", self.redis_cert_file, self.redis_key_file),
        )
        for name, cert_file, key_file in pairs:
            variables = f"{PREFIX}{name}_CERT_FILE", f"{PREFIX}{name}_KEY_FILE"
            if cert_file is None or key_file is None:
                continue
            if why := _why_no_pair(variables[0], cert_file, variables[1], key_file):
                raise ValueError(why)
        return self

    @model_validator(mode="after")
    def _tells_makers_from_administrators(self) -> Self:
        keys = (_entries(self.api_keys.get_secret_value()), _entries(self.admin_keys.get_secret_value()))
        if set(keys[0]) & set(keys[1]):
            raise ValueError(f"{PREFIX}API_KEYS and {PREFIX}ADMIN_KEYS have a key in common")
        return self

    @model_validator(mode="after")
    def _outlives_a_server(self) -> Self:
        """What is kept in Redis must still be opened when this process is gone."""
        keys = {"SEAL_KEYS": self.seal_keys, "TOKEN_KEYS": self.token_keys}
        missing = [f"{PREFIX}{name}" for name, value in keys.items() if not value.get_secret_value()]
        if missing and self.redis_url.get_secret_value():
            raise ValueError(f"{PREFIX}REDIS_URL needs {' and '.join(missing)}")
        if self.redis_mode != "single" and not self.redis_url.get_secret_value():
            raise ValueError(f"{PREFIX}REDIS_MODE needs {PREFIX}REDIS_URL")
        if (self.redis_cert_file is None) != (self.redis_key_file is None):
            raise ValueError(f"{PREFIX}REDIS_CERT_FILE and {PREFIX}REDIS_KEY_FILE go together")
        return self

    @model_validator(mode="after")
    def _suits_redis(self) -> Self:
        """What else is said of Redis must go with its URL and its mode."""
        url = self.redis_url.get_secret_value()
        redis = RedisSettings.of_url(url) if url else None
        if self.further_sentinels and self.redis_mode != "sentinel":
            raise ValueError(f"{PREFIX}REDIS_SENTINELS needs {PREFIX}REDIS_MODE=sentinel")
        if redis and redis.database and self.redis_mode == "cluster":
            raise ValueError(f"{PREFIX}REDIS_URL names a database, and a cluster has only database 0")
        for name in ("redis_ca_file", "redis_cert_file", "redis_key_file") if redis and not redis.tls else ():
            if getattr(self, name) is not None:
                raise ValueError(f"{PREFIX}{name.upper()} needs a {PREFIX}REDIS_URL with rediss://")
        return self

    @property
    def further_sentinels(self) -> list[tuple[str, int]]:
        """Host and port of the Sentinels beside the one of the URL."""
        pairs = (entry.rpartition(":") for entry in map(str.strip, self.redis_sentinels.split(",")) if entry)
        return [(host, int(port)) for host, _, port in pairs]

    @property
    def hosts_games(self) -> bool:
        """Whether this server hosts games: it has Redis, or it is the only worker."""
        return bool(self.redis_url.get_secret_value()) or self.workers == 1


class BadSettings(ValueError):
    """Settings that cannot be; the message has a line for each: its variable, never its value."""


_FOR_OTHERS: Final = frozenset(
    {
        "FINSPAN_ADDRESS",
        "FINSPAN_API_KEY",
        "FINSPAN_COMPILED",
        "FINSPAN_TEST_BROWSERS",
        "FINSPAN_TEST_NODE",
        "FINSPAN_TEST_REDIS",
        "FINSPAN_TOKEN",
        "FINSPAN_WEB",
    }
)
"""What clients, the build and tests are told by variables of their own."""


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings and are none, in order: misspelt ones most likely."""
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields} | _FOR_OTHERS
    return sorted(
        name for name in environment if name.upper().startswith(PREFIX) and name.upper() not in known
    )


def _line(error: Mapping[str, Any]) -> str:
    name = "".join(f"{PREFIX}{part}".upper() for part in error["loc"][:1])
    text = error["msg"].removeprefix("Value error, ")
    return f"{name}: {text}" if name else text


def load_settings(**given: object) -> Settings:
    """Return the settings of the environment; what is given (and not None) goes before it.

    Raises:
        BadSettings: a value cannot be.

    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        raise BadSettings("\n".join(map(_line, error.errors()))) from None
