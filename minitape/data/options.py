"""Options of a dataset. In TensorFlow they affect the runtime but not the elements; minitape accepts and stores them."""

from typing import Any

from minitape.errors import TapeAttributeError


class _OptionNames:
    """An object with a fixed set of attributes; None for those that were not set."""

    _names: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise TapeAttributeError(
                f"Cannot set the property {name} on {type(self).__name__}.",
                fix=f"one of {', '.join(self._names)}",
            )
        object.__setattr__(self, name, value)


class ThreadingOptions(_OptionNames):
    """The number of threads of TensorFlow; minitape uses one.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/ThreadingOptions
    """

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


class AutotuneOptions(_OptionNames):
    """How TensorFlow chooses buffers and threads; no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/AutotuneOptions
    """

    _names = ("autotune_algorithm", "cpu_budget", "enabled", "initial_parallelism", "ram_budget")


class DistributeOptions(_OptionNames):
    """How TensorFlow distributes the data among machines; no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/DistributeOptions
    """

    _names = ("auto_shard_policy", "num_devices")


class OptimizationOptions(_OptionNames):
    """Which optimizations of the pipeline TensorFlow tries; no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/OptimizationOptions
    """

    _names = (
        "apply_default_optimizations",
        "filter_fusion",
        "filter_parallelization",
        "inject_prefetch",
        "map_and_batch_fusion",
        "map_and_filter_fusion",
        "map_fusion",
        "map_parallelization",
        "noop_elimination",
        "parallel_batch",
        "seq_interleave_prefetch",
        "shuffle_and_repeat_fusion",
    )


class Options(_OptionNames):
    """Options of a dataset, for `with_options`. None of them changes the elements, in TensorFlow or in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/Options
    """

    _names = (
        "autotune",
        "dataset_name",
        "deterministic",
        "experimental_deterministic",
        "experimental_distribute",
        "experimental_external_state_policy",
        "experimental_optimization",
        "experimental_slack",
        "experimental_symbolic_checkpoint",
        "experimental_threading",
        "experimental_warm_start",
        "framework_type",
        "threading",
    )

    def __init__(self) -> None:
        self.autotune = AutotuneOptions()
        self.experimental_distribute = DistributeOptions()
        self.experimental_optimization = OptimizationOptions()
        self.threading = self.experimental_threading = ThreadingOptions()
