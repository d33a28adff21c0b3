"""The output of the commands with most of their options: a transcript for each script and each command.

`pytest tests/cli/test_transcripts.py --update` writes them again, and `git diff tests/golden/commands` shows the changes.
Other tests check what must be true of an output. These check that nothing else in it has changed.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import minitape as package

GOLDEN = Path(__file__).parents[1] / "golden" / "commands"
EXAMPLES = Path(package.__file__).parent / "examples"
NETWORK = "network.py"
SHORT = ["argmax_loss", "integer_variable", "jacobian", "not_watched", "numpy_detour", "parabola"]
LOOPS = ["dead_relu", "rebound_variable", "running_state", "second_derivative", "after_the_tape"]

SCRIPTS = {
    "explain": ("explain {} --evidence", "explain {} --brief"),
    "explain_formats": ("explain {} --json", "explain {} --format github"),
    "explain_diff": ("explain {} --diff --exit-zero",),
    "trace": ("trace {}",),
    "step": ("step {} --text", "step {} --brief", "step {} --brief --at problem"),
    "graph": ("graph {} -o -", "graph {} -o - --view backward --terms --values strip"),
    "check": ("check {}", "run {} --summary --strict"),
    "page": ("html {} -o - --engine built-in",),
}
OTHERS = {
    "graph_formats": (
        "graph dead_relu -o - --format dot --legend --theme dark",
        "graph dead_relu -o - --format mermaid --path",
        "graph line_fit -o - --format svg --engine built-in --cards 12 --values short --log",
        "graph network.py -o - --format txt --cards 20 --close penalty --no-constants",
        "graph network.py -o - --format dot --around #7 --hops 2 --rankdir LR",
        "graph network.py -o - --format svg --engine built-in --call 3 --unroll --cards 40",
    ),
    "trace_options": (
        "trace line_fit",
        "trace rebound_variable --unroll --call 2",
        "trace dead_relu --json",
        "trace second_derivative --audit",
        "trace integer_variable -o - --format jsonl",
    ),
    "diff": (
        "diff parabola second_derivative",
        "diff rebound_variable running_state --all",
        "diff parabola second_derivative --json",
        "diff parabola second_derivative --html -o -",
        "diff parabola parabola --tolerance 0.1",
        "diff parabola parabola --html --json",
    ),
    "explain_parts": (
        "explain network.py",
        "explain network.py --brief --evidence",
        "explain network.py --call 3",
        "explain network.py --source unused",
        "explain network.py --source nothing",
        "explain line_fit --timeout 0 --max-ops 20",
        "explain rebound_variable --trace-calls 1",
        "explain -c print(1)",
        "explain MT201",
        "explain --list",
        "explain MT999",
        "explain nosuch.py",
    ),
    "catalog": (
        "ops --grep matmul",
        "ops --no-gradient",
        "ops MatMul",
        "ops tf.nn.moments --json",
        "ops NoSuchOp",
        "examples",
        "examples show parabola",
        "examples run dead_relu",
        "examples copy nothing",
        "completion bash",
    ),
    "check_formats": ("check dead_relu --json", "check network.py --json"),
    "lessons": (
        "lesson init course",
        "lesson list",
        "lesson run 01/1",
        "lesson hint 01/1",
        "lesson hint 01/1",
        "lesson show 01/1",
        "lesson see 01/1",
        "lesson reset 01/1 --yes",
        "lesson run 06/5 --seed 1",
        "lesson hint 06/5",
        "lesson export 01",
        "lesson new mine",
        "lesson lint mine",
        "lesson answers --course mine --solutions mine/solutions",
        "lesson run 99/1",
    ),
}


def test_every_example_has_its_transcripts() -> None:
    shipped = {path.stem for path in EXAMPLES.glob("[!_]*.py")}
    assert {*SHORT, *LOOPS, "line_fit"} == shipped


def commands() -> Iterator[Any]:
    for kind, lines in SCRIPTS.items():
        scripts = ["network", *LOOPS, *SHORT]
        if kind == "page":
            scripts = ["rebound_variable", "second_derivative"]
        for script in scripts:
            name = f"{kind}-{script}"
            some = lines[(kind, script) == ("step", "network") :]  # this script has many steps
            yield pytest.param(name, [line.format(f"{script}.py") for line in some], id=name)
    for name, lines in OTHERS.items():
        yield pytest.param(name, lines, id=name)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "lines"), [*commands()])
def test_command_output_matches_its_transcript(
    name: str,
    lines: list[str],
    minitape: Any,
    golden: Callable[[str, str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Scripts of this folder: the path of an installed example is as long as its folder's, and text is wrapped around it.
    for script in (GOLDEN / NETWORK, *EXAMPLES.glob("[!_]*.py")):
        (tmp_path / script.name).write_bytes(script.read_bytes())
    monkeypatch.chdir(tmp_path)
    transcript = []
    for line in lines:
        ran = minitape(*line.split())
        # its output and its warning appear in any order, even in the middle of a line
        noted = "" if "integer_variable" in line else ran.stderr
        parts = [f"$ minitape {line}", ran.stdout, "--- stderr", noted, f"exit {ran.exit_code}"]
        transcript.append("\n".join(part.rstrip("\n") for part in parts if part))
        if line.startswith("lesson init"):
            monkeypatch.chdir(tmp_path / line.split()[-1])
    golden(f"commands/{name}.txt", plain("\n\n".join(transcript), tmp_path) + "\n")


_ARRAY = re.compile(
    r"\[\[[-\d. \n\[\]]+\]\]"
)  # an array as printed by NumPy, whose columns are as wide as its numbers
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]\d+)?")


def rounded(number: re.Match[str]) -> str:
    """A number without the last digits of an array's values and without rounding errors, which depend on the processor.

    A scalar has fewer digits where they end in zeros: 5.8604 on one processor, and its neighbor 5.860399 on another.
    """
    if number[2]:
        return "0.0" if abs(float(number[0])) < 1e-5 else number[0]
    digits = number[0].lstrip("-0.").replace(".", "")
    most = 4 if number.string.endswith("numpy=", 0, number.start()) else 5
    return f"{float(number[0]):.4g}" if number[1] and len(digits) > most else number[0]


def plain(text: str, folder: Path) -> str:
    """The text without machine-specific parts, and without the page's own code and style."""
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1></\1>", text, flags=re.DOTALL)
    text = re.sub(r"'sha256-[\w+/=]+'", "'sha256-'", text)
    text = text.replace(str(folder), "FOLDER").replace(package.__version__, "VERSION")
    text = text.replace(str(Path(package.__file__).parent), "MINITAPE")
    text = re.sub(r"\b\d+\.\d s\b", "SECONDS s", text)
    text = _ARRAY.sub(lambda array: " ".join(array[0].split()), text)
    text = _NUMBER.sub(rounded, text)
    text = re.sub(r'"(python|numpy)": "[\d.]+"', r'"\1": ""', text)
    return re.sub(r"(?<=>)(?=<)", "\n", text) if text.startswith("$ minitape html") else text
