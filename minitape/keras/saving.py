"""Convert layers, losses, optimizers and similar objects to plain values, and re-create them.

    serialize_keras_object        {"module": ..., "class_name": ..., "config": the result of `get_config`,
        "registered_name": ...}
    deserialize_keras_object      the object that such a dict describes
    register_keras_serializable   registers a custom class or function under a name
    custom_object_scope           registers custom classes and functions within a `with` block

Weights are not included; use `save_weights` to save them.

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
from minitape.core.tensor import TensorLike
from minitape.errors import TapeAttributeError, TapeTypeError, TapeValueError
from minitape.lazy_namespace import helpful_getattr

# The packages in which a name of Keras is looked up.
_NAMESPACES = (
    *("keras", "keras.layers", "keras.losses", "keras.metrics", "keras.optimizers"),
    *("keras.optimizers.schedules", "keras.activations", "keras.initializers"),
    *("keras.constraints", "keras.regularizers", "keras.random"),
)
_registered: dict[str, Any] = {}
_names: dict[Any, str] = {}
_scopes: list[dict[str, Any]] = []


# --- registered names ---


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Any], Any]:
    """Return a decorator that registers a custom class or function, so that it can be created from its name.

    Args:
        package: Prefix of the name, as in "Custom>Mine".
        name: Name; by default the name of the class or function.

    Returns:
        A decorator.

    Raises:
        ValueError: the decorated class has no `get_config`.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#registerkerasserializable-function
    """

    def register(thing: Any) -> Any:
        if inspect.isclass(thing) and not hasattr(thing, "get_config"):
            raise TapeValueError(
                "Cannot register a class that does not have a get_config() method.",
                fix="define `def get_config(self): return {...}`, which returns the arguments of `__init__` by name",
            )
        full_name = f"{package}>{name or thing.__name__}"
        _registered[full_name], _names[thing] = thing, full_name
        return thing

    return register


class CustomObjectScope:
    """Open a `with` block in which custom classes and functions can be found by name.

    Args:
        custom_objects: Dict from names to classes or functions.

    Raises:
        TypeError: `custom_objects` is not a dict.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#customobjectscope-class
    """

    def __init__(self, custom_objects: dict[str, Any] | None) -> None:
        if not isinstance(custom_objects, dict | None):
            raise TapeTypeError(
                f"`custom_objects` must be a dict from names to objects. Received: {custom_objects!r}",
                fix='use `CustomObjectScope({"Mine": Mine})`',
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
    """Return the registered classes and functions; adding an entry to the dict registers an object.

    Returns:
        The dict from names to objects.
    """
    return _registered


def get_registered_name(obj: Any) -> str:
    """Return the name under which a class or function was registered; if it was not registered, return its own name.

    Args:
        obj: A class or a function.

    Returns:
        The name.

    Raises:
        AttributeError: `obj` has no name.
    """
    if not hasattr(obj, "__name__"):
        raise TapeAttributeError(
            f"`get_registered_name` expects a class or a function. Received: {obj!r}",
            fix="call `get_registered_name(type(layer))`",
        )
    return _names.get(obj) or str(obj.__name__)


def get_registered_object(
    name: str,
    custom_objects: dict[str, Any] | None = None,
    module_objects: dict[str, Any] | None = None,
) -> Any:
    """Look up a name in the active scopes, among the registered objects, and in the given dicts.

    Args:
        name: The name.
        custom_objects: Dict to search after the registered objects.
        module_objects: Dict to search last.

    Returns:
        The object, or None.

    Raises:
        TypeError: `name` is not a string.
    """
    if not isinstance(name, str | None):
        raise TapeTypeError(
            f"`name` must be a string. Received: {name!r}",
            fix='call `get_registered_object("Mine")`',
        )
    registries = [*reversed(_scopes), _registered, custom_objects or {}, module_objects or {}]
    return next((registry[name] for registry in registries if name in registry), None)


# --- serialization ---


def serialize_keras_object(obj: Any) -> Any:
    """Convert an object to plain values.

    Numbers, strings and None are returned unchanged; lists and dicts are converted recursively. Unlike TensorFlow, a
    lambda raises an error, the dtype of a layer is stored by name, and an initializer is stored as it was passed.

    Args:
        obj: The object.

    Returns:
        Plain values, usually a dict.

    Raises:
        TypeError: the object has no `get_config`, or it is a lambda.

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
    if isinstance(obj, np.ndarray | TensorLike):
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
        fix="write `def my_function(x): ...` instead of a lambda",
    )


