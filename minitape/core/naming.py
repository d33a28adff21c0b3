"""Name scopes: a variable created inside `tf.name_scope("a")` is named `a/...`."""

from typing import Any

from minitape.core.recorders import thread
from minitape.errors import TapeValueError


class name_scope:  # noqa: N801  # TensorFlow's name
    """A context manager that prefixes the names of variables with `name/`; nested scopes are joined.

    Entering it returns the whole scope, such as `outer/inner/`. A name that ends in `/` is used as the whole scope.

    Args:
        name: The prefix; an empty string leaves all scopes.

    Raises:
        ValueError: `name` is not a string.

    Source: https://www.tensorflow.org/api_docs/python/tf/name_scope
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TapeValueError(
                "name for name_scope must be a string.", fix='use `tf.name_scope("a")`'
            )
        self.name = name
        self._outside: list[str] = []

    def __enter__(self) -> str:
        outside = thread.scope
        self._outside.append(outside)
        thread.scope = self.name if self.name.endswith("/") else outside + self.name + "/"
        if not self.name:
            thread.scope = ""
        return thread.scope

    def __exit__(self, *_: Any) -> None:
        thread.scope = self._outside.pop()
