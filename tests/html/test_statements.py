"""Values in the page's data: positions, integers, strings, and which picture is shown first."""

import re
from typing import Any

import pytest

from minitape.html.build import as_json
from minitape.html.data.columns import location_in
from minitape.trace.events import SourceRange

ITERATIONS = """\
w, v = tf.Variable(2.0), tf.Variable([1.0, 3.0])
with tf.GradientTape() as tape:
    y = w * w
tape.gradient(y, w)
with tf.GradientTape() as tape:
    z = tf.reduce_sum(tf.exp(v))
tape.gradient(z, v)
"""


def test_position_within_one_line_has_columns_and_one_over_several_has_none() -> None:
    files = {"a.py": 0}
    assert location_in(SourceRange("a.py", 3, 4, 3, 9), files) == [0, 3, 4, 9]
    assert location_in(SourceRange("a.py", 3, 4, 5, 9), files) == [0, 3]
    assert location_in(SourceRange("a.py", 3, -1, 3, -1), files) == [0, 3]


@pytest.mark.parametrize(
    ("written", "reported"),
    [
        ("[0, 2**60]", ["0", str(2**60)]),
        ("[[-(2**60)], [1]]", [[str(-(2**60))], ["1"]]),
        ("[0, 2**50]", [0, 2**50]),
    ],
)
def test_large_integers_are_stored_as_strings(made: Any, written: str, reported: Any) -> None:
    page = made(f"x = tf.constant({written}, tf.int64)\ny = x * tf.constant(1, tf.int64)\n")
    assert reported in [tensor["data"] for tensor in page.data["tensors"] if "data" in tensor]


def test_bidirectional_control_characters_are_in_no_string() -> None:
    assert as_json({"name": "loss\u202e"}) == '{"name":"loss·"}'
    assert as_json({"name": "loss ✗"}) == '{"name":"loss ✗"}'


def test_only_the_first_picture_is_visible(made: Any) -> None:
    figures = re.findall(
        r'<figure class="picture" data-picture="(\d)"( hidden)?>', made(ITERATIONS).html
    )
    assert figures == [("0", ""), ("1", " hidden")]
