"""What the errors say about a missing name is true, and the suggested replacement has the same meaning."""

import importlib.util
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
from minitape.unsupported import advice, table
from minitape.unsupported.messages import of_name

_SPEC = importlib.util.spec_from_file_location(
    "proposals", Path(__file__).with_name("proposals.py")
)
assert _SPEC is not None and _SPEC.loader is not None
proposals: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(proposals)

_REVIEWED = Path(__file__).with_name("proposals.tsv")
_ON_TENSORFLOW = "run `minitape explain --on tensorflow SCRIPT`"
_INTRO = (
    "# What the errors propose, and for which names. A person has read each line and found that the proposal means what the\n"
    "# names mean. Read each line that `python -m pytest tests/unsupported --update` adds before you keep it.\n"
)


@pytest.mark.whole
def test_every_suggestion_is_on_the_reviewed_list(request: pytest.FixtureRequest) -> None:
    found = {(name, each) for each, names in proposals.proposals().items() for name in names}
    if request.config.getoption("--update"):
        lines = (f"{each}\t{' '.join(names)}\n" for each, names in proposals.proposals().items())
        _REVIEWED.write_text(_INTRO + "".join(lines), encoding="utf-8")
    reviewed = {
        (name, line.partition("\t")[0])
        for line in _REVIEWED.read_text(encoding="utf-8").splitlines()
        if not line.startswith("# ")
        for name in line.partition("\t")[2].split()
    }
    assert sorted(found - reviewed) == []
    assert sorted(reviewed - found) == []


@pytest.mark.whole
def test_every_name_in_a_suggestion_is_supported() -> None:
    lost = []
    for proposal in proposals.proposals():
        for name in re.findall(r"\btf(?:\.\w+)+", proposal):
            try:
                eval(name, {"tf": tf})
            except AttributeError:
                lost.append((proposal, name))
    assert lost == []


def test_no_text_denies_a_name_that_tensorflow_2_has() -> None:
    denials = re.compile("Neither TensorFlow|was removed|TensorFlow 1|private code")
    wrong = []
    for entry in table.each():
        if entry.kind != "v1" and proposals.is_lacking(entry):
            reported = of_name(entry.name, ())
            is_of_session = entry.name in advice.VERSION_1
            if not is_of_session and (
                denials.search(reported.what) or _ON_TENSORFLOW not in reported.fix
            ):
                wrong.append((entry.name, reported))
    assert wrong == []


def test_tensorflow_1_names_are_in_compat_v1() -> None:
    wrong = []
    for entry in table.each():
        if entry.kind == "v1" and proposals.is_lacking(entry):
            plain = of_name(entry.name, ())
            compat = of_name(entry.name.replace("tf.", "tf.compat.v1.", 1), ())
            says = "tf.compat.v1" in plain.what and _ON_TENSORFLOW not in plain.fix
            if not (
                says and "TensorFlow 2 has" not in compat.what and _ON_TENSORFLOW in compat.fix
            ):
                wrong.append((entry.name, plain, compat))
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tf.experimental.numpy", ["does not support `tf.experimental.numpy`", _ON_TENSORFLOW]),
        ("tf.experimental.numpy.sum", [_ON_TENSORFLOW]),
        ("tf.python.framework.ops", ["private code in TensorFlow", _ON_TENSORFLOW]),
        ("tf.core.protobuf", ["private code in TensorFlow", _ON_TENSORFLOW]),
        ("tf.raw_ops.MatMul", ["does not support `tf.raw_ops`", _ON_TENSORFLOW]),
        ("tf.compat.v1.layers.dense", ["`tf.compat.v1.layers`", "tf.keras.layers", _ON_TENSORFLOW]),
        ("tf.keras.saving.load_model", ["tf.keras.models.load_model", _ON_TENSORFLOW]),
        (
            "tf.strings.split",
            ["does not support `tf.strings.split`", "Python's strings", _ON_TENSORFLOW],
        ),
        ("tf.estimator", ["Neither TensorFlow nor minitape", "2.16 removed estimators"]),
        ("tf.var", ["tf.math.reduce_variance"]),
        ("tf.batch_matmul", ["tf.matmul(x, y)"]),
    ],
)
def test_text_says_where_the_name_is_and_what_to_write(name: str, says: Sequence[str]) -> None:
    reported = of_name(name, ())
    text = f"{reported.what}\n{reported.fix}"
    assert [each for each in says if each not in text] == []


@pytest.mark.parametrize(
    ("name", "misleading"),
    [
        ("tf.strings.split", "tf.split"),
        ("tf.math.cov", "tf.math.cos"),
        ("tf.nan", "tf.tan"),
        ("tf.nn.ReLU", "tf.nn.elu"),
        ("tf.math.log2", "`tf.math.log`\n"),
        ("tf.linalg.cond", "tf.cond"),
        ("tf.int", "tf.int8"),
    ],
)
def test_name_with_another_meaning_is_not_suggested(name: str, misleading: str) -> None:
    module = eval(name.rpartition(".")[0], {"tf": tf})
    assert misleading not in of_name(name, dir(module)).fix + "\n"


_LIST_NAMES = """
import sys, types
import tensorflow as tf
import tensorflow.experimental.numpy
for path, module in sorted(sys.modules.items()):
    if path.startswith("tensorflow._api.v2.") and "compat" not in path and "__" not in path:
        for name in dir(module):
            if not name.startswith("_"):
                print("tf." + path.removeprefix("tensorflow._api.v2.") + "." + name)
for name in dir(tf):
    if not name.startswith("_") and name not in ("dtensor", "security", "tools"):
        print("tf." + name)
"""


@pytest.mark.tensorflow
def test_table_has_every_name_of_tensorflow(tensorflow_python: str) -> None:
    """Not in the way the table is written, but over the modules that TensorFlow has loaded."""
    ran = subprocess.run(
        [tensorflow_python, "-c", _LIST_NAMES],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    names = [name for name in ran.stdout.split() if not name.startswith("tf.raw_ops.")]
    assert len(names) > 1500
    assert [name for name in names if table.find(name) is None] == []


@pytest.mark.tensorflow
def test_table_is_up_to_date(tensorflow_python: str, tmp_path: Path) -> None:
    record = Path(__file__).with_name("record.py")
    written = tmp_path / "names.tsv"
    subprocess.run(
        [tensorflow_python, str(record), str(written)], capture_output=True, check=True, timeout=60
    )
    known = Path(table.__file__).with_name("names.tsv")
    assert written.read_text(encoding="utf-8") == known.read_text(encoding="utf-8")
