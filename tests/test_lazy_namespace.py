"""`import minitape` brings no names; the first use of one brings what it needs, and nothing is different from then on."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import minitape as tf
from minitape import api

pytestmark = pytest.mark.one_in(3)

WITHOUT_NUMPY = "import sys; sys.modules['numpy'] = None\n"
ENGINE = ("minitape.api", "minitape.core", "minitape.ops", "minitape.autodiff")


def _fresh(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    "bare", ["import minitape", "import minitape.errors", "from minitape import raised_at"]
)
def test_importing_loads_neither_numpy_nor_the_engine(bare: str) -> None:
    loaded = _fresh(f"{WITHOUT_NUMPY}{bare}\nprint(*sys.modules)").split()
    assert "minitape" in loaded
    assert [name for name in loaded if name.startswith(ENGINE)] == []


def test_version_is_available_without_numpy() -> None:
    assert _fresh(f"{WITHOUT_NUMPY}import minitape; print(minitape.__version__)").strip()


@pytest.mark.parametrize(
    "program",
    [
        "import minitape as tf; x = tf.constant(2.0)",
        "from minitape import constant; x = constant(2.0)",
        "from minitape import *; x = constant(2.0)",
        "import minitape.math as m; x = m.add(1.0, 1.0)",
        "import minitape.core.tensor; import minitape as tf; x = tf.constant(2.0)",
        "from minitape.core.convert import constant; import minitape.ops; x = constant(2.0)",
        "from minitape import keras; import minitape as tf; x = keras.layers.Dense(1)(tf.constant([[2.0]])) * 0.0 + 2.0",
        "import minitape as tf; x = tf.zeros_initializer()([]) + 2.0",
    ],
)
def test_engine_works_whichever_name_is_used_first(program: str) -> None:
    """Operators look their ops up by name, so all pages of ops must be there."""
    reported = "import sys; sys.stdout.write(str(float((abs(x) * x + x) * 2.0)))"
    assert _fresh(f"{program}\n{reported}") == "12.0"


def test_tensor_loads_the_ops(tmp_path: Path) -> None:
    """A process that unpickles one has used no name of minitape."""
    file = tmp_path / "tensors"
    file.write_bytes(pickle.dumps((tf.constant(2.0), tf.Variable(3.0))))
    program = "import pickle, sys; x, v = pickle.load(open(sys.argv[1], 'rb')); print(float(x * v))"
    assert _fresh(program, str(file)) == "6.0\n"


def test_name_is_cached_after_its_first_use() -> None:
    program = "import minitape; minitape.constant; print('Variable' in vars(minitape))"
    assert _fresh(program) == "True\n"


def test_each_public_name_is_reachable() -> None:
    """Except for bfloat16, which imports another package: `import *` must not require it."""
    assert tf.__all__ == [name for name in api.__all__ if name != "bfloat16"]
    assert [name for name in tf.__all__ if getattr(tf, name) is not getattr(api, name)] == []


def test_package_name_is_not_used_for_anything_else() -> None:
    """Importing a subpackage sets it as an attribute of minitape: it would replace a function of the same name."""
    subpackages = {path.stem for path in Path(api.__file__).parent.iterdir()}
    shown = {name: getattr(tf, name) for name in tf.__all__ if name in subpackages}
    assert {name: value.__name__ for name, value in shown.items()} == {
        name: f"minitape.{name}" for name in shown
    }


def test_star_import_loads_all_names() -> None:
    program = "from minitape import *; import sys; sys.stdout.write(' '.join(globals()))"
    assert set(tf.__all__) <= set(_fresh(program).split())


def test_dir_lists_all_names_before_first_use() -> None:
    listed = _fresh("import minitape; print(*dir(minitape))").split()
    assert set(tf.__all__) <= set(listed)


def test_help_shows_the_names() -> None:
    assert "reduce_sum" in _fresh("import minitape, pydoc; print(pydoc.render_doc(minitape))")


def test_package_with_a_missing_dependency_names_it() -> None:
    """Not "minitape has no 'math'": it has, and NumPy is what is missing."""
    program = f"{WITHOUT_NUMPY}import minitape\ntry: minitape.math\nexcept ImportError as error: print(error.name)"
    assert _fresh(program) == "numpy\n"


def test_infinity_raises_no_warning_wherever_first_used() -> None:
    """A block that takes back what was said of warnings must not take the engine's silence with it."""
    program = """
import warnings
import minitape as tf
with warnings.catch_warnings():
    zero = tf.constant(0.0)
warnings.filterwarnings("error", module="__main__")
print(zero / zero)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "nan" in done.stdout
    assert done.stderr == ""


def test_dir_of_a_package_lists_unused_names() -> None:
    code = "import minitape as tf; print('max_pool' in dir(tf.nn), 'svd' in dir(tf.linalg))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True"]
