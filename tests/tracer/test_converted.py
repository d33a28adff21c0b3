"""The user's source is found for code that AutoGraph has generated, with a map like AutoGraph's, and without TensorFlow."""

from pathlib import Path
from typing import NamedTuple

import pytest

from minitape.tracer import source
from minitape.tracer.code import converted


class LineLocation(NamedTuple):
    """A key of AutoGraph's map."""

    filename: str
    lineno: int


class Location(NamedTuple):
    """A position in AutoGraph's map."""

    filename: str
    lineno: int
    col_offset: int


class OriginInfo(NamedTuple):
    """A value of AutoGraph's map."""

    loc: Location
    function_name: str | None


USERS = """\
def loss(y, p):
    hits = tf.cast(
        tf.argmax(p, axis=-1) == y, tf.float32
    )
    if not hits and y > 0:
        hits = -hits
    hits = hits[None, 1:]
    return 1.0 - hits * 2.0
"""
# The lines that AutoGraph generates for this function, each with the user's line.
GENERATED = [
    ("def tf__loss(y, p):", 1),
    (
        "    hits = ag__.converted_call(ag__.ld(tf).cast, (ag__.converted_call(ag__.ld(tf).argmax, (ag__.ld(p),), "
        "dict(axis=(- 1)), fscope) == ag__.ld(y), ag__.ld(tf).float32), None, fscope)",
        3,
    ),
    ("    test = ag__.and_((lambda : ag__.not_(hits)), (lambda : (ag__.ld(y) > 0)))", 5),
    ("    hits = (- ag__.ld(hits))", 6),
    ("    hits = ag__.ld(hits)[None, 1:]", 7),
    ("    return (1.0 - (ag__.ld(hits) * 2.0))", 8),
]


def _expressions(folder: Path) -> dict[str, int]:
    """Each expression that is found for the generated code, with its line."""
    users, generated = folder / "loss.py", folder / "__autograph_generated_file.py"
    users.write_text(USERS)
    text = "\n".join(line for line, _ in GENERATED)
    generated.write_text(text)
    converted.add(
        {
            LineLocation(str(generated), number): OriginInfo(Location(str(users), line, 0), "loss")
            for number, (_, line) in enumerate(GENERATED, start=1)
        }
    )
    (code,) = (
        each for each in compile(text, str(generated), "exec").co_consts if hasattr(each, "co_code")
    )
    assert converted.name_of(code) == "loss"
    sites = [source.find((code, at), "loss.py") for at in range(0, len(code.co_code), 2)]
    return {site.expr: site.line for site in sites if site.expr}


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("tf.argmax(p, axis=-1)", 3),
        ("tf.argmax(p, axis=-1) == y", 3),
        ("not hits and y > 0", 5),
        ("-hits", 6),
        ("hits[None, 1:]", 7),
        ("hits * 2.0", 8),
        ("1.0 - hits * 2.0", 8),
    ],
)
def test_expression_is_found_in_the_users_file(expression: str, line: int, tmp_path: Path) -> None:
    assert _expressions(tmp_path)[expression] == line


def test_generated_file_has_same_owner_as_the_original(tmp_path: Path) -> None:
    generated = str(tmp_path / "__autograph_generated_library.py")
    library = pytest.__file__
    converted.add({LineLocation(generated, 1): OriginInfo(Location(library, 1, 0), "fixture")})
    assert not source.is_users(generated)
