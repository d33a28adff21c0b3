"""The texts on the page of two runs."""

import pytest

from minitape.html.run.two import changed_lines


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("a\nb", "a\nb", "The sources are the same."),
        (
            "x = tf.sigmoid(h)",
            "x = tf.tanh(h)",
            "Line 1 differs: `tf.sigmoid` in A, `tf.tanh` in B.",
        ),
        ("a\nlr = 0.1", "a\nlr = 0.2", "Line 2 differs: `0.1` in A, `0.2` in B."),
        ("a\nb", "a\nnew\nb", "1 line differs, line 2."),
        ("a\nb\nc", "a\nx\ny", "2 lines differ, from line 2 on."),
    ],
)
def test_change_is_summarized_in_a_sentence(first: str, second: str, said: str) -> None:
    assert changed_lines(first, second).sentence == said


def test_changed_lines_of_both_sides_have_their_own_numbers() -> None:
    found = changed_lines("a\nb\nc\nd", "new\na\nb\nC\nd")
    assert (found.first, found.second) == ((3,), (1, 4))
