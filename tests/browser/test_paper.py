"""The handout: the printed page."""

import re
from pathlib import Path
from typing import Any

import pytest
from frames import LOST

pytestmark = pytest.mark.one_in(14)


@pytest.mark.parametrize("dark", [False, True])
def test_print_contains_answer_source_picture_and_steps(opened: Any, dark: bool) -> None:
    view = opened(LOST, dark=dark)
    view.press("Home")
    view.frame.fill("#note", "look here")
    view.press("Tab", "Escape")
    view.page.emulate_media(media="print")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = ("#answers", "#files", "#pictures", "#handout", "h1")
    hidden = ("#now", "footer", "#tools", "#query", "#split-source", "#theme")
    assert [view.is_hidden(each) for each in shown] == [False] * len(shown)
    assert [view.is_hidden(each) for each in hidden] == [True] * len(hidden)
    tops = [view.frame.locator(each).bounding_box()["y"] for each in ("h1", *shown[:4])]
    assert tops == sorted(tops)
    rows = view.frame.locator("#handout tbody tr")
    assert rows.count() == len(view.data["what"])
    assert "look here" in (rows.first.text_content() or "")
    for i in range(rows.count()):
        assert view.word("what", i) in (rows.nth(i).text_content() or "")
    assert "not yet" not in view.text(".picture:not([hidden])")
    assert view.frame.evaluate("getComputedStyle(document.body).color") == "rgb(27, 31, 36)"
    assert view.frame.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    view.frame.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows.count() == 0
    assert view.step == 0


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_printed_pdf_contains_everything_within_its_pages(
    opened: Any, tmp_path: Path, paper: str
) -> None:
    """Chromium prints as it does for a user, and sends the page the events before printing."""
    view = opened(LOST)
    view.frame.evaluate(
        """() => {
            const rows = () => document.querySelectorAll('#handout tr').length;
            addEventListener('beforeprint', () => { document.title = 'rows ' + rows(); });
            addEventListener('afterprint', () => { document.title += ' ' + rows(); });
        }"""
    )
    printed = view.page.pdf(format=paper)
    assert printed.startswith(b"%PDF")
    steps = len(view.data["what"])
    view.frame.wait_for_function(f"document.title === 'rows {steps + 1} 0'")
    across, high = (595.3, 841.9) if paper == "A4" else (612, 792)
    for box in _boxes(printed):
        assert list(map(float, box.split())) == pytest.approx([0, 0, across, high], abs=1)
    assert 1 <= len(_boxes(printed)) <= 4


def _boxes(printed: bytes) -> list[str]:
    return [each.decode() for each in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", printed)]


def test_print_of_a_long_run_has_its_beginning_end_and_problems(opened: Any) -> None:
    view = opened(
        "w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    h = w\n    for t in range(300):\n        h = h * 0.99\n"
        "tape.gradient(h, w)\n" + "# a line\n" * 200
    )
    view.press("End")
    view.page.emulate_media(media="print")
    view.frame.evaluate("dispatchEvent(new Event('beforeprint'))")
    rows = view.frame.locator("#handout tbody tr").all_text_contents()
    assert 30 < len(rows) <= 45
    assert any(row.startswith("… ") for row in rows)
    assert rows[-1].startswith(str(len(view.data["what"])))
    seen = view.frame.locator(".file li:not(.far)").count()
    assert 6 <= seen <= 12
