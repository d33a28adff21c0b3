"""A script that runs on minitape and uses names that minitape lacks: a note lists them when the script starts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TRAINS_THEN_SAVES = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
print("trained")
model.save("model.keras")
"""


def test_note_comes_first_with_line_name_exception_and_command(
    minitape: Any, write_script: Callable[..., Path]
) -> None:
    script = write_script(TRAINS_THEN_SAVES)
    ran = minitape("explain", "--as-tensorflow", script)
    note = (
        "This script uses names that minitape does not support:\n"
        "  line 4: `model.save` raises UnimplementedError\n"
        f"  or: minitape explain --on tensorflow {script}\n"
    )
    assert note in ran.stderr
    assert ran.stderr.index(note) < ran.stderr.index("Traceback")
    assert ran.exit_code == 3  # the script behaves in the same way as without the note


def test_note_names_the_command_in_use(minitape: Any, write_script: Callable[..., Path]) -> None:
    script = write_script(TRAINS_THEN_SAVES)
    ran = minitape("run", "--as-tensorflow", script)
    assert f"  or: minitape run --on tensorflow {script}\n" in ran.stderr


def test_note_is_in_json_and_hidden_by_quiet(
    minitape: Any, write_script: Callable[..., Path]
) -> None:
    ran = minitape(
        "explain", "--as-tensorflow", "--json", "--quiet", write_script(TRAINS_THEN_SAVES)
    )
    notes = [each for each in json.loads(ran.stdout)["diagnostics"] if each["level"] == "note"]
    assert "`model.save` raises UnimplementedError" in notes[0]["message"]
    assert "This script uses names" not in ran.stderr


def test_failed_search_for_names_does_not_stop_the_script(
    minitape: Any, write_script: Callable[..., Path]
) -> None:
    text = "import ast\nast.parse = None\nimport tensorflow as tf\nprint('came to its end')\ntf.audio\n"
    ran = minitape("run", "--as-tensorflow", write_script(text))
    assert "came to its end" in ran.stdout
    assert "This script uses names" not in ran.stderr
    assert ran.exit_code == 3  # tf.audio


def test_long_list_of_names_is_shortened(minitape: Any, write_script: Callable[..., Path]) -> None:
    names = ("audio", "distribute", "feature_column", "lookup", "ragged", "sparse")
    text = "import tensorflow as tf\n" + "".join(f"tf.{name}.x\n" for name in names)
    ran = minitape("run", "--as-tensorflow", write_script(text))
    assert "line 5: `tf.lookup`" in ran.stderr
    assert "and 2 more\n" in ran.stderr
    assert "line 6" not in ran.stderr.partition("Traceback")[0]


@pytest.mark.parametrize(
    "text", ["import tensorflow as tf\ntf.nn.relu(1.0)\n", "import minitape as tf\n"]
)
def test_healthy_script_gets_no_note(
    minitape: Any, write_script: Callable[..., Path], text: str
) -> None:
    assert "does not support" not in minitape("run", "--as-tensorflow", write_script(text)).stderr


@pytest.mark.tensorflow
def test_tensorflow_run_gets_no_note(
    minitape: Any, write_script: Callable[..., Path], tensorflow_python: str
) -> None:
    script = write_script("import tensorflow as tf\ntf.ragged.constant([[1]])\n")
    ran = minitape("run", "--python", tensorflow_python, script)
    assert (ran.exit_code, "does not support" in ran.stderr) == (0, False)
