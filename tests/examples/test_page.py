"""The example page plays in Chromium, through Envoy; `make browser-test` builds it and runs this."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest

from tests.examples.chromium import Browser, browser
from tests.examples.envoy import needed, proxied_service
from tests.examples.test_node import EXAMPLE

PAGE = EXAMPLE / "dist" / "page"
READY = "document.body.ariaBusy === 'false'"
QUESTION = "document.querySelector('#question').textContent"
MESSAGE = "document.querySelector('#message')"
BUTTONS = "document.querySelectorAll('#moves button').length"

PLAY_ON = """
  const [from, until] = arguments;
  const ready = async () => {
    while (document.body.ariaBusy === 'true') await new Promise((done) => setTimeout(done, 5));
  };
  await ready();
  for (let moves = from; moves < until; moves += 1) {
    const buttons = document.querySelectorAll('#moves button');
    if (buttons.length === 0) return moves;
    buttons[moves * 7 % buttons.length].click();
    await ready();
    const { textContent } = document.querySelector('#message');
    if (textContent) throw new Error(textContent);
  }
  return until;
"""
"""Presses buttons, here and there, until the game is over or so many are pressed; returns how many."""

pytestmark = [needed, pytest.mark.timeout(600)]  # a limit for whole games on a machine that is busy


class Files(SimpleHTTPRequestHandler):
    """Answers with files, and logs nothing."""

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder's files; yields their origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the page, which shows events at once and plays a known deck."""
    folder = tmp_path_factory.mktemp("envoy")
    with served(PAGE) as origin, proxied_service(folder, origin) as port:
        asked = {"proxy": f"http://127.0.0.1:{port}", "pause": 0, "seed": "high tide"}
        yield f"{origin}/?{urlencode(asked)}"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


def begin(chromium: Browser, url: str, *boxes: str) -> None:
    """Begin a game with some boxes checked."""
    chromium.open(url)
    chromium.wait(READY)
    chromium.complaints()
    for box in boxes:
        chromium.click(f"[name={box}]")
    chromium.click("#new")


def started(chromium: Browser, url: str, *boxes: str) -> None:
    begin(chromium, url, *boxes)
    chromium.wait(f"{BUTTONS} && {READY}")


def texts(chromium: Browser, selector: str) -> list[str]:
    found: list[str] = chromium.run(
        "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector
    )
    return found


def played(chromium: Browser) -> int:
    """Play a game to its end, and return how many buttons were pressed."""
    moves = 0
    while (on := chromium.run(PLAY_ON, moves, moves + 20)) > moves:  # a few at a time: a script has a limit
        moves = on
    return moves


@pytest.mark.parametrize("boxes", [(), ("reefs",)], ids=["base game", "Sharks & Reefs"])
def test_a_whole_game_is_played_by_its_buttons(chromium: Browser, url: str, boxes: tuple[str, ...]) -> None:
    started(chromium, url, *boxes)
    headings = texts(chromium, "#score td:first-child")
    assert ({"coral", "full reefs"} <= set(headings)) == ("reefs" in boxes)
    assert played(chromium) >= 48, "two players have 24 turns each"
    assert chromium.run(f"return {QUESTION}") == "The game is over."
    rows = [
        row.split("\t")
        for row in chromium.run("return document.querySelector('#score').innerText").splitlines()
    ]
    assert re.fullmatch(r"Winners?: .*(Ada|Bob)", rows[0][0])
    points = [[int(cell) for cell in cells] for _, *cells in rows[2:]]
    assert [sum(column) for column in zip(*points[:-1], strict=True)] == points[-1]
    assert "The game is over" in texts(chromium, "#events li")[0]
    assert (chromium.run(f"return {MESSAGE}.textContent"), chromium.complaints()) == ("", [])


def test_events_are_shown_one_by_one(chromium: Browser, url: str) -> None:
    started(chromium, url)
    chromium.run("""
      window.shown = [];
      new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        window.shown.push(added.map((each) => each.textContent));
      }).observe(document.querySelector('#events'), { childList: true });
    """)
    chromium.click("[data-move='dive:blue']")
    shown = chromium.wait(f"{READY} && window.shown")
    assert [line for (line,) in shown] == texts(chromium, "#events li")[::-1]
    assert shown[0] == ["Ada dives in the blue site."]


