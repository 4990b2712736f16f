"""The service without a server, for whoever calls its handlers in their own process."""

import sys

from pydantic import SecretStr

from service.handlers import MethodHandlers, method_handlers
from service.handlers.calls import Calls
from service.logs import new_log
from service.seal import Seals, new_key, read_keys
from service.settings import Settings
from service.store.memory import MemoryStore


def local_handlers() -> MethodHandlers:
    """Return what answers each RPC by its name, set up as a server with the default settings does it.

    Each call of it seals with a new key. Errors are logged on the standard error, and nothing else is.
    """
    settings = Settings.model_construct(token_keys=SecretStr(new_key()))  # the environment's are a server's
    calls = Calls(settings, new_log(sys.stderr, "error"))
    return method_handlers(settings, Seals(read_keys(new_key())), calls, MemoryStore())
