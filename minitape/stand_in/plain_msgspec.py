"""The part of msgspec that minitape uses, in plain Python, for places where msgspec is not installed.

Struct, field, Meta   classes with typed fields
convert               plain data → structs, checked
to_builtins           structs → plain data
structs json toml     the modules of msgspec with these names

It is slower than msgspec, and checks less: the limits in `Meta` are not tested.
"""

from __future__ import annotations

import copy
import enum
import json as _json
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import SimpleNamespace
from typing import Any, dataclass_transform

_MISSING: Any = object()
_WORDS = {
    int: "int",
    float: "float",
    str: "str",
    bool: "bool",
    type(None): "null",
    list: "array",
    dict: "object",
}


class MsgspecError(Exception):
    """The base class of the errors."""


class DecodeError(MsgspecError):
    """A text is not JSON or TOML."""


class ValidationError(DecodeError):
    """Data do not have the requested type."""


class Raw(bytes):
    """JSON text that is decoded later."""


class Meta:
    """Constraints and a description of a type, in `Annotated`; they are not tested."""

    def __init__(self, **about: Any) -> None:
        self.__dict__.update(about)


@dataclass(frozen=True)
class _Field:
    default: Any = _MISSING
    default_factory: Callable[[], Any] | None = None
    name: str | None = None


def field(
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return a field with a default, or with another name in data."""
    return _Field(default, default_factory, name)


@dataclass_transform(field_specifiers=(field,))
class _StructType(type):
    """Collects the fields of a struct and of its bases."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any
    ) -> Any:
        annotations = namespace.get("__annotations__", {})
        own = {}
        for each, kind in annotations.items():
            if "ClassVar" in str(kind):
                continue
            given = namespace.pop(each, _MISSING)
            own[each] = given if isinstance(given, _Field) else _Field(given)
        made: Any = super().__new__(mcls, name, bases, namespace)
        fields: dict[str, _Field] = {}
        keyword_only: set[str] = set()
        inherited: dict[str, Any] = {}
        for base in reversed(made.__mro__[1:]):
            inherited |= vars(base).get("__struct_options__", {})
            fields |= vars(base).get("__struct_own__", {})
            keyword_only |= vars(base).get("__struct_keywords__", set())
        options = {**inherited, **config}
        options["tag"] = config.get("tag", inherited.get("tag"))
        made.__struct_options__ = options
        made.__struct_own__ = own
        made.__struct_keywords__ = set(own) if config.get("kw_only") else set()
        fields |= own
        keyword_only |= made.__struct_keywords__
        order = [each for each in fields if each not in keyword_only]
        order += [each for each in fields if each in keyword_only]
        made.__struct_all__ = {each: fields[each] for each in order}
        made.__struct_positional__ = [each for each in order if each not in keyword_only]
        made.__struct_fields__ = tuple(order)
        made.__struct_encode_fields__ = tuple(fields[each].name or each for each in order)
        tag, tag_field = options.get("tag"), options.get("tag_field")
        if tag is None and tag_field is not None:
            tag = name
        made.__struct_config__ = SimpleNamespace(
            tag=name if tag is True else tag,
            tag_field=tag_field or ("type" if tag is not None else None),
            frozen=options.get("frozen", False),
        )
        return made

    def __init__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any
    ) -> None:
        super().__init__(name, bases, namespace)


class Struct(metaclass=_StructType):
    """A class with typed fields; options such as `frozen` are given in the class statement."""

    __struct_all__: typing.ClassVar[dict[str, _Field]]
    __struct_fields__: typing.ClassVar[tuple[str, ...]]
    __struct_config__: typing.ClassVar[Any]
    __struct_options__: typing.ClassVar[dict[str, Any]]
    __struct_positional__: typing.ClassVar[list[str]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        cls = type(self)
        if len(args) > len(cls.__struct_positional__):
            raise TypeError(f"Extra positional arguments provided to {cls.__name__}")
        given = dict(zip(cls.__struct_positional__, args, strict=False)) | kwargs
        for name, each in cls.__struct_all__.items():
            value = given.pop(name, _MISSING)
            if value is _MISSING:
                value = _default(each)
            if value is _MISSING:
                raise TypeError(f"Missing required argument '{name}'")
            object.__setattr__(self, name, value)
        if given:
            raise TypeError(f"Unexpected keyword argument '{next(iter(given))}'")
        post = getattr(self, "__post_init__", None)
        if post is not None:
            post()

    def __setattr__(self, name: str, value: Any) -> None:
        if type(self).__struct_config__.frozen:
            raise AttributeError(f"immutable type: '{type(self).__name__}'")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((type(self), *_values(self)))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__)
        return f"{type(self).__name__}({said})"


def _values(struct: Any) -> tuple[Any, ...]:
    return tuple(getattr(struct, name) for name in struct.__struct_fields__)


def _default(each: _Field) -> Any:
    if each.default_factory is not None:
        return each.default_factory()
    is_mutable = isinstance(each.default, list | dict | set)
    return copy.copy(each.default) if is_mutable else each.default


# --- structs → data ---


