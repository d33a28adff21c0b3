"""What `import minitape` brings is quick and no more than is needed; inside, imports go down and pages declare."""

import ast
import importlib
import inspect
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from types import GenericAlias, MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

from minitape.core.primitive import Primitive

pytestmark = pytest.mark.one_in(4)

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "minitape"


def _fresh(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_importing_minitape_loads_no_drawing_or_command_line() -> None:
    """They are for the commands; a script that trains a model must not wait for them."""
    loaded = _fresh(
        "import sys, minitape; minitape.constant; print(*{name.split('.')[0] for name in sys.modules})"
    )
    assert "minitape" in loaded.split()
    assert not {"rich", "typer", "click", "graphviz", "minitape_cli"} & set(loaded.split())


@pytest.mark.parametrize("package", ["minitape.debug", "minitape.keras"])
def test_rarely_used_packages_are_not_imported(package: str) -> None:
    loaded = _fresh("import sys, minitape; minitape.constant; print(*sys.modules)")
    assert package not in loaded.split()


def test_drawing_a_picture_does_not_import_slide_modules() -> None:
    program = """
import sys
from minitape_cli import main
sys.argv = ["minitape", "graph", "numpy_detour", *{more}]
try:
    main()
except SystemExit as end:
    print(end.code, "minitape.draw.diagram" in sys.modules)
"""
    assert _fresh(program.format(more=[])).splitlines()[-1] == "0 False"
    assert _fresh(program.format(more=["--slide"])).splitlines()[-1] == "0 True"


def test_import_takes_little_longer_than_numpy() -> None:
    """Compared with NumPy in alternating runs, so that a busy machine slows both."""

    def seconds(program: str) -> float:
        began = time.perf_counter()
        _fresh(program)
        return time.perf_counter() - began

    bare, numpy, ours = (
        statistics.median(times)
        for times in zip(
            *(
                (
                    seconds("pass"),
                    seconds("import numpy"),
                    seconds("import minitape; minitape.constant"),
                )
                for _ in range(5)
            ),
            strict=True,
        )
    )
    assert ours - bare < 3.0 * (numpy - bare) + 0.1


# --- imports go down ---


def _layers() -> dict[str, int]:
    """Return the layer of each package and public API module, from pyproject.toml; the lowest has the highest number."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(
        c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers"
    )
    rows = [[name.strip() for name in row.split("|")] for row in contract["layers"]]
    return {name: depth for depth, row in enumerate(rows) for name in row}


LAYERS = _layers()
FILES = sorted(
    path
    for path in LIBRARY.rglob("*.py")
    if path.parent.name != "examples" or path.stem == "__init__"
)


def _name(path: Path) -> str:
    return path.relative_to(LIBRARY).as_posix()


def _imported_packages(path: Path) -> Iterator[tuple[int, str]]:
    """Return the line and the package of each import from the library, including imports inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            # `from minitape import ops` names the package after `import`.
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in modules:
            library, *rest = module.split(".")
            if library == "minitape" and rest:
                yield node.lineno, rest[0]


@pytest.mark.together("path", FILES)
def test_packages_import_only_lower_layers(path: Path) -> None:
    """A package imports only itself and lower layers; packages of one layer do not import each other."""
    own = path.relative_to(LIBRARY).parts[0].removesuffix(".py")
    if own == "__init__":
        return  # the package shows all names to type checkers
    up = [
        (line, package)
        for line, package in _imported_packages(path)
        if package != own and package in LAYERS and own in LAYERS and LAYERS[package] <= LAYERS[own]
    ]
    assert up == []


@pytest.mark.together("path", FILES)
def test_imports_are_absolute(path: Path) -> None:
    """This test does not see relative imports, and a reader wants to see the package."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [n.lineno for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level] == []


def test_each_package_has_a_layer() -> None:
    packages = {path.relative_to(LIBRARY).parts[0].removesuffix(".py") for path in FILES}
    assert packages - {"__init__"} == set(LAYERS)


# --- no circles ---


def _pages_imported(path: Path, pages: Collection[str]) -> set[str]:
    """Those of the pages that one of them names in its imports, those for types included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # `from minitape.core import nest` names a page; of `from minitape.core.nest import flatten` the module is one.
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(names & set(pages) or {str(node.module)})
    return found & set(pages)


@pytest.mark.parametrize("package", ["core", "ops", "autodiff", "keras"])
def test_modules_of_a_package_have_no_import_cycle(package: str) -> None:
    """The modules can be ordered so that each follows those that it imports."""
    pages = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (LIBRARY / package).rglob("*.py")
    }
    unread = {page: _pages_imported(path, pages) - {page} for page, path in pages.items()}
    while unread:
        readable = [page for page, needs in unread.items() if needs.isdisjoint(unread)]
        assert readable, f"a cycle is among {sorted(unread)}"
        for page in readable:
            del unread[page]


