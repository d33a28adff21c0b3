"""The house: who needs what, and how large a page may be."""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import minitape
import minitape_cli

COMMANDS = Path(minitape_cli.__file__).parent
LIBRARY = Path(minitape.__file__).parent
PACKAGES = (
    "course",
    "trace",
    "tracer",
    "run",
    "explain",
    "fixes",
    "verify",
    "draw",
    "timeline",
    "html",
    "notebook",
    "debug",
)


def test_stored_trace_is_processed_without_numpy_and_engine(
    tmp_path: Path,
) -> None:
    """Whoever only looks at a run, of whatever engine, needs neither."""
    stored = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "minitape_cli", "trace", "numpy_detour", "-o", str(stored)]
    subprocess.run(command, check=True, capture_output=True)
    code = """
        import sys
        for name in ("numpy", "core", "ops", "autodiff", "keras", "tracer", "run", "api"):
            sys.modules[name if name == "numpy" else f"minitape.{name}"] = None
        from pathlib import Path
        from minitape import draw
        from minitape.explain.explain import explain
        from minitape.notebook.shown import drawn
        from minitape.html import page
        from minitape.timeline import build_timeline
        from minitape.trace.reading import read
        trace = read(Path(sys.argv[1]))
        report = explain(trace)
        print(report.calls[0].sources[0].findings[0].code)
        picture = draw.picture(trace, report)
        print("np.square" in draw.text(picture), "<svg" in drawn(trace, engine="built-in").svg)
        print(len(build_timeline(trace, report).steps) > 10, "<html" in page(trace, report))
    """
    ran = subprocess.run(
        [sys.executable, "-c", dedent(code), str(stored)], capture_output=True, text=True
    )
    assert ran.stderr == ""
    assert ran.stdout == "MT201\nTrue True\nTrue True\n"


def test_importing_minitape_loads_neither_numpy_nor_msgspec() -> None:
    code = "import sys, minitape; print({'numpy', 'msgspec'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


def test_running_engine_needs_no_msgspec() -> None:
    code = "import sys, minitape as tf; tf.constant(1.0) + 1.0; print('msgspec' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("package", PACKAGES)
def test_package_docstring_names_its_input_and_output(package: str) -> None:
    for page in (LIBRARY / package).rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(page.read_text(encoding="utf-8"))), page


@pytest.mark.parametrize("package", PACKAGES)
def test_package_has_few_modules(package: str) -> None:
    folders = [
        LIBRARY / package,
        *(each for each in (LIBRARY / package).rglob("*") if each.is_dir()),
    ]
    sizes = {folder.name: len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: size for name, size in sizes.items() if size > 13} == {}


def test_command_line_functions_stay_under_their_line_limit() -> None:
    long = [
        f"{path.name}: {node.name}"
        for path in COMMANDS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= 60
    ]
    assert long == []
