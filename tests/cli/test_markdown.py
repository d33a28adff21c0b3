"""`minitape explain --format markdown`: an explanation that users can paste into an issue."""

import re
from pathlib import Path
from typing import Any

import pytest

from minitape_cli.views.markdown import escaped


def test_finding_is_a_section_with_its_lines(minitape: Any, none_script: Path) -> None:
    ran = minitape("explain", none_script, "--as-tensorflow", "--format", "markdown")
    assert ran.exit_code == 1
    assert ran.stdout.startswith("### MT201: the gradient of `loss` with respect to `w` is None\n")
    assert re.search(r"^> \d+ \| .*np\.", ran.stdout, re.M)
    assert "**Try:** use `tf." in ran.stdout
    assert ran.stdout.count("```") == 2


def test_missing_finding_is_reported(minitape: Any, healthy_script: Path) -> None:
    ran = minitape("explain", healthy_script, "--as-tensorflow", "--format", "markdown")
    assert (ran.exit_code, ran.stdout.count("\n")) == (0, 1)
    assert "found no gradient" in ran.stdout


STRANGE = """\
import numpy as np
import minitape as tf
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = tf.constant(np.square(w))  # ```` <img src=x onerror=1> [a](https://evil.example) @everyone
print(tape.gradient(y, w))
"""


def test_program_text_cannot_leave_its_code_block(minitape: Any, tmp_path: Path) -> None:
    script = tmp_path / "a_[b](c)<d>.py"
    script.write_text(STRANGE, encoding="utf-8")
    text = minitape("explain", script, "--format", "markdown").stdout
    outside = re.sub(r"^(`{5,})text\n.*?^\1$", "", text, flags=re.M | re.S)
    assert "evil" in text and "evil" not in outside
    assert r"a\_\[b\]\(c\)\<d\>.py" in outside


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("`a*b` and c*d", r"`a*b` and c\*d"),
        ("one ` alone <b>", r"one \` alone \<b\>"),
        ("``double`` <b>", r"\`\`double\`\` \<b\>"),
        ("see https://x.y @me", "see https://\u200bx.y @\u200bme"),
        ("![x](y)", r"\!\[x\]\(y\)"),
        ("- an item, re-entered", r"\- an item, re-entered"),
        ("1. an item", r"1\. an item"),
        ("two\n# lines", r"two \# lines"),
    ],
)
def test_prose_is_escaped(text: str, markdown: str) -> None:
    assert escaped(text) == markdown