def _described(obj: Any) -> dict[str, Any]:
    kind = type(obj)
    namespace = _namespace_of(kind.__name__, kind)
    own = None if kind.__module__ == "__main__" else kind.__module__
    return {
        "module": namespace or own,
        "class_name": kind.__name__,
        "config": serialize_keras_object(obj.get_config()),
        "registered_name": None if namespace else get_registered_name(kind),
    }


def _namespace_of(name: str, thing: Any) -> str | None:
    return next(
        (namespace for namespace in _NAMESPACES if _inside(namespace).get(name) is thing), None
    )


def _inside(namespace: str) -> dict[str, Any]:
    module = sys.modules.get(f"minitape.{namespace}")  # Keras packages are imported together
    return {} if module is None else vars(module)


# --- deserialization ---


def deserialize_keras_object(
    config: Any,
    custom_objects: dict[str, Any] | None = None,
    safe_mode: bool = True,
    **kwargs: Any,
) -> Any:
    """Create the object that plain values describe; plain values themselves are returned unchanged.

    Args:
        config: The result of `serialize_keras_object`.
        custom_objects: Dict from names to classes or functions that are not part of Keras.
        safe_mode: Must be True, because code is never read from plain values.
        **kwargs: Not accepted; any further keyword raises a ValueError.

    Returns:
        The object.

    Raises:
        TypeError: the name of a class or function is unknown.
        ValueError: a keyword is unknown, or `safe_mode` is False.

    Source: https://keras.io/api/models/model_saving_apis/serialization_utils/#deserializekerasobject-function
    """
    if kwargs or safe_mode is not True:
        raise TapeValueError(
            f"Unsupported arguments of `deserialize_keras_object`: {kwargs or 'safe_mode=False'}",
            fix="call `deserialize_keras_object(config, custom_objects)`",
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
    """Return the class or function for a name, which is custom, part of Keras, or in the module that `config` names."""
    for each in (registered, name):
        found = get_registered_object(each, known)
        if found is not None:
            return found
    if module in _NAMESPACES:
        return _inside(module).get(name) or _nowhere(name)
    if registered == name and module is not None and module in sys.modules:
        return vars(sys.modules[module]).get(name) or _nowhere(name)
    if module is None:
        for namespace in ("keras.activations", "keras.losses"):
            functions = _inside(namespace).get("_FUNCTIONS") or _inside(namespace).get(
                "_BY_NAME", {}
            )
            if name in functions:
                return functions[name]
    return _nowhere(name)


def _nowhere(name: str) -> Any:
    raise TapeTypeError(
        f"Could not locate class '{name}'. Make sure custom classes and functions are decorated with "
        "`@keras.saving.register_keras_serializable()`.",
        fix=f'use `deserialize(config, custom_objects={{"{name}": {name.rpartition(">")[2]}}})`',
    )


def made_from(
    config: Any, namespace: str, get: Callable[[Any], Any], custom_objects: dict[str, Any] | None
) -> Any:
    """Implement `deserialize` of a package: accept a dict, in which the module is optional, or a name that `get` finds.

    Args:
        config: The dict or the name.
        namespace: Module to use if `config` names none.
        get: The `get` function of the package.
        custom_objects: Dict from names to classes or functions that are not part of Keras.

    Returns:
        The object.
    """
    if not isinstance(config, dict):
        found = get_registered_object(config, custom_objects) if isinstance(config, str) else None
        return get(config) if found is None else found
    is_own = get_registered_object(str(config.get("class_name")), custom_objects) is not None
    return deserialize_keras_object(
        config if is_own else {"module": namespace, **config}, custom_objects
    )


__getattr__ = helpful_getattr(__name__)
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
