"""The gallery's pages in a browser: every card and arrow of the data is visible, and no text is too small, cut off, or covered
by another text, at the widths of a phone, a tablet and two screens, light and dark.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from outside import package
from traced import run

from minitape.explain.explain import explain
from minitape.html import page
from minitape.html.data.packing import unpacked

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.one_in(8)

PROGRAMS = sorted((Path(__file__).parents[2] / "docs" / "gallery" / "programs").glob("*.py"))
_READS = Path(__file__).with_name("gallery.js").read_text(encoding="utf-8")
SIZES = ((360, 740), (900, 900), (1400, 900), (1920, 1080))


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: str(path.stem))
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    trace = run(request.param, stdout=None).trace
    made = tmp_path_factory.mktemp("gallery") / f"{request.param.stem}.html"
    made.write_text(page(trace, explain(trace)), encoding="utf-8")
    return made


@pytest.fixture
def open_at(browser: "Browser", file: Path) -> Iterator[Any]:
    """Return a function that opens the page at an address, in a size."""
    contexts = []

    def open_at(address: str, size: tuple[int, int]) -> "Page":
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
        )
        contexts.append(context)
        tab = context.new_page()
        tab.goto(file.as_uri() + address)
        tab.wait_for_function("document.body.classList.contains('story') || location.hash !== ''")
        tab.wait_for_timeout(120)
        return tab

    yield open_at
    for context in contexts:
        context.close()


def read(tab: "Page", what: str, given: Any = None) -> Any:
    """Return the result of one of the functions in `gallery.js`, which may take one argument."""
    functions = _READS.partition("(")[2].rstrip().removesuffix(")")
    return tab.evaluate(f"(given) => ({functions}).{what}(given)", given)


def test_all_cards_and_arrows_of_the_data_are_visible(open_at: Any) -> None:
    tab = open_at("#1", SIZES[2])
    data = unpacked(tab.evaluate("document.getElementById('data').textContent"))
    numbers = [call["last"] + 1 for call in data["calls"]]
    for number in dict.fromkeys([*numbers[:1], *numbers[-1:]]):
        tab.evaluate(f"location.hash = '#{number}'")
        tab.wait_for_timeout(150)
        counts = read(tab, "counts", data["pictures"])
        assert counts["cards"] > 0
        assert counts["hiddenCards"] == counts["hiddenEdges"] == counts["intoNothing"] == []


def test_timeline_pictures_are_complete(open_at: Any) -> None:
    tab = open_at("", SIZES[2])
    tab.evaluate("document.getElementById('run-close')?.click()")
    shown = read(tab, "story")
    assert shown
    for each in shown:
        assert each["cards"] == each["rows"] > 0
        assert not each["scrolls"]
        assert each["hidden"] == 0 or tab.is_hidden("#story")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_texts_do_not_overlap_and_are_complete_and_large_enough(
    open_at: Any, size: tuple[int, int]
) -> None:
    tab = open_at("", size)
    for address in ("", "#scene=2", "#6"):
        if address:
            tab.evaluate(f"location.hash = '{address}'")
            tab.wait_for_timeout(120)
        for scheme in ("light", "dark"):
            tab.emulate_media(color_scheme=scheme)
            assert read(tab, "geometry") == [], (address, size, scheme)


@pytest.mark.parametrize("address", ["", "#1"])
def test_axe_finds_nothing_serious(open_at: Any, address: str) -> None:
    """axe-core is loaded as text, because the page's policy loads nothing."""
    tab = open_at(address, SIZES[2])
    axe = package("axe_playwright_python.base", "dev").AXE_SCRIPT
    tab.evaluate(f"{axe}; undefined")
    found = tab.evaluate("axe.run().then((result) => result.violations)")
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in serious] == []
