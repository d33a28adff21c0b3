"""The law of signatures: a function accepts what TensorFlow's function accepts, and ignores nothing that it accepts.

    a name in both engines    the same parameters in the same order, with the same defaults; where TensorFlow's function accepts
                               unnamed keywords (`**kwargs`), minitape's function may name them
    any public callable       no catch-all for keywords that TensorFlow does not have, and each parameter is read

TensorFlow's signatures were recorded by tests/parity/signatures.py. A parameter that minitape does not support is declared too,
and raises an error with a message when it is passed.
"""

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import minitape as tf
from minitape.lazy_namespace import _SHORT_WAYS as SHORT_WAYS

HERE = Path(__file__).parent
PARITY = HERE.parent / "parity"
if str(PARITY) not in sys.path:
    sys.path.insert(0, str(PARITY))

from signatures import ROOMS, methods_of, room_of, words_of  # noqa: E402  # importable from here on only

RECORDED: dict[str, Any] = json.loads(
    (PARITY / "recorded" / "signatures.json").read_text(encoding="utf-8")
)["signatures"]

# Without effect where TensorFlow runs eagerly; accepted so that scripts run: callables, and one of their parameters.
WITHOUT_EFFECT = {
    "linalg.matvec, matmul: a_is_sparse": "a hint that many numbers are 0",
    "Variable: aggregation": "there is one device",
    "random.stateless_truncated_normal: alg": "the numbers are NumPy's, whatever the algorithm",
    "keras.Layer.add_weight: autocast": "a weight is used in its own dtype, which its layer gives it",
    "function: autograph": "how a graph is made",
    "linalg.matvec, matmul: b_is_sparse": "a hint that many numbers are 0",
    "foldl, foldr, map_fn, scan, while_loop: back_prop": "deprecated: a tape records what it watches",
    "Variable: caching_device": "there is one device",
    "TensorArray: colocate_with_first_write_call": "where a graph puts an op",
    "test.is_gpu_available: cuda_only": "there is one device",
    "debugging.assert_shapes: data": "the message names the shapes",
    "data.Dataset.batch, data.Dataset.interleave, data.Dataset.map: deterministic": "whether threads may answer out of order",
    "data.experimental.prefetch_to_device: device": "there is one device",
    "function: experimental_attributes": "how a graph is made",
    "function: experimental_autograph_options": "how a graph is made",
    "function: experimental_compile": "how a graph is made",
    "Variable: experimental_enable_variable_lifting": "it is about a graph",
    "function: experimental_follow_type_hints": "how a graph is made",
    "function: experimental_implements": "how a graph is made",
    "function: experimental_relax_shapes": "how a graph is made",
    "TensorArray: flow": "it orders the ops of a graph",
    "matmul: grad_a": "how a graph names the product in a gradient",
    "matmul: grad_b": "how a graph names the product in a gradient",
    "Variable: import_scope": "it is about a graph",
    "map_fn, scan: infer_shape": "a graph has shapes before it has numbers",
    "keras.layers.Bidirectional.build: initial_state_shape": "weights depend on the sequences alone",
    "keras.layers.RNN.build: initial_state_shape": "the same",
    "keras.layers.Embedding.build: input_shape": "a table's size is said when it is made",
    "group: inputs": "they have run already",
    "function: jit_compile": "how a graph is made",
    "test.is_gpu_available: min_cuda_compute_capability": "there is one device",
    "einsum: optimize": "in which order factors are joined",
    "keras.layers.Lambda: output_shape": "the shape is learned from the function's answer",
    "GradientTape.batch_jacobian, GradientTape.jacobian, foldl, foldr, map_fn, scan, "
    "while_loop: parallel_iterations": "rounds of a graph's loop may overlap",
    "function: reduce_retracing": "how a graph is made",
    "keras.Model.compiled_loss, keras.Sequential.compiled_loss, "
    "keras.models.Functional.compiled_loss: regularization_losses": "a name of Keras 2: the model's losses are added in any case",
    "while_loop: shape_invariants": "a graph has shapes before it has numbers",
    "nn.moments: shift": "moments once took a first guess of the mean",
    "argsort: stable": "without it the order of equals is free",
    "numpy_function: stateful": "a graph may leave out what is asked for twice",
    "case: strict": "a list of one answer is unpacked in a graph alone",
    "assert_equal, assert_greater, assert_less, debugging.assert_greater_equal, "
    "debugging.assert_less_equal, debugging.assert_near, debugging.assert_negative, "
    "debugging.assert_non_negative, debugging.assert_non_positive, "
    "debugging.assert_positive, debugging.assert_shapes: summarize": "how many values an error shows",
    "foldl, foldr, map_fn, scan, while_loop: swap_memory": "a graph's loop may move tensors off the device",
    "Variable: synchronization": "there is one device",
    "data.Dataset.map: synchronous": "whether threads are started",
    "TensorArray: tensor_array_name": "it names the ops of a graph",
    "keras.layers.CenterCrop.call: training": "it does the same in both",
    "keras.layers.Dense.call: training": "a layer hears of it by itself; Keras's quantised layers read it",
    "keras.layers.EinsumDense.call: training": "the same",
    "keras.layers.Resizing.call: training": "it does the same in both",
    "keras.models.Functional.call: training": "the layers inside hear of it by themselves",
    "Variable.batch_scatter_update, Variable.scatter_add, Variable.scatter_div, "
    "Variable.scatter_max, Variable.scatter_min, Variable.scatter_mul, "
    "Variable.scatter_sub, Variable.scatter_update, Variable.assign, Variable.assign_add, "
    "Variable.assign_sub: use_locking": "assignments are never torn",
    "data.Dataset.map: use_unbounded_threadpool": "whether threads are started",
    "linalg.matrix_rank: validate_args": "it is checked in any case",
    "linalg.pinv: validate_args": "it is checked in any case",
    "gather: validate_indices": "deprecated: indices are always checked",
    "Variable: validate_shape": "a graph may not know a shape before it runs",
}

