"""What is round every call: decoding, request id, deadline, errors, limits, one log line."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final, Generic, NamedTuple, TypeVar
from uuid import uuid4

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status
from structlog.contextvars import bind_contextvars, clear_contextvars

from service.errors import DeadlinePassed, ReplyTooLarge, TooManyCalls, Undecodable, reason_of, status_of
from service.logs import Log, trace_of
from service.settings import Settings

Request = TypeVar("Request", bound=Message)
