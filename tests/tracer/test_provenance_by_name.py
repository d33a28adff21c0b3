"""Numbers whose provenance is inferred only from variable names."""

import pytest
from traced import traced

USE = "\ny = tf.constant(1.0) * total\n"


@pytest.mark.parametrize(
    "text",
    [
        "total = float(x) + 1.0",
        "total = 0.0\ntotal += float(x)",
        "parts = []\nparts.append(float(x))\ntotal = sum(parts)",
        "def half(v):\n    return float(v) / 2\ntotal = half(x)",
        "def each(v):\n    yield float(v)\ntotal = sum(each(x))",
        "class Sum:\n    pass\ns = Sum()\ns.value = float(x) * 2\ntotal = s.value + 1",
        "total = float(f'{x:.1f}')",
        "class Cost:\n    def __call__(self, v):\n        n = 0.0\n        n += float(v)\n        return v, n\n"
        "cost = Cost()\n_, total = cost(x)",
        "class Cost(tf.keras.Model):\n    def call(self, v):\n"
        "        n = {'sum': 0.0}\n        n['sum'] += float(v)\n        return n\n"
        "class Owner:\n    model = Cost()\nowner = Owner()\ntotal = owner.model(x)['sum']",
        "def noted(f):\n    def run(v):\n        return f(v) + 0.0\n    return run\n"
        "@noted\ndef length(v):\n    n = float(v)\n    return n\ntotal = length(x)",
    ],
)
def test_number_is_traced_back_by_variable_names(text, tmp_path):
    run = traced("x = tf.constant(3.0)\n" + text + USE, tmp_path)
    assert run.error is None
    (back,) = run.reported("reentry")
    assert back["exports"] == [1] and not back["sure"]


@pytest.mark.parametrize(
    "text",
    [
        "def use(size):\n    return tf.constant(1.0) * size\nn = float(x) + 1.0\nuse(n)",
        "def use(a, size=0.0):\n    half = size / 2\n    return a * half\nn = float(x) + 1.0\nuse(tf.constant(1.0), size=n)",
        "def inner(s):\n    return tf.constant(1.0) * s\ndef outer(t):\n    return inner(t * 2.0)\nn = [float(x)]\nouter(sum(n))",
    ],
)
def test_parameter_is_traced_back_to_arguments_of_callers(text, tmp_path):
    run = traced("x = tf.constant(3.0)\n" + text + "\n", tmp_path)
    assert run.error is None
    (back,) = run.reported("reentry")
    assert back["exports"] == [1] and not back["sure"]


@pytest.mark.parametrize(
    "text",
    [
        "print(float(x))\ntotal = 2.0",
        "seen = [float(x)]\ntotal = len(seen)",
        "other = float(x)\ntotal = 2.0",
        "def use(other, total):\n    return tf.constant(1.0) * total\nn = float(x)\nuse(n, 2.0)\ntotal = 2.0",
        "label = f'{x:.1f}'\ntotal = 2.0",
        "class Cost(tf.keras.Model):\n    def call(self, v):\n        n = float(v)\n        print(n)\n        return 2.0\n"
        "cost = Cost()\ntotal = cost(x)",
        "print(f'{x:.1f}')\ntotal = 2.0",
    ],
)
def test_number_with_unrelated_names_is_not_attributed(text, tmp_path, capsys):
    run = traced("x = tf.constant(3.0)\n" + text + USE, tmp_path)
    assert run.error is None
    assert run.reported("reentry") == []


def test_formatting_a_tensor_is_not_an_export(tmp_path, capsys):
    assert traced("x = tf.constant(3.0)\nprint(f'{x:.1f}')\n", tmp_path).reported("export") == []