def test_a_card_that_cannot_be_played_says_why(chromium: Browser, url: str) -> None:
    started(chromium, url)
    assert texts(chromium, ".grey") == ["Giant Oarfish"]
    reason = "Giant Oarfish costs 2 young and your ocean holds only 1. (R5.1)"
    assert chromium.run("return document.querySelector('.grey').title") == reason


def test_a_refusal_shows_its_rule(chromium: Browser, url: str) -> None:
    started(chromium, url)
    chromium.click("[data-card='127']")
    lit = "[...document.querySelectorAll('.lit')].map((place) => place.dataset.slot)"
    assert chromium.run(f"return {lit}") == ["B4", "P4", "G4"]
    chromium.click("[data-slot='B1']")
    sentence, rule = chromium.wait(f"{MESSAGE}.textContent").splitlines()
    assert "Blue Lanternfish lives in the Twilight zone, and B1 is elsewhere. (R5.3)" in sentence
    assert rule.startswith("R5.3: ")
    assert chromium.run(f"return {MESSAGE}.title") == "ERROR_REASON_ILLEGAL_MOVE"


def test_a_move_can_be_undone(chromium: Browser, url: str) -> None:
    started(chromium, url)
    before = chromium.run("return document.querySelector('#players').innerText")
    answers = texts(chromium, "#moves button")
    chromium.run(PLAY_ON, 0, 1)
    assert texts(chromium, "#moves button") != answers
    chromium.click("#undo")
    chromium.wait(READY)
    assert texts(chromium, "#moves button") == answers
    assert chromium.run("return document.querySelector('#players').innerText") == before


def seats_of(chromium: Browser, url: str) -> list[str]:
    """Begin a hosted game, and return the addresses of its seats."""
    begin(chromium, url, "hosted")
    found: list[str] = chromium.wait(
        "(links => links.length && links)([...document.querySelectorAll('#seats a')].map(({ href }) => href))"
    )
    return found


def test_a_seat_of_a_hosted_game_sees_what_the_other_does(chromium: Browser, url: str) -> None:
    seats = seats_of(chromium, url)
    answers = []
    for seat in seats:
        chromium.open(seat)
        chromium.wait(READY)
        answers.append(chromium.run(f"return {BUTTONS}"))
    waiting, deciding = sorted(range(2), key=answers.__getitem__)
    assert answers[waiting] == 0 < answers[deciding]
    watcher = chromium.open_beside(seats[waiting])
    chromium.wait(READY)
    chromium.open_beside(seats[deciding])
    chromium.wait(READY)
    chromium.run(PLAY_ON, 0, 1)
    done = texts(chromium, "#events li")
    chromium.turn_to(watcher)
    chromium.wait("document.querySelector('#events li')")
    chromium.wait(READY)
    assert texts(chromium, "#events li") == done
    assert chromium.complaints() == []


def test_a_move_whose_reply_is_lost_is_made_once(chromium: Browser, url: str) -> None:
    for seat in seats_of(chromium, url):
        chromium.open(seat)
        chromium.wait(READY)
        if chromium.run(f"return {BUTTONS}"):
            break  # it decides
    chromium.run("""
      const fetching = window.fetch;
      window.fetch = async (...request) => {
        const reply = await fetching(...request);
        if (!String(request[0]).endsWith('/ApplyMove')) return reply;
        window.fetch = fetching;
        window.lost = true;
        throw new TypeError('Failed to fetch');
      };
    """)
    chromium.click("[data-move='dive:blue']")
    chromium.wait(f"window.lost && {READY}")
    assert chromium.run(f"return {MESSAGE}.textContent") == ""
    assert [" dives in the blue site." in line for line in texts(chromium, "#events li")].count(True) == 1


def test_a_wrong_token_opens_no_seat(chromium: Browser, url: str) -> None:
    chromium.open(f"{seats_of(chromium, url)[0]}x")
    chromium.wait(f"{MESSAGE}.textContent")
    assert chromium.run(f"return {MESSAGE}.title") == "ERROR_REASON_TOKEN_REFUSED"
    assert chromium.run(f"return {BUTTONS}") == 0
