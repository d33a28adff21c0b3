"""Layers, losses, optimizers and their kin as plain values, and made from them again.

    serialize_keras_object        {"module": ..., "class_name": ..., "config": what `get_config` says, "registered_name": ...}
    deserialize_keras_object      the object that such a dict describes
    register_keras_serializable   a class or a function of your own, known by a name from here on
    custom_object_scope           the same for the length of a `with` block

Weights are no part of it: `save_weights` keeps those.

Source: https://keras.io/api/models/model_saving_apis/serialization_utils/
"""

import inspect
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from minitape.core import dtypes
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import ArrayFace
from minitape.errors import TapeAttributeError, TapeTypeError, TapeValueError
from minitape.lazy_namespace import telling

# The rooms in which a name of Keras's own is looked for.
_ROOMS = (
    *("keras", "keras.layers", "keras.losses", "keras.metrics", "keras.optimizers"),
    *("keras.optimizers.schedules", "keras.activations", "keras.initializers"),
    *("keras.constraints", "keras.regularizers", "keras.random"),
)
_registered: dict[str, Any] = {}
_names: dict[Any, str] = {}
_scopes: list[dict[str, Any]] = []


# --- what is known by a name ---


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Any], Any]:
    """A decorator: a class or function of your own can be made again from its name.

    Args:
        package: Stands before the name, as in "Custom>Mine".
        name: By default that of the class or function.

    Raises:
        ValueError: a class has no `get_config`.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#registerkerasserializable-function
    """

    def register(thing: Any) -> Any:
        if inspect.isclass(thing) and not hasattr(thing, "get_config"):
            raise TapeValueError(
                "Cannot register a class that does not have a get_config() method.",
                fix="def get_config(self): return {...}, the arguments of __init__ by name",
            )
        full_name = f"{package}>{name or thing.__name__}"
        _registered[full_name], _names[thing] = thing, full_name
        return thing

    return register


class CustomObjectScope:
    """A `with` block in which names stand for classes and functions of your own.

    Args:
        custom_objects: What each name stands for.

    Raises:
        TypeError: it is no dict.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#customobjectscope-class
    """

    def __init__(self, custom_objects: dict[str, Any] | None) -> None:
        if not isinstance(custom_objects, dict | None):
            raise TapeTypeError(
                f"`custom_objects` is {custom_objects!r}, and here it is a dict of names.",
                fix='CustomObjectScope({"Mine": Mine})',
            )
        self.custom_objects = dict(custom_objects or {})

    def __enter__(self) -> "CustomObjectScope":
        _scopes.append(self.custom_objects)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _scopes.pop()


custom_object_scope = CustomObjectScope


def get_custom_objects() -> dict[str, Any]:
    """What was registered, by name; what is put into this dict is known too."""
    return _registered


def get_registered_name(obj: Any) -> str:
    """The name under which a class or function was registered; else its own.

    Raises:
        AttributeError: it has none.
    """
    if not hasattr(obj, "__name__"):
        raise TapeAttributeError(
            f"{obj!r} is neither a class nor a function: it has no name.",
            fix="get_registered_name(type(layer))",
        )
    return _names.get(obj) or str(obj.__name__)


def get_registered_object(
    name: str,
    custom_objects: dict[str, Any] | None = None,
    module_objects: dict[str, Any] | None = None,
) -> Any:
    """What a name stands for in a scope, among what was registered, or in the dicts; None for nothing.

    Raises:
        TypeError: it is no name.
    """
    if not isinstance(name, str | None):
        raise TapeTypeError(f"{name!r} is no name.", fix='get_registered_object("Mine")')
    places = [*reversed(_scopes), _registered, custom_objects or {}, module_objects or {}]
    return next((place[name] for place in places if name in place), None)


# --- as plain values ---


def serialize_keras_object(obj: Any) -> Any:
    """An object as plain values; numbers, texts and None are plain already, and lists and dicts hold plain ones.

    Raises:
        TypeError: it has no `get_config`; it is a lambda, which has no name to be found by.

    Unlike TensorFlow, a lambda is refused, the dtype of a layer stands there by its name, and an initializer as it was given.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#serializekerasobject-function
    """
    if obj is None or isinstance(obj, str | bool | int | float | bytes):
        return obj
    if isinstance(obj, list | tuple):
        return type(obj)(map(serialize_keras_object, obj))
    if isinstance(obj, dict):
        return {name: serialize_keras_object(value) for name, value in obj.items()}
    if isinstance(obj, dtypes.DType):
        return obj.name
    if isinstance(obj, np.generic):
        return obj.item()
    if isinstance(obj, np.ndarray | ArrayFace):
        numbers = obj if isinstance(obj, np.ndarray) else obj.numpy()
        kind = "__numpy__" if isinstance(obj, np.ndarray) else "__tensor__"
        config = {"value": numbers.tolist(), "dtype": numbers.dtype.name}
        return {"class_name": kind, "config": config}
    if hasattr(obj, "get_config") and not inspect.isclass(obj):
        return _described(obj)
    if inspect.isfunction(obj) and obj.__name__ != "<lambda>":
        name = get_registered_name(obj)
        about = {"module": "builtins", "class_name": "function"}
        return {**about, "config": name, "registered_name": "function"}
    raise TapeTypeError(
        f"Cannot serialize object {obj!r} of type {type(obj)}. To be serializable, a class must implement the "
        "`get_config()` method, and a function must have a name.",
        fix="def my_function(x): ... in place of a lambda",
    )


