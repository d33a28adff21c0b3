"""The changes of a student in a file: inside the block, outside it, or none."""

import pytest

from minitape.course.block import OutsideChange, block_lines, compared

STARTER = """\
# %%
import minitape as tf

rate = 0.5

# TODO
answer = ...
# END

# %%
print(rate * 2)
"""
ANSWERED = STARTER.replace("...", "1.0")


def test_starter_is_unchanged_in_every_layout() -> None:
    assert compared(STARTER, STARTER).is_untouched
    assert compared(STARTER, STARTER.replace("rate = 0.5", "rate  =  0.5  # half")).is_untouched
    assert not compared(STARTER, ANSWERED).is_untouched


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rate = 0.5", "rate = 0.5  # a comment"),
        ("# %%\nprint", "\n\n# more\nprint"),
        ("import minitape as tf", "import math\nimport minitape as tf"),
        ("# TODO\n", ""),
        ("print(rate * 2)", "print(\n    rate * 2\n)"),
    ],
)
def test_change_without_effect_on_the_program_is_not_a_change(old: str, new: str) -> None:
    assert compared(STARTER, ANSWERED.replace(old, new)).outside == ()


def test_changed_line_outside_is_named_with_its_original() -> None:
    found = compared(STARTER, ANSWERED.replace("rate = 0.5", "rate = 2.0"))
    assert found.outside == (OutsideChange(4, "rate = 0.5", "rate = 2.0"),)
    assert found.restored is not None
    assert "rate = 0.5" in found.restored and "answer = 1.0" in found.restored


def test_added_and_removed_lines_are_named() -> None:
    more = compared(STARTER, ANSWERED + "print('again')\n")
    assert more.outside == (OutsideChange(12, "", "print('again')"),)
    less = compared(STARTER, ANSWERED.replace("print(rate * 2)\n", ""))
    assert [(each.was, each.now) for each in less.outside] == [("print(rate * 2)", "")]


def test_block_keeps_its_line_in_the_restored_program() -> None:
    text = ANSWERED.replace("rate = 0.5", "rate = 0.5\nmore = 1\nmost = 2")
    found = compared(STARTER, text)
    assert found.restored is not None
    lines = found.restored.splitlines()
    assert lines.index("answer = 1.0") == text.splitlines().index("answer = 1.0")


def test_imports_are_kept_in_the_restored_program() -> None:
    text = ANSWERED.replace("rate = 0.5", "rate = 2.0").replace("# %%\n", "import math\n", 1)
    found = compared(STARTER, text)
    assert (found.imports, len(found.outside)) == ("import math", 1)


def test_block_that_overwrites_a_name_of_the_lines_above_is_detected() -> None:
    assert compared(STARTER, ANSWERED.replace("answer", "rate = 3.0\nanswer")).taken == ("rate",)
    assert compared(STARTER, ANSWERED).taken == ()


def test_block_is_not_found_without_markers_and_with_other_lines() -> None:
    text = ANSWERED.replace("# TODO\n", "").replace("0.5", "2.0")
    found = compared(STARTER, text)
    assert found.outside == (OutsideChange(0, "", ""),)
    assert block_lines(text) is None
    assert block_lines(ANSWERED) == range(7, 8)


def test_block_statements_are_found_without_markers() -> None:
    text = ANSWERED.replace("# TODO\n", "").replace("# END\n", "").replace("0.5", "2.0")
    restored = compared(STARTER, text).restored
    assert restored is not None
    names: dict[str, object] = {}
    exec(restored, names)
    assert (names["answer"], names["rate"]) == (1.0, 0.5)
