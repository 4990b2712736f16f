"""The settings of a server, from the environment and the command line; all of them, each documented here."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.seal import read_keys

PREFIX: Final = "FINSPAN_"
"""What the name of every variable begins with: `port` is ``FINSPAN_PORT``."""

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0)]
Bytes = Annotated[int, Field(ge=1024, le=1 << 30)]


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

    @field_validator("seal_keys")
    @classmethod
    def _are_keys(cls, keys: SecretStr) -> SecretStr:
        read_keys(keys.get_secret_value())
        return keys

    @field_validator("tls_cert_file", "tls_key_file", "tls_client_ca_file")
    @classmethod
    def _is_file(cls, path: Path | None) -> Path | None:
        if path is not None and not os.access(path, os.R_OK):
            raise ValueError("there is no such file, or it cannot be read")
        return path

    @model_validator(mode="after")
    def _has_both(self) -> Self:
        if (self.tls_cert_file is None) != (self.tls_key_file is None):
            raise ValueError(f"{PREFIX}TLS_CERT_FILE and {PREFIX}TLS_KEY_FILE go together")
        if self.tls_client_ca_file is not None and self.tls_cert_file is None:
            raise ValueError(f"{PREFIX}TLS_CLIENT_CA_FILE needs {PREFIX}TLS_CERT_FILE")
        return self


class BadSettings(ValueError):
    """Settings that cannot be; the message has a line for each: its variable, never its value."""


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
