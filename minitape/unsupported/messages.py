"""The messages about a name that minitape does not have: whether TensorFlow has it, and what to write instead."""

import importlib
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

from minitape.unsupported import advice, table

_ON_TENSORFLOW = "run `minitape explain --on tensorflow SCRIPT`"
# `tf.losses` is `tf.keras.losses`, and so on.
_OF_KERAS = ("initializers", "losses", "metrics", "optimizers")
# The modules whose functions and classes may be proposed for a name in the wrong module. A Keras function is omitted if it has
# the name of an op but different arguments.
_PROPOSED = re.compile(
    r"tf(\.(bitwise|debugging|linalg|math|nn|random|signal|strings))?\.\w+"
    r"|(tf\.keras|tf\.keras\.layers|tf(\.keras)?\.optimizers)\.[A-Z]\w+|tf(\.keras)?\.losses\.\w+"
)


class NameMessage(NamedTuple):
    what: str
    fix: str


def of_name(name: str, there: Iterable[str]) -> NameMessage:
    """Return the message for a name that minitape does not have.

    Args:
        name: The full name, such as `tf.nn.relu7`.
        there: The names that its module has; for a misspelled name, the message proposes the closest of them.

    Returns:
        A message that states whether TensorFlow has the name, and what to write instead. If TensorFlow has it, the message also
        contains the command that runs the program there.
    """
    module, _, last = name.rpartition(".")
    if module == "tf.compat.v1" and is_here(f"tf.{last}"):
        return NameMessage(
            f"`{name}` behaves as in TensorFlow 1, which minitape does not support.",
            _or_on_tensorflow(f"use `tf.{last}`"),
        )
    entry = table.find(_without_compat(name))
    if entry is None and _is_below_missing(module):
        return of_name(module, ())
    if entry is not None and entry.kind == "v1":
        return _of_compat_v1(name, entry)
    earlier = advice.of_version_1(name)
    if earlier:
        return _of_version_1(name, entry, earlier)
    if entry is not None:
        return _tensorflows(entry)
    if advice.is_private(name):
        return NameMessage(
            f"`{name}` is private code in TensorFlow. minitape supports only public names.",
            _or_on_tensorflow(advice.NAMESPACES["tf.python"].instead),
        )
    if name in advice.REMOVED:
        removed = advice.REMOVED[name]
        return NameMessage(
            f"Neither TensorFlow nor minitape has `{name}`. {removed.why}", removed.instead
        )
    return NameMessage(
        f"Neither TensorFlow {table.version()} nor minitape has `{name}`.",
        _meant(name, there) or f"call `sorted(dir({module}))` to list its names",
    )


def _without_compat(name: str) -> str:
    """Return the name without `compat.v1` or `compat.v2`, because the table contains it in this form."""
    for prefix in ("tf.compat.v1.", "tf.compat.v2."):
        if name.startswith(prefix) and table.find("tf." + name.removeprefix(prefix)):
            return "tf." + name.removeprefix(prefix)
    return name


def _is_below_missing(module: str) -> bool:
    """Whether TensorFlow has the module and minitape does not. If so, the message is about the module."""
    entry = table.find(_without_compat(module))
    return (
        entry is not None and entry.kind in ("module", "v1") and not is_here(f"{module}.__name__")
    )


def _or_on_tensorflow(instead: str) -> str:
    return f"{instead}\n  or  : {_ON_TENSORFLOW}" if instead else _ON_TENSORFLOW


@cache  # cached, because a library that tests names with hasattr repeats the same names
def _tensorflows(entry: table.TensorFlowName) -> NameMessage:
    """Return the message for a name that TensorFlow 2 has."""
    same = next(iter(_here(entry.others)), "")
    if same and entry.name not in advice.NAMESPACES:
        why, instead = f"It is another name for `{same}`.", f"use `{same}`"
    else:
        why, instead = advice.of_namespace(entry.name) or advice.Advice("")
    return NameMessage(
        f"minitape does not support `{spoken(entry)}`.{_described(entry)} {why}".rstrip(),
        _or_on_tensorflow(instead),
    )


def spoken(entry: table.TensorFlowName) -> str:
    """Return the name as it is displayed: `Model.save` for an attribute, the full name for everything else."""
    return ".".join(entry.name.split(".")[-2:]) if entry.kind == "attribute" else entry.name


def _described(entry: table.TensorFlowName) -> str:
    return f" In TensorFlow: {entry.says.removesuffix('.')}." if entry.says else ""


