"""A program that imports minitape is rewritten to import TensorFlow."""

import ast
from pathlib import Path

import pytest

from minitape.run.program import of_file, of_text, with_tensorflow


def swapped(text: str) -> str:
    return with_tensorflow(of_text(text, file="<code>", invoked="-c")).parts[0].text.decode()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("import minitape as tf", "import tensorflow as tf"),
        ("import minitape", "import tensorflow as minitape"),
        ("import numpy, minitape as tf", "import numpy, tensorflow as tf"),
        ("from minitape import keras", "from tensorflow import keras"),
        ("from minitape.keras import layers as l", "from tensorflow.keras import layers as l"),
        ("import minitape.keras as k", "import tensorflow.keras as k"),
        (
            "try: import minitape as tf\nfinally: pass",
            "try: import tensorflow as tf\nfinally: pass",
        ),
    ],
)
def test_imports_are_renamed(ours: str, theirs: str) -> None:
    assert swapped(ours) == theirs


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\n",
        "import minitapes\nfrom . import minitape\nprint('import minitape')  # import minitape\n",
        "import minitape as\n",
        "x = 1\x00\n",
    ],
)
def test_other_code_is_unchanged(text: str) -> None:
    assert swapped(text) == text


def test_each_line_keeps_its_number() -> None:
    text = "é = 1; from minitape import (\n    keras,\n    nn,\n); y = 2  # so\nz = 3\n"
    new = swapped(text)
    assert new.count("\n") == text.count("\n")
    assert ast.parse(new).body[-1].lineno == ast.parse(text).body[-1].lineno
    assert "from tensorflow import keras, nn; y = 2  # so" in new


def test_changed_program_is_not_run_from_its_file(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import minitape as tf\n")
    program = of_file(script)
    assert program.is_script
    assert not with_tensorflow(program).is_script
    script.write_text("import tensorflow as tf\n")
    assert with_tensorflow(of_file(script)).is_script