EXCUSED = {
    f"{callable_}: {parameter}"
    for callables, parameter in (words.split(": ") for words in WITHOUT_EFFECT)
    for callable_ in callables.split(", ")
}

# Arguments that a method receives for those who override it.
FOR_THOSE_WHO_OVERRIDE = {
    "compute_loss": {"x", "training"},
    "compute_mask": {"inputs", "mask", "_"},
    "compute_metrics": {"x"},
    **{
        name: {"epoch", "batch", "logs"}
        for name in dir(tf.keras.callbacks.Callback)
        if name.startswith("on_")
    },
}

# Not TensorFlow's parameters, for a reason.
ON_PURPOSE = {
    "DType": "nobody makes a dtype by hand: they stand in tf.dtypes",
    "Tensor": "nobody makes a tensor by hand: ops and tf.constant do",
    "data.Dataset": "nobody makes a dataset by hand: from_tensor_slices and its kin do",
    "data.Iterator": "nobody makes one by hand: iter(dataset) does",
}

# One a line: "signature NAME" or "unread NAME: parameter". The list only gets shorter; do not add a new name.
KNOWN = set((HERE / "known_departures.txt").read_text(encoding="utf-8").splitlines())


def members(path: str) -> set[str]:
    """The public names of a minitape package: its own list, and TensorFlow's names that it supports.

    Unsupported names are not looked up, because each would raise a long error.
    """
    room = room_of(tf, path)
    if room is None:
        return set()
    prefix = f"{path}." if path else ""
    theirs = {
        name.removeprefix(prefix)
        for name in RECORDED
        if name.startswith(prefix) and " " not in name
    }
    return set(getattr(room, "__all__", ())) | (theirs & {*dir(room), *SHORT_WAYS})


@cache
def public_callables() -> dict[str, Any]:
    """Every function and class in minitape by its dotted name: a name that both engines have, or a name in an `__all__`."""
    names = {f"{path}.{name}".lstrip(".") for path in ROOMS for name in members(path)}
    things: dict[str, Any] = {}
    for name in sorted(names):
        thing = room_of(tf, name)
        is_another_name = (
            first_name(name) in names - {name} and room_of(tf, first_name(name)) is thing
        )
        if callable(thing) and not (isinstance(thing, ModuleType) or is_another_name):
            things[name] = thing
    return things


def first_name(name: str) -> str:
    """TensorFlow exports many objects under several names."""
    words = RECORDED.get(name)
    return words if isinstance(words, str) else name


@cache
def parameters() -> dict[str, tuple[Any, list[str]]]:
    """Every function, class and method by name, with its parameters as strings."""
    found = {}
    classes = [thing for thing in public_callables().values() if isinstance(thing, type)]
    for name, thing in public_callables().items():
        found[name] = thing, words_of(thing)
        if isinstance(thing, type):
            for base in reversed([b for b in _ours(thing) if b is thing or b not in classes]):
                for method_name, method in methods_of(base):
                    is_bound = isinstance(vars(base)[method_name], classmethod | staticmethod)
                    words = words_of(method, skip=0 if is_bound else 1)
                    found[f"{name}.{method_name}"] = method, words
    return {name: (thing, words) for name, (thing, words) in found.items() if words is not None}


def _ours(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base.__module__.startswith("minitape")]


def tensorflows(name: str) -> list[str] | None:
    """TensorFlow's parameters: recorded under this name, under the first name, or of a base class."""
    words = RECORDED.get(first_name(name))
    if words is not None or "." not in name:
        return words
    owner, _, method = name.rpartition(".")
    owners = [first_name(owner), *RECORDED.get(f"{first_name(owner)} bases", ())]
    inherited = (RECORDED.get(f"{each}.{method}") for each in owners)
    return next((each for each in inherited if each is not None), None)


