"""A headless Chromium, driven by Selenium."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

SCRIPT_SECONDS: Final = 100  # Selenium itself waits 120 for an answer
WAIT_SECONDS: Final = 60
POLL_SECONDS: Final = 0.05
ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",  # which it refuses to run in for root
    "--disable-dev-shm-usage",  # which is small in a container
    "--disable-component-update",
)


class Browser:
    """A session of a browser, seen through one of its windows."""

    def __init__(self, driver: Chrome) -> None:
        self._driver = driver

    def open(self, url: str) -> None:
        """Load a page from the start, also where only its fragment is another one."""
        self._driver.get("about:blank")
        self._driver.get(url)

    def open_beside(self, url: str) -> str:
        """Load a page in a new window, turn to it, and return the window's handle."""
        self._driver.switch_to.new_window("tab")
        self.open(url)
        window: str = self._driver.current_window_handle
        return window

    def turn_to(self, window: str) -> None:
        self._driver.switch_to.window(window)

    def click(self, selector: str) -> None:
        self._driver.find_element(By.CSS_SELECTOR, selector).click()

    def run(self, script: str, *arguments: object) -> Any:  # noqa: ANN401  as JSON has it
        """Return what a script returns; a promise is waited for."""
        return self._driver.execute_script(script, *arguments)

    def wait(self, expression: str) -> Any:  # noqa: ANN401  as JSON has it
        """Wait until an expression is true, and return its value."""
        try:
            return WebDriverWait(self._driver, WAIT_SECONDS, POLL_SECONDS).until(
                lambda _: self.run(f"return {expression}")
            )
        except TimeoutException as late:
            shown = [self.run("return document.body.innerText"), *self.complaints()]
            late.add_note("\n".join([f"{expression} is not true, and the page shows:", *shown]))
            raise

    def complaints(self) -> list[str]:
        """Return the errors that the console got since the last call."""
        return [entry["message"] for entry in self._driver.get_log("browser")]


def program(name: str) -> str:
    found = shutil.which(name)
    assert found is not None, f"needs {name}: Debian's packages are chromium and chromium-driver"
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """Run a browser with a profile of its own."""
    options = ChromeOptions()
    options.binary_location = program("chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "SEVERE"})
    for argument in ARGUMENTS:
        options.add_argument(argument)
    # with a path, Selenium looks for no driver of its own
    with Chrome(options, ChromeService(program("chromedriver"))) as driver:
        driver.set_script_timeout(SCRIPT_SECONDS)
        yield Browser(driver)
