"""A program's text shows which names will be missing, before the program has run."""

import subprocess
import sys
from pathlib import Path

import pytest

from minitape.unsupported.lookahead import MissingName, missing_names

ROOT = Path(__file__).parents[2]
# Programs that run to their end on minitape.
_HEALTHY = (
    "minitape/examples",
    "tests/guides/scripts",
    "tests/explain/cases",
    "tests/parity/programs",
    "tests/solutions",
    "tests/endurance",
    "tutorials",
    "benchmarks",
)


def _found(text: str, folder: Path = Path("/nowhere")) -> list[tuple[int, str, str]]:
    names = missing_names([("train.py", text.encode())], folder)
    return [(each.line, each.name, each.error) for each in names]


@pytest.mark.parametrize("folder", _HEALTHY)
def test_no_name_is_reported_for_programs_that_run(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    wrong = [
        each
        for path in paths
        for each in missing_names([(str(path), path.read_bytes())], path.parent)
    ]
    assert wrong == []


_MISSING = [
    ("import tensorflow as tf\ntf.ragged.constant([1])", "tf.ragged", "AttributeError"),
    (
        "from tensorflow import keras as k\nk.layers.StringLookup()",
        "tf.keras.layers.StringLookup",
        "AttributeError",
    ),
    (
        "import tensorflow as tf\nL = tf.keras.layers\nL.StringLookup()",
        "tf.keras.layers.StringLookup",
        "AttributeError",
    ),
    (
        "import tensorflow.keras.backend as K\nK.ctc_decode([], [])",
        "tf.keras.backend.ctc_decode",
        "AttributeError",
    ),
    ("import tensorflow as tf\nimport tensorflow.lookup", "tf.lookup", "ModuleNotFoundError"),
    ("import tensorflow as tf\nfrom tensorflow import lookup", "tf.lookup", "ImportError"),
    ("import tensorflow.compat.v1 as tf\ntf.Session()", "tf.compat.v1.Session", "AttributeError"),
    (
        "import tensorflow as tf\ntf.data.Dataset.list_files('*')",
        "tf.data.Dataset.list_files",
        "AttributeError",
    ),
    ("from keras.models import load_model\nload_model('a')", "load_model", "UnimplementedError"),
    (
        "import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)]); m.save('a')",
        "m.save",
        "UnimplementedError",
    ),
    (
        "import keras\ndef make():\n    net = keras.Sequential()\n    return net\nm = make(); m.export('a')",
        "m.export",
        "UnimplementedError",
    ),
    (
        "import keras\nclass Net(keras.Model):\n    pass\nm = Net(); m.predict_classes(1)",
        "m.predict_classes",
        "AttributeError",
    ),
    (
        "import keras\ndef go(model):\n    model.compile('sgd', 'mse')\n    model.save('a')\ngo(keras.Sequential())",
        "model.save",
        "UnimplementedError",
    ),
    (
        "import keras\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.save_weights('a.h5')",
        "m.save_weights('a.h5')",
        "ValueError",
    ),
    (
        "import tensorflow as tf\ndef main():\n    return tf.sparse\nif __name__ == '__main__':\n    main()",
        "tf.sparse",
        "AttributeError",
    ),
]


@pytest.mark.parametrize(("text", "name", "error"), _MISSING)
def test_missing_name_is_found_with_its_exception(text: str, name: str, error: str) -> None:
    assert [(each, type_) for _, each, type_ in _found(text)] == [(name, error)]


def test_missing_name_raises_that_exception_when_run(tmp_path: Path) -> None:
    """All in one process: the text is run as the commands run it."""
    script = tmp_path / "all.py"
    script.write_text(
        "from minitape.run.child.alias import Alias\n"
        f"for text, error in {[(text, error) for text, _, error in _MISSING]!r}:\n"
        "    try:\n"
        "        with Alias():\n"
        "            exec(text, {'__name__': '__main__'})\n"
        "    except Exception as raised:\n"
        "        kinds = [kind.__name__ for kind in type(raised).__mro__]\n"
        "        assert error in kinds, (text, kinds)\n"
        "    else:\n"
        "        raise SystemExit(text)\n"
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\nif hasattr(tf, 'lookup'):\n    tf.lookup",
        "import tensorflow as tf\ntry:\n    tf.lookup\nexcept AttributeError:\n    pass",
        "import tensorflow as tf\nhasattr(tf, 'lookup') and tf.lookup",
        "import tensorflow as tf\nx = tf.lookup if hasattr(tf, 'lookup') else None",
        "import tensorflow as tf, contextlib\nwith contextlib.suppress(AttributeError):\n    tf.lookup",
        "import tensorflow as tf\ndef unused():\n    return tf.lookup",
        "import tensorflow as tf\ndef f(x: tf.RaggedTensor) -> tf.SparseTensor: ...",
        "import tensorflow as tf\ntf.lookup = {}\ntf.lookup",
        "import tensorflow as tf\ntf = object()\ntf.lookup",
        "import tensorflow as tf\ndef f(tf):\n    return tf.lookup\nf(1)",
        "import tensorflow as tf, numpy as np\nnp.save('a', np.zeros(1))",
        "import tensorflow as tf, matplotlib.pyplot as plt\nplt.savefig('a')",
        "import tensorflow as tf\nfrom PIL import Image\nimage = Image.open('a')\nimage.save('b')",
        "import tensorflow as tf\ncheckpoint = tf.train.Checkpoint(v=tf.Variable(1.0))\ncheckpoint.save('a')",
        "import tensorflow as tf\nclass Net(tf.keras.Model):\n    def save(self, path): ...\nn = Net()\nn.save(1)",
        "import tensorflow as tf\nm = tf.keras.Sequential()\nm.save_weights('a.weights.npz')",
        "import tensorflow as tf\ndef f():\n    x = tf.keras.Sequential()\n    x.fit(1)\ndef g(x):\n    x.save(1)\nf()\ng(1)",
        "import tensorflow as tf\nif False:\n    tf.lookup",
        "import tensorflow as tf\nx = (",
        "import tensorflow as tf\nx = '\x00'",
        "",
    ],
)
def test_no_name_is_reported_if_the_program_handles_its_absence(text: str) -> None:
    assert _found(text) == []


