"""For numbers that leave the engine, rounding loses no gradient, and showing them has no influence on the target."""

from pathlib import Path

import pytest
from traced import traced

ROUNDED = """
import bisect
x = tf.Variable([1.5, 3.25])
with tf.GradientTape() as tape:
    k = {number}
    y = tf.reduce_sum(x * k)
tape.gradient(y, x)
"""
SHOWN = """
import logging as log, warnings
class Bar:
    def set_description(self, text): pass
    set_postfix = write = set_description
bar, kept, log.disabled = Bar(), [], True
log.disable(log.CRITICAL)
x, z = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    {statement}
    y = z * 2.0
tape.gradient(y, x)
"""


@pytest.mark.parametrize(
    ("number", "slugs"),
    [
        ("float(x[0])", ["python-scalar"]),
        ("float(x[0]) // 1.0", []),
        ("float(x[0]) / 1.0", ["python-scalar"]),
        ("float(round(float(x[0])))", []),
        ("round(float(x[0]), 1)", ["python-scalar"]),
        ("float(round(float(x[0]))) + float(x[0])", ["python-scalar"]),
        ("float(math.floor(float(x[0])))", []),
        ("float(math.ceil(float(x[0])))", []),
        ("float(math.trunc(float(x[0])))", []),
        ("float(math.sqrt(float(x[0])))", ["python-scalar"]),
        ("float(int(float(x[0])))", []),
        ("float(len(range(int(x[0]))))", []),
        ("float(bisect.bisect([1.0, 2.0], float(x[0])))", []),
        ("float(bisect.bisect_left([1.0, 2.0], float(x[0])))", []),
        ("float(bisect.bisect_right([1.0, 2.0], float(x[0])))", []),
        *(
            (f"float(np.{name}(float(x[0])))", [])
            for name in ("around", "ceil", "count_nonzero", "fix", "floor", "rint", "round", "sign", "trunc")
        ),
        *((f"1.0 + float(np.{name}(x.numpy()))", []) for name in ("argmax", "argmin", "count_nonzero")),
        ("1.0 + float(np.argsort(x.numpy())[0])", []),
        ("1.0 + float(np.nonzero(x.numpy())[0][0])", []),
        ("float(np.searchsorted([1.0, 2.0], float(x[0])))", []),
        ("float(np.digitize(float(x[0]), [1.0, 2.0]))", []),
        ("float(np.sqrt(float(x[0])))", ["python-scalar"]),
    ],
)  # fmt: skip
def test_rounding_a_number_loses_no_gradient(number: str, slugs: list[str], tmp_path: Path) -> None:
    run = traced(ROUNDED.format(number=number), tmp_path)
    assert run.error is None
    assert [slug for slug, _ in run.found()] == slugs


@pytest.mark.parametrize(
    ("statement", "slug"),
    [
        ("steps = int(x)", "control-flow"),
        ("steps = range(int(x))", "control-flow"),
        ("len(str(int(x)))", "unconnected"),
        ("len(repr(int(x)))", "unconnected"),
        ("text = f'{int(x)} steps'", "unconnected"),
        ("text = '{} steps'.format(int(x))", "unconnected"),
        ("print(int(x), end='')", "unconnected"),
        ("kept.append(int(x))", "unconnected"),
        ("log.debug(int(x))", "unconnected"),
        ("log.info(int(x))", "unconnected"),
        ("log.warning(int(x))", "unconnected"),
        ("log.error(int(x))", "unconnected"),
        ("log.critical(int(x))", "unconnected"),
        ("log.log(10, int(x))", "unconnected"),
        ("bar.set_description(int(x))", "unconnected"),
        ("bar.set_postfix(int(x))", "unconnected"),
        ("bar.write(int(x))", "unconnected"),
        ("print(steps := int(x), int(x), end='')", "unconnected"),
    ],
)
def test_showing_a_number_decides_nothing(statement: str, slug: str, tmp_path: Path) -> None:
    run = traced(SHOWN.format(statement=statement), tmp_path)
    assert run.error is None
    assert [found for found, _ in run.found()] == [slug]
