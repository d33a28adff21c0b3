"""What a model shows and keeps of itself: the part of `Model` that knows its table and its files.

Source: https://keras.io/api/models/model/
"""

from typing import Any

from minitape.errors import UnimplementedError
from minitape.keras.training import saving
from minitape.keras.training.summary import summary_of


class Kept:
    """How a model is shown and kept."""

    def summary(
        self,
        line_length: int | None = None,
        positions: Any = None,
        print_fn: Any = None,
        expand_nested: bool = False,
        show_trainable: bool = False,
        layer_range: Any = None,
    ) -> None:
        """Print the layers as a table: what they answer, how many weights they have, and the sums of these.

        Args:
            line_length: How wide the table is; as the terminal by default, at most 88, or 108 with connections.
            positions: At which shares of that the columns end.
            print_fn: Called with the whole text; `print` by default.
            expand_nested: Show the layers of models among the layers, too.
            show_trainable: Show which layers are trained.
            layer_range: Names, or regular expressions, of the first and the last layer to show.

        Raises:
            ValueError: a range that fits no layers; a width that is too small.

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
        """Write all weights into a `.npz`, with what the optimizer remembers if the model was compiled.

        Args:
            filepath: Ends in .npz.
            overwrite: Whether a file that is there may be replaced.
            max_shard_size: None: the weights stay in one file.

        Raises:
            ValueError: a file of another kind, or one that is there; the model has no weights yet.
            UnimplementedError: several files are asked for.

        Source: https://keras.io/api/models/model_saving_apis/weights_saving_and_loading/
        """
        if max_shard_size is not None:
            raise UnimplementedError(
                "minitape keeps the weights of a model in one file.",
                fix="save_weights(filepath), without max_shard_size",
            )
        saving.save_weights(self, filepath, overwrite)

    def load_weights(self, filepath: Any, skip_mismatch: bool = False) -> None:
        """Read the weights that `save_weights` wrote: all of them, or none if they do not fit.

        Args:
            filepath: Ends in .npz.
            skip_mismatch: Load those that fit, and warn of the others.

        Raises:
            ValueError: a file of another kind; weights of other shapes or another number; the model has no weights yet.
            FileNotFoundError: there is no such file.

        Source: https://keras.io/api/models/model_saving_apis/weights_saving_and_loading/
        """
        saving.load_weights(self, filepath, skip_mismatch)

    def save(self, filepath: Any, overwrite: bool = True, zipped: Any = None) -> None:
        """Refused: it would be weights and Python classes in one file.

        Raises:
            UnimplementedError: always; it says what to write.
        """
        raise saving.no_whole_models("Model.save")

    def export(
        self,
        filepath: Any,
        format: str = "tf_saved_model",
        verbose: Any = None,
        input_signature: Any = None,
    ) -> None:
        """Refused, as `save`.

        Raises:
            UnimplementedError: always; it says what to write.
        """
        raise saving.no_whole_models("Model.export")

    def to_json(self) -> str:
        """Refused: a model is made by its code.

        Raises:
            UnimplementedError: always; it says what to write.
        """
        raise saving.no_whole_models("Model.to_json")


def load_model(
    filepath: Any, custom_objects: Any = None, compile: bool = True, safe_mode: bool = True
) -> Any:
    """Refused: a model is made by its code, and `load_weights` gives it its weights.

    Raises:
        UnimplementedError: always; it says what to write.

    Source: https://keras.io/api/models/model_saving_apis/model_saving_and_loading/
    """
    raise saving.no_whole_models("load_model")


__all__ = ["Kept", "load_model"]