def _described(obj: Any) -> dict[str, Any]:
    kind = type(obj)
    room = _room_of(kind.__name__, kind)
    own = None if kind.__module__ == "__main__" else kind.__module__
    return {
        "module": room or own,
        "class_name": kind.__name__,
        "config": serialize_keras_object(obj.get_config()),
        "registered_name": None if room else get_registered_name(kind),
    }


def _room_of(name: str, thing: Any) -> str | None:
    return next((room for room in _ROOMS if _inside(room).get(name) is thing), None)


def _inside(room: str) -> dict[str, Any]:
    module = sys.modules.get(f"minitape.{room}")  # all rooms of Keras are loaded together
    return {} if module is None else vars(module)


# --- and back ---


def deserialize_keras_object(
    config: Any,
    custom_objects: dict[str, Any] | None = None,
    safe_mode: bool = True,
    **kwargs: Any,
) -> Any:
    """The object that plain values describe; plain values themselves stay what they are.

    Args:
        config: What `serialize_keras_object` gave.
        custom_objects: Classes and functions of your own, by name.
        safe_mode: False is refused: code is never read from plain values.

    Raises:
        TypeError: there is no class or function of that name.
        ValueError: a keyword is unknown, or `safe_mode` is False.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#deserializekerasobject-function
    """
    if kwargs or safe_mode is not True:
        raise TapeValueError(
            f"No such setting is here: {kwargs or 'safe_mode=False'}.",
            fix="deserialize_keras_object(config, custom_objects)",
        )
    known = custom_objects or {}
    if isinstance(config, list | tuple):
        return [deserialize_keras_object(each, known) for each in config]
    if not isinstance(config, dict):
        return config
    if "class_name" not in config or "config" not in config:
        return {name: deserialize_keras_object(value, known) for name, value in config.items()}
    name, inner = config["class_name"], config["config"]
    if name == "__numpy__":
        return np.array(inner["value"], dtype=inner["dtype"])
    if name == "__tensor__":
        return convert_to_tensor(inner["value"], dtype=inner["dtype"])
    if name == "function":
        return _found(inner, inner, None, known)
    kind = _found(name, config.get("registered_name") or name, config.get("module"), known)
    with CustomObjectScope(known):
        return kind.from_config(
            {key: deserialize_keras_object(value, known) for key, value in inner.items()}
        )


def _found(name: str, registered: str, module: str | None, known: dict[str, Any]) -> Any:
    """The class or function of that name: of your own, else of Keras, else of the module that it says it is from."""
    for each in (registered, name):
        found = get_registered_object(each, known)
        if found is not None:
            return found
    if module in _ROOMS:
        return _inside(module).get(name) or _nowhere(name)
    if registered == name and module is not None and module in sys.modules:
        return vars(sys.modules[module]).get(name) or _nowhere(name)
    if module is None:
        for room in ("keras.activations", "keras.losses"):
            functions = _inside(room).get("_FUNCTIONS") or _inside(room).get("_BY_NAME", {})
            if name in functions:
                return functions[name]
    return _nowhere(name)


def _nowhere(name: str) -> Any:
    raise TapeTypeError(
        f"Could not locate class '{name}'. Make sure custom classes and functions are decorated with "
        "`@keras.saving.register_keras_serializable()`.",
        fix=f'deserialize(config, custom_objects={{"{name}": {name.rpartition(">")[2]}}})',
    )


def made_from(
    config: Any, room: str, get: Callable[[Any], Any], custom_objects: dict[str, Any] | None
) -> Any:
    """For the rooms' own `deserialize`: a dict, in which the room need not be named, or a name that `get` knows."""
    if not isinstance(config, dict):
        found = get_registered_object(config, custom_objects) if isinstance(config, str) else None
        return get(config) if found is None else found
    is_own = get_registered_object(str(config.get("class_name")), custom_objects) is not None
    return deserialize_keras_object(
        config if is_own else {"module": room, **config}, custom_objects
    )


__getattr__ = telling(__name__)
__all__ = [
    "CustomObjectScope",
    "custom_object_scope",
    "deserialize_keras_object",
    "get_custom_objects",
    "get_registered_name",
    "get_registered_object",
    "register_keras_serializable",
    "serialize_keras_object",
]