def agree(ours: list[str], theirs: list[str]) -> bool:
    """Same parameters; a `*` or `**` parameter may have another name, or be replaced by named ones."""
    if theirs and theirs[-1].startswith("**"):
        named = theirs[:-1]
        more = ours[len(named) :]
        is_by_name = not more or more[0].startswith("*") or any(w.startswith("*") for w in named)
        return starless(ours[: len(named)]) == starless(named) and is_by_name
    return starless(ours) == starless(theirs)


def starless(words: list[str]) -> list[str]:
    return ["*values" if word[0] == "*" and word != "*" else word for word in words]


def signatures_that_differ() -> Iterator[tuple[str, str]]:
    for name, (_, ours) in parameters().items():
        if name.startswith("errors."):
            continue  # TensorFlow creates it from a node of a graph, minitape from strings
        theirs = tensorflows(name)
        if theirs is None:
            if any(word.startswith("**") for word in ours):
                yield f"signature {name}", f"it swallows keywords: {ours}"
        elif not agree(ours, theirs):
            yield f"signature {name}", f"{ours}, in TensorFlow {theirs}"


def parameters_that_nobody_reads() -> Iterator[str]:
    """As "callable: parameter". A `name` counts as read: it names the ops of a graph."""
    for name, (thing, words) in parameters().items():
        body = body_of(thing)
        if body is None or name.startswith("summary."):
            continue  # what this namespace ignores is documented by the namespace itself
        read = {
            node.id
            for node in ast.walk(body)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        read |= FOR_THOSE_WHO_OVERRIDE.get(name.rpartition(".")[2], set())
        for word in words:
            parameter = word.lstrip("*").partition("=")[0]
            # The mask that a layer returns need not depend on both the inputs and their mask.
            is_of_mask = name.endswith(".compute_mask")
            if word not in "*/" and parameter not in read | {"name"} and not is_of_mask:
                yield f"{name}: {parameter}"


def body_of(thing: Any) -> ast.FunctionDef | None:
    """The function's source; None if it is in no file of minitape, or if it only raises."""
    function = inspect.unwrap(thing.__init__ if isinstance(thing, type) else thing)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if (
        code is None
        or "minitape" not in code.co_filename
        or hasattr(thing, "__wrapped_primitive__")
    ):
        return None
    definition = definitions(code.co_filename).get((code.co_name, code.co_firstlineno))
    return None if definition is None or _only_raises(definition) else definition


def _only_raises(definition: ast.FunctionDef) -> bool:
    statements = [each for each in definition.body if not isinstance(each, ast.Expr)]
    return all(isinstance(each, ast.Raise) for each in statements)


@cache
def definitions(path: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a file by name and first line; a decorator's line counts as the first."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return {
        (each.name, min([each.lineno, *(line.lineno for line in each.decorator_list)])): each
        for each in functions
    }


def held_to_the_law(kind: str, departing: dict[str, str]) -> None:
    """Assert that the deviations are exactly the listed ones."""
    known = {each for each in KNOWN if each.startswith(kind)}
    new = {each: why for each, why in departing.items() if each not in known}
    assert not new, "\n".join(f"{each}: {why}" for each, why in new.items())
    fixed = sorted(known - departing.keys())
    assert not fixed, "take these lines out of known_departures.txt:\n" + "\n".join(fixed)


def test_signature_equals_tensorflows() -> None:
    """Same names, order and defaults, and no keyword is swallowed."""
    departing = dict(signatures_that_differ())
    for name in ON_PURPOSE:
        departing.pop(f"signature {name}")  # KeyError: it does not differ any more
    held_to_the_law("signature", departing)


@pytest.mark.one_in(3)
def test_every_parameter_is_read() -> None:
    """A parameter without effect would be a promise that is not kept."""
    unread = set(parameters_that_nobody_reads()) - EXCUSED
    held_to_the_law("unread", {f"unread {each}": "it is accepted and ignored" for each in unread})


@pytest.mark.one_in(3)
def test_exception_list_has_only_unread_parameters() -> None:
    assert EXCUSED - set(parameters_that_nobody_reads()) == set()


def test_unknown_keyword_raises() -> None:
    """For each function and class that does not pass keywords on: a misspelled keyword is never ignored."""
    accepting = []
    for name, thing in public_callables().items():
        if any(word.startswith("**") for word in words_of(thing) or ()):
            continue
        try:
            thing(no_such_keyword=1)
        except TypeError:
            continue
        except Exception as error:
            accepting.append(f"{name} raises {type(error).__name__}")
        else:
            accepting.append(name)
    assert not accepting
