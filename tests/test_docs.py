"""The pages are true: fresh where they are read off the code, whole, their links, names and samples real."""

import asyncio
import json
import re
import shutil
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import grpc
import pytest
from grpc.aio import insecure_channel as channel_to

from finspan.v1 import finspan_pb2 as pb
from finspan.v1.finspan_pb2_grpc import FinspanServiceStub
from service.engine.rulebook import RULES
from service.errors import ANSWERS
from service.seal import read_keys
from service.testing import running_server
from tests import settings_page
from tests.examples.test_other_languages import run
from tests.service.support import Stub, new_state

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "clients/**/*.md")
    for path in ROOT.glob(pattern)
    if "node_modules" not in path.parts
)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def text(page: Path | str) -> str:
    """Return a page's text; one of docs/ by its name alone."""
    return (DOCS / page).read_text(encoding="utf-8")


def test_the_page_of_settings_is_fresh() -> None:
    """If it is not: python -m tests.settings_page."""
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page()


@each_page
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    inside = [link for link in LINK.findall(text(page)) if "://" not in link]
    assert [link for link in inside if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_every_link_to_a_heading_finds_it(page: Path) -> None:
    for link, anchor in ANCHOR.findall(text(page)):
        if "://" not in link:
            assert anchor in anchors(page.parent / link if link else page), anchor


@each_page
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", text(page))
    assert [name for name in named if f"def {name}(" not in sources] == []


@pytest.mark.parametrize("reason", [value.name for value in pb.ErrorReason.DESCRIPTOR.values if value.number])
def test_every_error_reason_is_explained(reason: str) -> None:
    code = next(answer.code for answer in ANSWERS.values() if pb.ErrorReason.Name(answer.reason) == reason)
    assert f"| `{reason}` | {code.name} |" in text("errors.md")


@pytest.mark.parametrize(
    "method", [method.name for method in pb.DESCRIPTOR.services_by_name["FinspanService"].methods]
)
def test_every_rpc_is_explained(method: str) -> None:
    assert f"`{method}`" in text("contract.md")


# The pages for frontends; tests/examples runs what they quote.


def flat(code: str) -> str:
    """Return code without its indentation."""
    return "\n".join(line.strip() for line in code.splitlines())


def samples(page: str) -> list[str]:
    """Return what a page has in TypeScript."""
    return re.findall(r"```ts\n(.*?)```", text(page), re.DOTALL)


@pytest.mark.parametrize("sample", samples("frontend.md") + samples("hosted.md"))
def test_every_sample_for_frontends_is_quoted_from_what_is_run(sample: str) -> None:
    node = ROOT / "clients" / "examples" / "node"
    sources = ("src/tour.ts", "src/frontend.ts", "src/fold.ts", "page/table.ts")
    assert any(flat(sample) in flat(text(node / source)) for source in sources)


def test_what_a_frontend_brings_along_stands_in_the_rules() -> None:
    told = re.findall(r"^\| (\d) \| .+ \| (R\d+\.\d+) \|$", text("frontend.md"), re.MULTILINE)
    assert len(told) == 6
    rules = {rule.id: rule.text for rule in RULES}
    assert [number for number, rule in told if number not in re.findall(r"\d+", rules[rule])] == []


# The operators' page.

OPERATION = text("operation.md")
BLOCK = re.compile(r"```sh\n(?P<commands>[^`]*)```\n\n(```text\n(?P<output>[^`]*)```)?")
ROTATION = re.findall(r"^\| \d \| `([^`]+)` \|", OPERATION, re.MULTILINE)
DIGITS = {"old": "0" * 64, "new": "1" * 64}


def block(word: str) -> tuple[str, str]:
    """Return the commands of the page in which a word stands, and what they print."""
    return next(
        (match["commands"], match["output"]) for match in BLOCK.finditer(OPERATION) if word in match[0]
    )


def test_the_command_for_a_key_makes_one(tmp_path: Path) -> None:
    commands, _ = block("secrets")
    (key_id,) = read_keys(run(commands, "", tmp_path))
    assert date.fromisoformat(key_id) <= date.today() + timedelta(days=1)  # noqa: DTZ011  as the command has it


async def test_health_is_asked_as_the_page_says(tmp_path: Path) -> None:
    commands, output = block("http://localhost:50051/grpc.health")
    async with running_server() as server:
        assert await asyncio.to_thread(run, commands, server.address, tmp_path) == output


async def test_tls_is_tried_as_the_page_says(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    run(block("openssl")[0], "", tmp_path)
    commands, output = block("https://")
    files = {"tls_cert_file": tmp_path / "cert.pem", "tls_key_file": tmp_path / "key.pem"}
    async with running_server(host="localhost", **files) as server:
        assert await asyncio.to_thread(run, commands, server.address, tmp_path) == output


def keys(step: str) -> str:
    """Return the keys of a step of the rotation, with digits for their dots."""
    return re.sub(r"(\w+):\.\.\.", lambda match: f"{match[1]}:{DIGITS[match[1]]}", step)


async def new_on(seal_keys: str) -> pb.GameState:
    """Return a new game of a server with these keys."""
    async with running_server(seal_keys=seal_keys) as server, channel_to(server.address) as channel:
        return await new_state(FinspanServiceStub(channel))


async def played_on(state: pb.GameState, seal_keys: str) -> pb.GameState:
    """Return a state after a move on a server with these keys."""
    async with running_server(seal_keys=seal_keys) as server, channel_to(server.address) as channel:
        stub: Stub = FinspanServiceStub(channel)
        legal = (await stub.LegalMoves(pb.LegalMovesRequest(state=state))).legal_moves
        return (await stub.ApplyMove(pb.ApplyMoveRequest(state=state, moves=[legal[-1].move]))).state


async def test_keys_are_rotated_as_the_page_says() -> None:
    """While a step is under way, servers before and after it open each other's states."""
    assert len(ROTATION) == 3
    steps = [keys(step) for step in ("old:...", *ROTATION)]
    first = state = await new_on(steps[0])
    sealed_by = []
    for before, after in pairwise(steps):
        for seal_keys in (after, before, after):
            state = await played_on(state, seal_keys)
        sealed_by.append(state.sealed.key_id)
    assert sealed_by == ["old", "new", "new"]
    with pytest.raises(grpc.aio.AioRpcError, match="does not have the key 'old'"):
        await played_on(first, steps[-1])


# What is installed is what the locks name.


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("*.lock")))
def test_every_locked_package_has_its_hashes(lock: str) -> None:
    entries = re.split(r"^(?=\w)", text(ROOT / lock), flags=re.MULTILINE)[1:]
    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_every_locked_package_of_the_example_has_its_hash() -> None:
    lock = json.loads(text(ROOT / "clients" / "examples" / "node" / "package-lock.json"))
    assert [name for name, entry in lock["packages"].items() if name and "integrity" not in entry] == []
