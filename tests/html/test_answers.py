"""The results of the gradient calls as data for the answer's card; and a short text for each code."""

import re
from pathlib import Path
from typing import Any

import pytest
from traced import VANISHING

from minitape.html.data.codes import in_short

PAGES = Path(__file__).parents[2] / "minitape/explain/pages"
_CODES = sorted(page.stem for page in PAGES.glob("MT*.md"))
LOST = """\
import numpy as np
w, u, v = tf.Variable(2.0), tf.Variable(4.0), tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = tf.square(np.sin(w * u)) + v
tape.gradient(loss, [w, v, u])
"""


def test_card_lists_each_mistake_and_each_connected_source_once(made: Any) -> None:
    page = made(LOST)
    (card,) = page.data["answers"].values()
    (lost,) = card["lost"]
    assert [page.text(name) for name, *_ in lost["of"]] == ["w", "u"]
    assert {page.text(value) for _, value, *_ in lost["of"]} == {"None"}
    assert [(page.text(name), page.text(value)) for name, value, *_ in card["came"]] == [
        ("v", "1.0")
    ]
    assert (lost["file"], lost["line"], lost["code"]) == (0, 5, "MT201")
    assert "np.sin" in page.text(lost["why"])
    assert "tf.sin" in page.text(lost["fix"])


def test_links_of_a_card_lead_to_steps_of_the_named_lines(made: Any) -> None:
    page = made(LOST)
    (card,) = page.data["answers"].values()
    (lost,) = card["lost"]
    steps = page.timeline.steps
    for name, _, made, came in (*lost["of"], *card["came"]):
        assert steps[made].kind == "variable"
        assert page.text(name) in {fact.label for fact in steps[made].facts}
        assert (steps[came].kind, steps[came].call) == ("result", 1)
        assert steps[came].what.endswith(f"∂{page.text(name)}")
    assert [is_cut for _, _, is_cut in lost["path"]].count(1) == 1
    for word, step, _ in lost["path"]:
        assert page.text(word).endswith(f":{steps[step].location.line}")
    target, requested = lost["target"]
    assert (page.text(target), steps[requested].kind) == ("loss", "gradient")


def test_texts_of_a_mistake_are_stored_once_for_all_iterations(made: Any) -> None:
    """Otherwise, the same sentences would be repeated a hundred times in a loop of a hundred iterations."""
    page = made(
        "import numpy as np\nw = tf.Variable(2.0)\nfor step in range(20):\n"
        "    with tf.GradientTape() as tape:\n        loss = tf.square(np.sin(w))\n    tape.gradient(loss, w)\n"
    )
    cards = list(page.data["answers"].values())
    assert len(cards) == 20
    assert len({card["lost"][0]["why"] for card in cards}) == 1
    assert len({card["lost"][0]["path"][0][1] for card in cards}) == 20
    assert sum("is a NumPy function" in text for text in page.data["texts"]) == 1


def test_only_codes_that_were_found_are_described(made: Any) -> None:
    assert set(made(LOST).data["codes"]) == {"MT201"}
    healthy = (
        "w = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y = w * w\nt.gradient(y, w)\n"
    )
    assert made(healthy).data["codes"] == {}


@pytest.mark.parametrize("code", _CODES)
def test_each_code_has_a_title_and_a_few_plain_sentences(code: str) -> None:
    title, *paragraphs = in_short(code)
    assert title
    assert not title.startswith((code, "#"))
    assert 1 <= len(paragraphs) <= 3
    for text in paragraphs:
        assert len(text) < 900
        assert not re.search(r"```|\]\(|^#|^- |\n", text)
        assert text.count("`") % 2 == 0


@pytest.mark.parametrize("code", _CODES)
def test_code_descriptions_are_complete_sentences(code: str) -> None:
    for text in in_short(code)[1:]:
        assert re.search(r"[.?!][)\"]?$", text), text


@pytest.mark.parametrize("code", _CODES)
def test_code_in_a_description_is_that_of_its_page(code: str) -> None:
    """This includes the powers in it."""
    page = " ".join((PAGES / f"{code}.md").read_text(encoding="utf-8").split())
    for text in in_short(code):
        assert all(f"`{each}`" in page for each in re.findall(r"`([^`]+)`", text))


def test_power_operator_in_code_is_kept() -> None:
    assert "`4.9 * time**2`" in " ".join(in_short("MT401"))


@pytest.mark.parametrize("code", _CODES)
def test_code_descriptions_do_not_refer_to_the_explain_command(code: str) -> None:
    assert "minitape explain" not in " ".join(in_short(code))


def test_card_contains_the_notes_and_the_descriptions_of_their_codes(made: Any) -> None:
    page = made(VANISHING)
    healthy, vanished = page.data["answers"].values()
    assert healthy["notes"] == healthy["lost"] == vanished["lost"] == []
    (note,) = vanished["notes"]
    assert (
        page.text(note["headline"])
        == "the gradient of `loss` vanishes on its way to the first layers"
    )
    assert (note["file"], note["line"], note["code"]) == (0, 9, "MT405")
    assert page.text(note["fix"]).startswith("use `tf.nn.relu`")
    assert list(page.data["codes"]) == ["MT405"]


@pytest.mark.parametrize("code", ["MT201", "MT203", "MT401", "MT405"])
def test_details_of_one_cause_or_threshold_are_omitted_from_descriptions(code: str) -> None:
    for text in in_short(code)[1:]:
        assert not text.startswith(("`", "Which thresholds")), text
