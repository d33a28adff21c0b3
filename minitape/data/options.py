"""Options of a dataset. In TensorFlow, they affect the runtime but not the elements; minitape accepts and stores them."""

from typing import Any

from minitape.errors import TapeAttributeError, code_list


class _OptionNames:
    """An object with a fixed set of attributes, which are None until they are set."""

    _names: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._names:
            raise TapeAttributeError(
                f"Cannot set the property {name} on {type(self).__name__}.",
                fix=f"use one of {code_list(self._names)}",
            )
        object.__setattr__(self, name, value)


class ThreadingOptions(_OptionNames):
    """Options for the number of threads that TensorFlow uses; minitape uses one thread.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/ThreadingOptions
    """

    _names = ("max_intra_op_parallelism", "private_threadpool_size")


class AutotuneOptions(_OptionNames):
    """Options for how TensorFlow chooses buffers and threads; they have no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/AutotuneOptions
    """

    _names = ("autotune_algorithm", "cpu_budget", "enabled", "initial_parallelism", "ram_budget")


class DistributeOptions(_OptionNames):
    """Options for how TensorFlow distributes the data among machines; they have no effect in minitape.

    Source: https://www.tensorflow.org/api_docs/python/tf/data/experimental/DistributeOptions
    """

    _names = ("auto_shard_policy", "num_devices")


class OptimizationOptions(_OptionNames):
    """Options for the optimizations that TensorFlow tries on a pipeline; they have no effect in minitape.

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
    """Options of a dataset, for `with_options`. They do not change the elements, neither in TensorFlow nor in minitape.

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
