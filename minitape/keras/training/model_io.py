"""The methods of a model for its summary and its files.

Source: https://keras.io/api/models/model/
"""

from typing import Any

from minitape.errors import UnimplementedError
from minitape.keras.training import saving
from minitape.keras.training.summary import summary_of


class ModelIO:
    """Base class of `Model` that prints its summary and saves its weights."""

    def summary(
        self,
        line_length: int | None = None,
        positions: Any = None,
        print_fn: Any = None,
        expand_nested: bool = False,
        show_trainable: bool = False,
        layer_range: Any = None,
    ) -> None:
        """Print the layers as a table with output shapes and numbers of parameters, and their totals.

        Args:
            line_length: Width of the table; by default the width of the terminal, but at most 88, or 108 with connections.
            positions: Ends of the columns as fractions of the width.
            print_fn: Function that receives the whole text; `print` by default.
            expand_nested: Whether to show the layers of nested models.
            show_trainable: Whether to show which layers are trainable.
            layer_range: Names, or regular expressions, of the first and the last layer to show.

        Raises:
            ValueError: `layer_range` matches no layers, or the width is too small.

        Source: https://keras.io/api/models/model/
        """
        text = summary_of(self, line_length, positions, expand_nested, show_trainable, layer_range)
        if print_fn is None:
            print(text, end="")
        else:
            print_fn(text)

    def save_weights(
        self, filepath: Any, overwrite: bool = True, max_shard_size: Any = None
    ) -> None:
        """Write all weights to a `.npz` file, and the state of the optimizer if the model was compiled.

        Args:
            filepath: Path that ends in .npz.
            overwrite: Whether an existing file may be replaced.
            max_shard_size: Not supported; must be None.

        Raises:
            ValueError: the path does not end in .npz, the file exists, or the model has no weights yet.
            UnimplementedError: `max_shard_size` is set.

        Source: https://keras.io/api/models/model_saving_apis/weights_saving_and_loading/
        """
        if max_shard_size is not None:
            raise UnimplementedError(
                "minitape saves the weights of a model in one file.",
                fix="call `save_weights(filepath)` without `max_shard_size`",
            )
        saving.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: Any, skip_mismatch: bool = False) -> None:
        """Read the weights that `save_weights` wrote; if some do not match, none are changed.

        Args:
            filepath: Path that ends in .npz.
            skip_mismatch: Whether to load the weights that match, with a warning about the others.

        Raises:
            ValueError: the path does not end in .npz, the number or the shapes of the weights differ, or the model has no
                weights yet.
            FileNotFoundError: the file does not exist.

        Source: https://keras.io/api/models/model_saving_apis/weights_saving_and_loading/
        """
        saving.load_weights(self, filepath, skip_mismatch)

    def save(self, filepath: Any, overwrite: bool = True, zipped: Any = None) -> None:
        """Not supported, because the file would contain Python classes; use `save_weights`.

        Args:
            filepath: Ignored, like all other arguments.

        Raises:
            UnimplementedError: always; the message names alternatives.
        """
        raise saving.no_whole_models("Model.save")

    def export(
        self,
        filepath: Any,
        format: str = "tf_saved_model",
        verbose: Any = None,
        input_signature: Any = None,
    ) -> None:
        """Not supported; use `save_weights`.

        Args:
            filepath: Ignored, like all other arguments.

        Raises:
            UnimplementedError: always; the message names alternatives.
        """
        raise saving.no_whole_models("Model.export")

    def to_json(self) -> str:
        """Not supported, because a model is created by its code.

        Raises:
            UnimplementedError: always; the message names alternatives.
        """
        raise saving.no_whole_models("Model.to_json")


def load_model(
    filepath: Any, custom_objects: Any = None, compile: bool = True, safe_mode: bool = True
) -> Any:
    """Not supported; create the model with its code and call `load_weights`.

    Args:
        filepath: Ignored, like all other arguments.

    Raises:
        UnimplementedError: always; the message names alternatives.

    Source: https://keras.io/api/models/model_saving_apis/model_saving_and_loading/
    """
    raise saving.no_whole_models("load_model")


__all__ = ["ModelIO", "load_model"]
