"""docs/debugger.md lists the keys of the page, and its pictures exist."""

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "debugger.md").read_text(encoding="utf-8")


def test_documented_keys_are_those_of_the_page(made: Any) -> None:
    (table,) = re.findall(r"\| key \| action \|\n(.*?)\n\n", PAGE, re.S)
    reported = {
        key for row in table.splitlines() for key in re.findall(r"`(\S+)`", row.split("|")[1])
    }
    text = made("w = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n").html
    assert reported == set(re.findall(r"<kbd>(.*?)</kbd>", text))


def test_each_linked_picture_and_page_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert len(links) >= 2
    for link in links:
        assert (DOCS / link).exists(), link