def _of_compat_v1(name: str, entry: table.TensorFlowName) -> NameMessage:
    """Return the message for a name that TensorFlow 2 has only in `tf.compat.v1`."""
    says = f" ({entry.says.removesuffix('.')})" if entry.says else ""
    of_2 = next((_of_2(each) for each in entry.others), "")
    why = ""
    instead = advice.of_version_1(entry.name)
    if not instead and of_2:
        is_supported = is_here(of_2)
        why = (
            ""
            if is_supported
            else f" In TensorFlow 2, its name is `{of_2}`, which minitape does not support."
        )
        advised = advice.of_namespace(of_2) or advice.Advice("")
        instead = f"use `{of_2}`" if is_supported else advised.instead
    if not instead:
        instead = (advice.of_namespace(entry.name) or advice.Advice("")).instead or advice.MIGRATION
    if name.startswith("tf.compat.v1"):
        return NameMessage(
            f"`{name}` is a TensorFlow 1 API{says}, which minitape does not support.{why}",
            _or_on_tensorflow(instead),
        )
    return NameMessage(
        f"`{name}` is a TensorFlow 1 API{says}. TensorFlow 2 has it only as "
        f"`{name.replace('tf.', 'tf.compat.v1.', 1)}`, and minitape does not support it.{why}",
        instead,
    )


def _of_version_1(name: str, entry: table.TensorFlowName | None, earlier: str) -> NameMessage:
    """Return the message for a name of TensorFlow 1 that `tf.compat.v1` no longer has."""
    if entry is not None:
        return NameMessage(
            f"`{spoken(entry)}` works only in a TensorFlow 1 session, which minitape does not support.",
            earlier,
        )
    return NameMessage(
        f"`{name}` was removed after TensorFlow 1, and minitape does not support it.", earlier
    )


def _of_2(name: str) -> str:
    return "tf." + name.removeprefix("tf.").removeprefix("compat.v2.")


def later(name: str) -> str | None:
    """Return the name of a TensorFlow 1 function in TensorFlow 2, if minitape has it."""
    entry = table.find(name)
    if entry is None or entry.kind != "v1":
        return None
    return next(iter(_here(entry.others)), None)


def _meant(name: str, there: Iterable[str]) -> str:
    """Return an imperative with the name in minitape that the user most likely means; empty if there is no good guess."""
    module, _, last = name.rpartition(".")
    if module in advice.MATH_MODULES and last.lower() in advice.OTHER_LIBRARIES:
        return advice.OTHER_LIBRARIES[last.lower()]
    there = list(there)
    near = next((each for each in there if each.lower() == last.lower()), None)
    if near is None and not table.same_ending(
        last
    ):  # a word that TensorFlow knows is not misspelled
        near = nearest(last, there)
    meant = f"{module}.{near}" if near else _elsewhere(last)
    return meant and f"use `{meant}`"


def _elsewhere(last: str) -> str:
    """Return the only object in another module with this name; empty if there is none, or more than one."""
    here = _here(filter(_PROPOSED.fullmatch, table.same_ending(last)))
    found = [
        entry for entry in map(table.find, here) if entry and entry.kind in ("class", "function")
    ]
    is_one = all(each.name in found[0].others for each in found[1:])
    return found[0].name if found and is_one else ""


def _here(names: Iterable[str]) -> list[str]:
    return [name for name in names if is_here(name)]


def is_here(name: str) -> bool:
    """Return whether minitape has a name, without accessing the name, which would raise the same error again."""
    namespace, _, last = name.rpartition(".")
    if namespace.removeprefix("tf.") in _OF_KERAS:
        namespace = f"tf.keras.{namespace.removeprefix('tf.')}"
    path = "minitape" + namespace.removeprefix("tf") if namespace != "tf" else "minitape.api"
    try:
        found = importlib.import_module(path)
    except ModuleNotFoundError:
        return False
    # Some names are imported at first use, and some of those need an optional package.
    listed = (*getattr(found, "__all__", ()), *getattr(found, "__optional__", ()))
    return last in vars(found) or last in listed


def nearest(name: str, there: Iterable[str]) -> str | None:
    """Return the most similar name that differs from it by one typing error."""
    slips = [each for each in there if is_slip(name, each)]
    return max(slips, key=lambda each: SequenceMatcher(None, name, each).ratio(), default=None)


def is_slip(name: str, other: str) -> bool:
    """Return whether two words differ only by one letter or by two swapped neighbors, ignoring case."""
    a, b = sorted((name.lower(), other.lower()), key=len)
    if name == other or len(a) < 3 or len(b) - len(a) > 1:
        return False
    if len(a) < len(b):
        return any(b[:i] + b[i + 1 :] == a for i in range(len(b)))
    apart = [i for i in range(len(a)) if a[i] != b[i]]
    return len(apart) < 2 or (
        len(apart) == 2
        and apart[1] == apart[0] + 1
        and a[apart[0]] + a[apart[1]] == b[apart[1]] + b[apart[0]]
    )
