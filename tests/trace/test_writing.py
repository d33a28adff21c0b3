"""The modules that write a trace run in the user's Python, which may be older and have no packages installed."""

import ast
import gc
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.trace.writing import never_searched

WRITING = Path(__file__).parents[2] / "minitape/trace/writing.py"
PRINTABLE = Path(__file__).parents[2] / "minitape/printable.py"


@pytest.mark.parametrize(
    ("module", "of_minitape"), [(WRITING, {"minitape.printable"}), (PRINTABLE, set())]
)
def test_module_imports_only_the_standard_library(module: Path, of_minitape: set[str]) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {
        name if name in of_minitape else name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names | of_minitape


@pytest.mark.parametrize("module", [WRITING, PRINTABLE])
def test_module_parses_as_python_3_10(module: Path) -> None:
    ast.parse(module.read_text(encoding="utf-8"), feature_version=(3, 10))


def test_writing_can_be_imported_without_the_event_types():
    code = "import sys, minitape.trace.writing; print('msgspec' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_collection_is_restored_afterwards(was_on):
    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError), never_searched():
            assert not gc.isenabled()
            1 / 0  # noqa: B018
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_new_objects_are_not_collected_immediately_afterwards():
    searches = []
    gc.callbacks.append(watch := lambda phase, _: searches.append(phase))
    try:
        with never_searched():
            made = [[number] for number in range(100_000)]
        few = [[number] for number in range(100)]
    finally:
        gc.callbacks.remove(watch)
    assert len(made) + len(few) == 100_100
    assert not searches


def test_frozen_objects_of_a_program_stay_frozen():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with never_searched():
            pass
        # Some of the 300,000 objects of a test run may end in between; after `gc.unfreeze` it would be all of them.
        assert frozen - gc.get_freeze_count() < 100
    finally:
        gc.unfreeze()
