"""`opened(...)` makes the page of a script and opens it in Chromium; a request or a logged error of the page fails the test."""

import re
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from outside import package, program
from traced import run

from minitape.explain.explain import explain
from minitape.html import page
from minitape.html.data.packing import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `--whole`, run the few selected tests on one worker, because starting a browser takes longer than the tests."""
    if not config.getoption("--whole"):
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(pytest.mark.xdist_group("browser"))


# Large data is unpacked after the page has loaded.
_STARTED = """() => {
    const data = document.getElementById('data');
    if (!data || !data.textContent.startsWith('{"packed"')) return true;
    return document.querySelector('#position')?.textContent || document.querySelector('#rows li');
}"""


@dataclass
class View:
    """An open page: what it contains, what it shows, and its unwanted requests and errors."""

    page: "Page"
    frame: "Frame"
    opening: float  # seconds
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.data: dict[str, Any] = unpacked(self.text("#data"))

    @property
    def step(self) -> int:
        """The step that the page shows."""
        return int(self.text("#position").split("/")[0].replace(",", "")) - 1

    def text(self, selector: str) -> str:
        return self.frame.locator(selector).text_content() or ""

    def word(self, column: str, step: int) -> str:
        return str(self.data["texts"][self.data[column][step]])

    def press(self, *keys: str) -> int:
        """Press keys; return the step that the page shows afterwards."""
        for key in keys:
            self.page.keyboard.press(key)
        return self.step

    def go_to(self, step: int) -> int:
        """Follow a link to the step, and return when it is shown."""
        self.frame.evaluate(f"location.hash = '#{step + 1}'")
        self.frame.locator("#position", has_text=re.compile(rf"^{step + 1} /")).wait_for()
        return step

    def is_hidden(self, selector: str) -> bool:
        return self.frame.locator(selector).is_hidden()


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    chromium = program(
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    )  # the shell opens a page in a third of the time
    with package("playwright.sync_api", "browser").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_QUIET)
        yield browser
        browser.close()


@pytest.fixture
def show(browser: "Browser", tmp_path: Path) -> Iterator[Callable[..., View]]:
    """Return a function that opens the text of a page."""
    views: list[View] = []

    def show(
        text: str,
        at: str = "",
        dark: bool = False,
        framed: bool = False,
        patience: int = 60_000,  # milliseconds
        story: bool = False,
    ) -> View:
        """A page opens on its scenes; without `story`, an address without a step opens the first step or the overview."""
        if not at and not story and '"opensOnStory":true' in text:
            at = "#1&run=1" if '"opensOnRun":true' in text else "#1"
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": 1360, "height": 820}, color_scheme="dark" if dark else "light"
        )
        tab = context.new_page()
        tab.set_default_timeout(patience)
        faults: list[str] = []
        url = file.as_uri()
        tab.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
        tab.on("pageerror", lambda error: faults.append(f"error: {error}"))
        tab.on("dialog", lambda dialog: (faults.append("dialog"), dialog.dismiss()))
        # Data of the page itself, such as a picture that becomes a PNG, is not loaded from anywhere.
        own = (url, "data:")
        tab.on(
            "request",
            lambda r: None if r.url.startswith(own) else faults.append(f"request: {r.url}"),
        )
        begun = time.perf_counter()
        tab.goto(url + at)
        frame = tab.frames[1] if framed else tab.main_frame
        frame.wait_for_load_state("load")
        frame.wait_for_function(_STARTED)
        views.append(View(tab, frame, time.perf_counter() - begun, faults))
        return views[-1]

    yield show
    for view in views:
        view.page.context.close()
        assert not view.faults


@pytest.fixture
def paged(tmp_path: Path) -> Callable[..., str]:
    """Return a function that makes the page of a script, as text."""

    def paged(text: str, name: str = "lesson.py", **run_options: Any) -> str:
        path = tmp_path / name
        path.write_text("import minitape as tf\n" + textwrap.dedent(text), encoding="utf-8")
        trace = run(path, timeout=60, max_ops=30_000).trace
        return page(trace, explain(trace), **run_options)

    return paged


@pytest.fixture
def opened(show: Callable[..., View], paged: Callable[..., str]) -> Callable[..., View]:
    """Return a function that makes the page of a script and opens it."""

    def opened(
        text: str, at: str = "", dark: bool = False, story: bool = False, **run_options: Any
    ) -> View:
        return show(paged(text, **run_options), at, dark, story=story)

    return opened
