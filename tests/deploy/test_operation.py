"""What the operators' page has them do, done as it says."""

import asyncio
import json
import os
import re
import shutil
from configparser import RawConfigParser
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from grpc.aio import insecure_channel as channel_to

import finspan
from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service import workers
from service.server import BAD_USAGE
from service.settings import load_settings
from service.store.redis_settings import RedisSettings
from service.testing import running_server
from tests.deploy.manifests import ROOT
from tests.examples.test_other_languages import run
from tests.redis_server import RIGHTS
from tests.service.support import new_state, refusal_of

PAGE = (ROOT / "docs" / "operation.md").read_text(encoding="utf-8")
HEALTH = '{\n  "status": "SERVING"\n}\n'


def block(language: str, word: str) -> str:
    """Return the only block of the page in a language in which a word stands."""
    (found,) = [each for each in re.findall(rf"```{language}\n([^`]*)```", PAGE) if word in each]
    return str(found)


def need(program: str) -> None:
    """Leave the test out where a program is not installed; in CI all of them are."""
    if shutil.which(program) is None and "CI" not in os.environ:
        pytest.skip(f"{program} is not installed")


def test_the_unit_gives_a_server_the_time_to_drain() -> None:
    unit = RawConfigParser()
    unit.read_string(block("ini", "[Unit]"))
    service, settings = unit["Service"], load_settings()
    longest = settings.drain_delay_seconds + settings.drain_seconds + workers._KILL_AFTER
    assert int(service["TimeoutStopSec"]) >= longest
    assert service["KillMode"] == "mixed"  # a second SIGTERM ends a worker at once
    assert service["RestartPreventExitStatus"] == str(BAD_USAGE)


def test_the_user_of_redis_is_the_one_that_tests_are_run_as() -> None:
    assert (
        f"ACL SETUSER finspan on >PASSWORD resetkeys ~finspan:* resetchannels &finspan:* {RIGHTS}\n" in PAGE
    )


def test_a_password_is_encoded_as_the_page_says(tmp_path: Path) -> None:
    written, encoded = re.findall(r"`(\S+)` is `(\S+%\S+)`", PAGE)[0]
    command = f"echo '{written}' | {block('sh', 'urllib')}"
    assert run(command, "", tmp_path).strip() == encoded
    assert RedisSettings.of_url(f"redis://me:{encoded}@there").password == written


async def test_a_token_is_issued_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    admin_key = "the key of an administrator"
    async with running_server(admin_keys=admin_key) as server, channel_to(server.address) as channel:
        stub: Any = FinspanServiceStub(channel)
        request = pb.NewGameRequest(players=2, form=pb.STATE_FORM_HOSTED, request_id=str(uuid4()))
        made = await stub.NewGame(request)
        monkeypatch.setenv("ADMIN_KEY", admin_key)
        monkeypatch.setenv("GAME_ID", made.game.game_id)
        command = block("sh", "IssueSeatToken")
        token = json.loads(await asyncio.to_thread(run, command, server.address, tmp_path))["token"]
        asked = pb.GetGameRequest(game_id=made.game.game_id)
        await stub.GetGame(asked, metadata=(("authorization", f"Bearer {token['token']}"),))
        earlier = (("authorization", f"Bearer {made.tokens[0].token}"),)
        assert (await refusal_of(stub.GetGame(asked, metadata=earlier))).reason == "TOKEN_REFUSED"


async def test_figures_are_read_as_the_page_says(tmp_path: Path) -> None:
    need("jq")
    async with running_server() as server, channel_to(server.address) as channel:
        stub: Any = FinspanServiceStub(channel)
        for _ in range(3):
            await new_state(stub)
        await refusal_of(stub.NewGame(pb.NewGameRequest(players=9)))
        lines = server.log.getvalue()
    (tmp_path / "log").write_text(f"E0000 no JSON\n{lines}", encoding="utf-8")
    journal, bar, reading = block("sh", "journalctl").partition(" | ")
    assert (journal.split()[0], bar) == ("journalctl", " | ")
    run(f"cat /tmp/log | {reading}", "", tmp_path)
    said = run(block("sh", "p99"), "", tmp_path).splitlines()
    assert sum(int(line.split()[0]) for line in said[:-2]) == 4  # of one minute, or of two
    figures = json.loads(said[-2])
    assert (figures["method"], figures["calls"]) == ("NewGame", 4)
    times = sorted(json.loads(line)["duration_ms"] for line in lines.splitlines() if '"call"' in line)
    assert (figures["p50"], figures["p99"]) == (times[2], times[3])
    assert said[-1].split() == ["1", "INVALID_ARGUMENT", "ERROR_REASON_INVALID_FIELD"]


@pytest.fixture
def certificates(tmp_path: Path) -> dict[str, Path]:
    """Make the certificates of the page, and return the settings of a server that has them."""
    need("openssl")
    for name in ("CN=localhost", "CN=client"):
        run(block("sh", name), "", tmp_path)
    names = {"tls_cert_file": "cert.pem", "tls_key_file": "key.pem", "tls_client_ca_file": "client.pem"}
    return {setting: tmp_path / name for setting, name in names.items()}


async def test_mutual_tls_is_tried_as_the_page_says(certificates: dict[str, Path], tmp_path: Path) -> None:
    async with running_server(host="localhost", **certificates) as server:
        command = block("sh", "--cert ")
        assert await asyncio.to_thread(run, command, server.address, tmp_path) == HEALTH
        without = command.replace("--cert /tmp/client.pem --key /tmp/client-key.pem", "")
        assert without != command
        with pytest.raises(AssertionError):
            await asyncio.to_thread(run, without, server.address, tmp_path)


async def test_mutual_tls_is_tried_in_python_as_the_page_says(
    certificates: dict[str, Path], tmp_path: Path
) -> None:
    async with running_server(host="localhost", **certificates) as server:
        code = block("python", "client-key.pem").replace("localhost:50051", server.address)
        names: dict[str, Any] = {"Path": Path, "finspan": finspan, "grpc": grpc}
        exec(code.replace('"/tmp"', repr(str(tmp_path))), names)  # noqa: S102  our own page
        assert (await asyncio.to_thread(names["client"].new_game, players=2)).state.version == 0