def to_builtins(data: Any, *, str_keys: bool = False, order: str | None = None, **_: Any) -> Any:
    """Return data without structs and enums."""
    if isinstance(data, Struct):
        made = {}
        config = data.__struct_config__
        if config.tag is not None:
            made[config.tag_field] = config.tag
        omits = data.__struct_options__.get("omit_defaults", False)
        for name, each in data.__struct_all__.items():
            value = getattr(data, name)
            if omits and each.default is not _MISSING and value == each.default:
                continue
            if omits and each.default_factory is not None and value == each.default_factory():
                continue
            made[each.name or name] = to_builtins(value, str_keys=str_keys)
        return made
    if is_dataclass(data) and not isinstance(data, type):
        return {
            each.name: to_builtins(getattr(data, each.name), str_keys=str_keys)
            for each in fields(data)
        }
    if isinstance(data, enum.Enum):
        return data.value
    if isinstance(data, Mapping):
        return {
            str(key) if str_keys else to_builtins(key): to_builtins(value, str_keys=str_keys)
            for key, value in data.items()
        }
    if isinstance(data, list | tuple | set | frozenset):
        return [to_builtins(each, str_keys=str_keys) for each in data]
    return data


# --- data → structs ---


def convert(data: Any, type: Any, *, strict: bool = True, str_keys: bool = False, **_: Any) -> Any:
    """Return data as an instance of a type.

    Raises:
        ValidationError: the data do not have the type.
    """
    return _converted(data, type, "$", str_keys)


def _converted(data: Any, kind: Any, path: str, str_keys: bool) -> Any:
    origin = typing.get_origin(kind)
    if kind is Any or isinstance(kind, typing.TypeVar):
        return data
    if origin is typing.Annotated:
        return _converted(data, typing.get_args(kind)[0], path, str_keys)
    if hasattr(kind, "__value__"):  # a name for a type
        return _converted(data, kind.__value__, path, str_keys)
    if origin in (typing.Union, types.UnionType):
        return _of_union(data, typing.get_args(kind), path, str_keys)
    if origin is typing.Literal:
        if data in typing.get_args(kind):
            return data
        raise ValidationError(f"Invalid enum value {data!r} - at `{path}`")
    if isinstance(kind, _StructType):
        return _struct(data, kind, path, str_keys)
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(data, kind, path, str_keys)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _named_tuple(data, kind, path, str_keys)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        try:
            return kind(data)
        except ValueError:
            raise ValidationError(f"Invalid enum value {data!r} - at `{path}`") from None
    base = origin or kind
    if base in (list, tuple, set, frozenset) or base in _SEQUENCES:
        return _sequence(data, base, typing.get_args(kind), path, str_keys)
    if base is dict or base in _MAPPINGS:
        return _dict(data, typing.get_args(kind), path, str_keys)
    return _scalar(data, base, path)


_SEQUENCES = (typing.get_origin(typing.Sequence[int]),)
_MAPPINGS = (typing.get_origin(typing.Mapping[int, int]),)


def _scalar(data: Any, kind: Any, path: str) -> Any:
    if kind in (None, type(None)):
        kind = type(None)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    is_bool = isinstance(data, bool) and kind is not bool
    if not isinstance(kind, type) or (isinstance(data, kind) and not (is_bool and kind is int)):
        return data
    wanted = _WORDS.get(kind, kind.__name__)
    raise ValidationError(f"Expected `{wanted}`, got `{_word(data)}` - at `{path}`")


def _word(data: Any) -> str:
    return next((word for kind, word in _WORDS.items() if type(data) is kind), type(data).__name__)


def _sequence(data: Any, base: Any, args: tuple[Any, ...], path: str, str_keys: bool) -> Any:
    if not isinstance(data, list | tuple | set | frozenset):
        raise ValidationError(f"Expected `array`, got `{_word(data)}` - at `{path}`")
    made = base if base in (list, tuple, set, frozenset) else list
    at = f"{path}[...]"
    if base is tuple and args and args[-1] is not ...:
        if len(args) != len(data):
            raise ValidationError(f"Expected `array` of length {len(args)} - at `{path}`")
        pairs = zip(data, args, strict=True)
        return tuple(_converted(each, kind, at, str_keys) for each, kind in pairs)
    inner = args[0] if args else Any
    return made(_converted(each, inner, at, str_keys) for each in data)


def _dict(data: Any, args: tuple[Any, ...], path: str, str_keys: bool) -> Any:
    if not isinstance(data, Mapping):
        raise ValidationError(f"Expected `object`, got `{_word(data)}` - at `{path}`")
    key_kind, kind = args or (Any, Any)

    def key(each: Any) -> Any:
        if str_keys and isinstance(each, str) and _plain(key_kind) is int:
            return int(each)
        return each

    return {
        key(name): _converted(each, kind, f"{path}[...]", str_keys) for name, each in data.items()
    }


def _plain(kind: Any) -> Any:
    while typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    return kind