# --- the engine can be read in one sitting ---


@pytest.mark.parametrize(
    ("path", "lines"),
    [("autodiff/tape.py", 80), ("autodiff/backward.py", 250), ("core/primitive.py", 500)],
)
def test_engine_core_stays_under_its_line_limit(path: str, lines: int) -> None:
    assert len((LIBRARY / path).read_text(encoding="utf-8").splitlines()) <= lines


# --- a page of ops declares and does nothing else ---

PAGES = sorted(
    ".".join(path.relative_to(LIBRARY / "ops").with_suffix("").parts)
    for path in (LIBRARY / "ops").rglob("*.py")
    if path.stem != "__init__"
)
# The stream of random numbers goes on from op to op, so it has to be kept somewhere.
KEPT = {"seeds": {"source"}}
# What cannot change, and so is no state.
FIXED = (str, bytes, int, float, complex, tuple, frozenset, type, type(None), ModuleType)
FIXED += (np.generic, np.dtype, np.ufunc, GenericAlias, type(Iterator[Any]), Primitive)
FIXED += (MappingProxyType,)


def _page(name: str) -> ModuleType:
    return importlib.import_module(f"minitape.ops.{name}")


@pytest.mark.together("name", PAGES)
def test_ops_modules_keep_no_state(name: str) -> None:
    """Primitives, functions and constants: the same at the end of a program as at its start."""
    tree = ast.parse(inspect.getsource(_page(name)))
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    found = {each: getattr(_page(name), each) for each in assigned - KEPT.get(name, set())}
    states = [n for n, value in found.items() if not (callable(value) or isinstance(value, FIXED))]
    assert states == []
    assert [n for n in ast.walk(tree) if isinstance(n, ast.Global)] == []


@pytest.mark.together("name", PAGES)
def test_ops_modules_only_declare_at_import(name: str) -> None:
    """No loop, no call for its effect: reading a page from top to bottom is reading its declarations."""
    tree = ast.parse(inspect.getsource(_page(name)))
    declares = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
    )
    acts = [
        ast.unparse(node)
        for node in tree.body
        if not isinstance(node, declares) and not _is_text(node) and not _is_for_types(node)
    ]
    assert acts == []


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


# --- NumPy alone ---

REFUSE = """
import runpy, sys

class WithoutPackages:
    allowed = {*sys.stdlib_module_names, "numpy", "minitape"}
    finders = tuple(sys.meta_path)

    def find_spec(self, name, path=None, target=None):
        is_of_python = name.startswith("_sysconfigdata")  # its name contains the platform
        if path is None and not is_of_python and name.partition(".")[0] not in self.allowed:
            return None
        specs = (finder.find_spec(name, path, target) for finder in self.finders)
        return next((spec for spec in specs if spec is not None), None)

sys.meta_path[:] = [WithoutPackages()]
"""


def test_engine_needs_only_numpy() -> None:
    """Also Keras, tf.data and the tracer. `.ci/run` runs the same program in an environment that has no other package."""
    program = ROOT / ".ci" / "numpy_alone.py"
    printed = _fresh(f"{REFUSE}\nrunpy.run_path({str(program)!r})\n")
    assert "works with NumPy alone" in printed


def test_other_packages_are_rejected() -> None:
    printed = _fresh(f"{REFUSE}\ntry: import rich\nexcept ModuleNotFoundError as e: print(e)\n")
    assert printed == "No module named 'rich'\n"
