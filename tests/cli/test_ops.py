"""`minitape ops`: the catalog as a list, and one op as a page."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from minitape import catalog
from minitape.core.registry import PRIMITIVES

ROOT = Path(__file__).parents[2]


def test_list_contains_every_op(minitape: Any) -> None:
    ran = minitape("ops", "--json")
    names = {each["name"] for each in json.loads(ran.stdout)["data"]}
    declared = {name for name in PRIMITIVES if name != "OnlyInThisTest"}
    assert names >= {name for name in declared if name in catalog._declarations()}
    assert "MatMul" in names
    assert all(f"\n  {name} " in minitape("ops").stdout for name in ("MatMul", "Roll", "Sin"))


@pytest.mark.parametrize("name", ["MatMul", "matmul", "tf.matmul", "linalg.matmul", "@", "a @ b"])
def test_op_is_found_by_all_its_names(minitape: Any, name: str) -> None:
    ran = minitape("ops", name)
    assert ran.exit_code == 0
    assert ran.stdout.startswith("MatMul ")
    assert "ā = ȳ·bᵀ" in ran.stdout


def test_page_links_to_the_line_of_the_declaration(minitape: Any) -> None:
    file, line = re.search(r"source +(\S+):(\d+)", minitape("ops", "Roll").stdout).groups()
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    assert lines[int(line) - 1].startswith("_roll: Primitive = Primitive(")


def test_page_explains_why_there_is_no_gradient(minitape: Any) -> None:
    page = minitape("ops", "argmax").stdout
    assert "not differentiable" in page
    assert PRIMITIVES["ArgMax"].reason in page


def test_page_computes_its_example(minitape: Any) -> None:
    assert "tf.multiply(0.5, 2) = 1, derivative 2, 0.5" in minitape("ops", "tf.multiply").stdout


def test_composite_function_names_its_ops(minitape: Any) -> None:
    page = minitape("ops", "tf.nn.moments").stdout
    assert "a function that calls other ops" in page
    assert "SquaredDifference" in page


def test_mistyped_name_gets_suggestions(minitape: Any) -> None:
    ran = minitape("ops", "matmull")
    assert ran.exit_code == 2
    assert "did you mean MatMul" in ran.stderr


def test_list_can_be_filtered(minitape: Any) -> None:
    found = json.loads(minitape("ops", "--no-gradient", "--grep", "arg", "--json").stdout)["data"]
    assert {"ArgMax", "ArgMin"} <= {each["name"] for each in found}
    assert {each["gradient"] for each in found} <= {"none", "missing"}


@pytest.mark.parametrize("arguments", [(), ("MatMul",), ("tf.nn.moments",), ("--json",)])
def test_list_works_without_the_optional_dtype_package(arguments: tuple[str, ...]) -> None:
    """Without it, `tf.bfloat16` raises ImportError, even when all names of `tf` are inspected."""
    code = (
        "import sys\n"
        "sys.modules['ml_dtypes'] = None\n"
        "from minitape_cli import main\n"
        "sys.argv = ['minitape', 'ops', *sys.argv[1:]]\n"
        "main()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 0, ran.stderr
    assert "MatMul" in ran.stdout or "moments" in ran.stdout