def _of_union(data: Any, kinds: tuple[Any, ...], path: str, str_keys: bool) -> Any:
    structs_ = [each for each in map(_plain, kinds) if isinstance(each, _StructType)]
    if isinstance(data, Mapping) and structs_:
        for each in structs_:
            config = each.__struct_config__  # type: ignore[attr-defined]
            if config.tag_field is not None and data.get(config.tag_field) == config.tag:
                return _struct(data, each, path, str_keys)
    failures = []
    for each in sorted(kinds, key=lambda kind: _plain(kind) is float):
        try:
            return _converted(data, each, path, str_keys)
        except ValidationError as error:
            failures.append(error)
    raise failures[0]


def _struct(data: Any, kind: Any, path: str, str_keys: bool) -> Any:
    if isinstance(data, kind):
        return data
    if not isinstance(data, Mapping):
        raise ValidationError(f"Expected `object`, got `{_word(data)}` - at `{path}`")
    hints = _hints(kind)
    config = kind.__struct_config__
    made = {}
    known = {config.tag_field} if config.tag_field else set()
    for name, each in kind.__struct_all__.items():
        written = each.name or name
        known.add(written)
        if written in data:
            made[name] = _converted(data[written], hints[name], f"{path}.{written}", str_keys)
        elif each.default is _MISSING and each.default_factory is None:
            raise ValidationError(f"Object missing required field `{written}` - at `{path}`")
    if kind.__struct_options__.get("forbid_unknown_fields"):
        unknown = [each for each in data if each not in known]
        if unknown:
            raise ValidationError(f"Object contains unknown field `{unknown[0]}` - at `{path}`")
    return kind(**made)


def _dataclass(data: Any, kind: Any, path: str, str_keys: bool) -> Any:
    if isinstance(data, kind):
        return data
    if not isinstance(data, Mapping):
        raise ValidationError(f"Expected `object`, got `{_word(data)}` - at `{path}`")
    hints = _hints(kind)
    given = {name: value for name, value in data.items() if name in hints}
    return kind(
        **{
            name: _converted(value, hints[name], f"{path}.{name}", str_keys)
            for name, value in given.items()
        }
    )


def _named_tuple(data: Any, kind: Any, path: str, str_keys: bool) -> Any:
    if not isinstance(data, list | tuple):
        raise ValidationError(f"Expected `array`, got `{_word(data)}` - at `{path}`")
    hints = _hints(kind)
    pairs = zip(kind._fields, data, strict=False)
    return kind(
        *(_converted(value, hints[name], f"{path}[...]", str_keys) for name, value in pairs)
    )


_HINTS: dict[Any, dict[str, Any]] = {}


def _hints(kind: Any) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = typing.get_type_hints(kind, include_extras=True)
    return _HINTS[kind]


# --- the modules of msgspec ---


def _replace(struct: Any, /, **changes: Any) -> Any:
    return type(struct)(
        **{name: getattr(struct, name) for name in struct.__struct_fields__} | changes
    )


def _asdict(struct: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


def _fields(kind: Any) -> Iterator[SimpleNamespace]:
    kind = kind if isinstance(kind, type) else type(kind)
    hints = _hints(kind)
    return iter(
        [
            SimpleNamespace(
                name=name, encode_name=each.name or name, type=hints[name], default=each.default
            )
            for name, each in kind.__struct_all__.items()
        ]
    )


def _encode(data: Any, *, order: str | None = None) -> bytes:
    plain = to_builtins(data, str_keys=True)
    text = _json.dumps(
        plain, ensure_ascii=False, separators=(",", ":"), sort_keys=order == "sorted"
    )
    return text.encode()


def _decode(data: bytes | str, *, type: Any = Any, strict: bool = True) -> Any:
    try:
        plain = _json.loads(data)
    except ValueError as error:
        raise DecodeError(str(error)) from None
    return convert(plain, type, str_keys=True)


def _format(data: bytes | str, *, indent: int = 2) -> bytes:
    return _json.dumps(_json.loads(data), ensure_ascii=False, indent=indent).encode()


class _Decoder:
    """Decodes JSON of one type."""

    def __init__(self, type: Any = Any, **_: Any) -> None:
        self._type = type

    def decode(self, data: bytes | str) -> Any:
        return _decode(data, type=self._type)


class _Encoder:
    """Encodes as JSON."""

    def __init__(self, **options: Any) -> None:
        self._order = options.get("order")

    def encode(self, data: Any) -> bytes:
        return _encode(data, order=self._order)


def _toml(data: bytes | str, *, type: Any = Any, **_: Any) -> Any:
    import tomllib

    text = data.decode() if isinstance(data, bytes) else data
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DecodeError(str(error)) from None
    return convert(plain, type)


def _module(name: str, **names: Any) -> types.ModuleType:
    made = types.ModuleType(f"msgspec.{name}")
    made.__dict__.update(names)
    return made


structs = _module(
    "structs", replace=_replace, asdict=_asdict, fields=_fields, force_setattr=object.__setattr__
)
json = _module(
    "json", encode=_encode, decode=_decode, format=_format, Decoder=_Decoder, Encoder=_Encoder
)
toml = _module("toml", decode=_toml)
inspect = _module("inspect")
__version__ = "0"
__path__: list[str] = []  # a package, for `import msgspec.json`