def test_modules_in_the_programs_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("from . import inner\n")
    (tmp_path / "package" / "inner.py").write_text(
        "import tensorflow as tf\ndef go():\n    tf.ragged\ndef other():\n    tf.lookup\n"
        "if __name__ == '__main__':\n    tf.lookup\n"
    )
    text = b"import tensorflow as tf\nfrom package.inner import go\ngo()\n"
    inner = str(tmp_path / "package" / "inner.py")
    assert missing_names([("train.py", text)], tmp_path) == [
        MissingName(inner, 3, "tf.ragged", "AttributeError")
    ]


def test_large_module_is_not_read(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    main = [("main.py", b"import helper\n")]
    text = "import tensorflow as tf\ntf.audio.x\n"
    helper.write_text(text)
    assert [each.name for each in missing_names(main, tmp_path)] == ["tf.audio"]
    helper.write_text(f"{text}# {'a' * 400_000}\n")
    assert missing_names(main, tmp_path) == []


def test_notebook_cells_share_their_names() -> None:
    cells = [("<cell 1>", b"import tensorflow as tf\n"), ("<cell 2>", b"\ntf.lookup\n")]
    assert missing_names(cells, Path("/nowhere")) == [
        MissingName("<cell 2>", 2, "tf.lookup", "AttributeError")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "m = tf.keras.Sequential(); m.fit(1)",
        "def f(m):\n    m.compile()\n    m.fit(tf.nn.relu(1))\nf(1)",
        "x = tf.nn.relu(tf.math.log(2.0)) + tf.sparse.x",
    ],
)
def test_work_is_proportional_to_length_of_text(line: str) -> None:
    """Counted in function calls, which do not depend on how busy the machine is."""

    def calls(lines: int) -> int:
        text = f"import tensorflow as tf\n{(line + chr(10)) * lines}".encode()
        count = 0

        def counted(frame: object, event: str, arg: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(counted)
        try:
            missing_names([("train.py", text)], Path("/nowhere"))
        finally:
            sys.setprofile(None)
        return count

    calls(1)  # fills the caches
    few, many = calls(200), calls(400)
    assert many < 2.2 * few


@pytest.mark.parametrize(
    "text",
    [
        "tf" + ".a" * 50_000,
        "x = " + "+".join(["tf.nn.relu(1)"] * 20_000),
        "x = tf" + ".a()" * 500,
        "x = [" + "1, " * 100_000 + "]",
        "x = " + "(" * 150 + "1" + ")" * 150,
        "#" + "a" * 10_000_000 + "\ntf.lookup",
    ],
)
def test_deep_or_huge_program_is_handled(text: str) -> None:
    names = _found(f"import tensorflow as tf\n{text}\n")
    assert names in ([], [(2, "tf.a", "AttributeError")])


def test_syntax_warning_is_not_repeated(recwarn: pytest.WarningsRecorder) -> None:
    _found("import tensorflow as tf\nx = '\\d'\n")
    assert list(recwarn) == []
