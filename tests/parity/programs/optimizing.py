"""Optimizers beyond the plain path: each one's steps and memory, every keyword, rows, schedules, and what is refused."""

from typing import Any

from programs.case import Case, Program, rounds, table

_TARGET = [[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]]


def _steps(name: str, *, count: int = 6, dtype: str = "float64", **settings: Any) -> Program:
    """Down a bowl that is steeper for some weights; after each step the weights, at the end the memory."""

    def program(tf: Any, np: Any) -> Any:
        optimizer = getattr(tf.keras.optimizers, name)(**settings)
        matrix = tf.Variable(np.array(_TARGET[::-1], dtype) * 0.5)
        vector = tf.Variable(np.array([0.3, -0.7], dtype))
        steep = tf.constant(np.array([[1.0, 4.0, 0.2], [2.0, 0.5, 1.0]], dtype))
        way = []
        for _ in range(count):
            with tf.GradientTape() as tape:
                distance = (matrix - np.array(_TARGET, dtype)) ** 2
                loss = tf.reduce_sum(steep * distance) + tf.reduce_sum(vector**2 * 1.5)
            gradients = tape.gradient(loss, [matrix, vector])
            optimizer.apply_gradients(zip(gradients, [matrix, vector]))
            way.append([matrix.numpy(), vector.numpy()])
        return {"way": way, "memory": _memory(optimizer), "steps": int(optimizer.iterations)}

    return program


def _memory(optimizer: Any) -> Any:
    return [[list(each.shape), each.numpy()] for each in optimizer.variables]


ALL = {
    "SGD": {"learning_rate": 0.05},
    "Adagrad": {"learning_rate": 0.3},
    "RMSprop": {"learning_rate": 0.02},
    "Adadelta": {"learning_rate": 1.0},
    "Ftrl": {"learning_rate": 0.3},
    "Adafactor": {"learning_rate": 0.1},
    "Adam": {"learning_rate": 0.1},
    "AdamW": {"learning_rate": 0.1},
    "Adamax": {"learning_rate": 0.1},
    "Nadam": {"learning_rate": 0.1},
    "Lamb": {"learning_rate": 0.1},
    "Lion": {"learning_rate": 0.05},
}

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd_with_nesterov": ("SGD", {"momentum": 0.9, "nesterov": True}),
    "rmsprop_with_all": ("RMSprop", {"momentum": 0.5, "centered": True, "rho": 0.8}),
    "adam_with_amsgrad": ("Adam", {"amsgrad": True, "beta_1": 0.8, "beta_2": 0.9}),
    "adamax_with_betas": ("Adamax", {"beta_1": 0.7, "beta_2": 0.9, "epsilon": 1e-3}),
    "nadam_with_betas": ("Nadam", {"beta_1": 0.7, "beta_2": 0.9, "epsilon": 1e-3}),
    "lamb_with_betas": ("Lamb", {"beta_1": 0.7, "beta_2": 0.9, "epsilon": 1e-3}),
    "lion_with_betas": ("Lion", {"beta_1": 0.7, "beta_2": 0.9}),
    "adadelta_with_rho": ("Adadelta", {"rho": 0.8, "epsilon": 1e-4}),
    "ftrl_with_prices": (
        "Ftrl",
        {
            "learning_rate_power": -0.7,
            "initial_accumulator_value": 0.5,
            "l1_regularization_strength": 0.3,
            "l2_regularization_strength": 0.2,
            "l2_shrinkage_regularization_strength": 0.1,
            "beta": 0.4,
        },
    ),
    "adafactor_without_relative_step": (
        "Adafactor",
        {"relative_step": False, "clip_threshold": 0.5, "beta_2_decay": -0.5},
    ),
    "with_weight_decay": ("Lion", {"weight_decay": 0.1}),
    "with_clipnorm": ("Nadam", {"clipnorm": 0.5}),
    "with_clipvalue": ("Adamax", {"clipvalue": 0.5}),
    "with_global_clipnorm": ("Ftrl", {"global_clipnorm": 0.5}),
    "with_loss_scale_factor": ("SGD", {"loss_scale_factor": 4.0}),
    "with_ema": ("SGD", {"use_ema": True, "ema_momentum": 0.8}),
    "with_ema_written_back": (
        "Adam",
        {"use_ema": True, "ema_momentum": 0.5, "ema_overwrite_frequency": 2},
    ),
    "with_accumulated_gradients": ("Adam", {"gradient_accumulation_steps": 2}),
    "with_accumulated_gradients_of_three": (
        "SGD",
        {"gradient_accumulation_steps": 3, "clipnorm": 1.0, "momentum": 0.9},
    ),
    "with_all_of_it": (
        "RMSprop",
        {
            "gradient_accumulation_steps": 2,
            "use_ema": True,
            "ema_momentum": 0.5,
            "ema_overwrite_frequency": 2,
            "weight_decay": 0.1,
            "global_clipnorm": 2.0,
        },
    ),
}


def _rows(name: str, **settings: Any) -> Program:
    """Rows of a table, one of them read twice."""

    def program(tf: Any, np: Any) -> Any:
        optimizer = getattr(tf.keras.optimizers, name)(**settings)
        rows = tf.Variable(np.arange(8.0).reshape(4, 2) / 4 + 0.1)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(rows, [2, 0, 2]) ** 2 * [[1.0], [2.0], [0.5]])
            optimizer.apply_gradients([(tape.gradient(loss, rows), rows)])
        return [rows.numpy(), _memory(optimizer)]

    return program


# --- the face ---


def config_comes_back(tf: Any, np: Any) -> Any:
    kinds = tf.keras.optimizers
    made = [
        kinds.SGD(0.5, momentum=0.5, clipnorm=1.0, name="mine"),
        kinds.Adam(0.25, amsgrad=True, use_ema=True, name="b"),
        kinds.Ftrl(0.5, l1_regularization_strength=0.5, name="f"),
        kinds.Adafactor(0.5, name="a"),
        kinds.Lion(0.5, weight_decay=0.5, name="l"),
        kinds.AdamW(0.5, name="w"),
        kinds.Nadam(0.5, name="n"),
    ]
    again = [type(each).from_config(each.get_config()) for each in made]
    return [_sorted(each.get_config()) for each in again]


def _sorted(config: dict[str, Any]) -> dict[str, Any]:
    return {key: config[key] for key in sorted(config)}


def config_with_a_schedule(tf: Any, np: Any) -> Any:
    schedules = tf.keras.optimizers.schedules
    optimizer = tf.keras.optimizers.SGD(schedules.ExponentialDecay(0.5, 10, 0.5), name="s")
    again = tf.keras.optimizers.SGD.from_config(optimizer.get_config())
    return [_sorted(optimizer.get_config()["learning_rate"]), float(again.learning_rate)]


def got_by_name(tf: Any, np: Any) -> Any:
    get = tf.keras.optimizers.get
    mine = tf.keras.optimizers.SGD()
    found = [get("adam"), get("RMSprop"), get("SGD"), get("adamw"), get("Nadam")]
    by_config = get({"class_name": "Adam", "config": {"learning_rate": 0.5}})
    names = [type(each).__name__ for each in found]
    return [names, get(mine) is mine, get(None), float(by_config.learning_rate)]


def learning_rate_is_set(tf: Any, np: Any) -> Any:
    optimizer = tf.keras.optimizers.SGD(0.5)
    seen = [optimizer.learning_rate.numpy()]
    optimizer.learning_rate = 0.25
    seen.append(optimizer.learning_rate.numpy())
    optimizer.learning_rate.assign(0.125)
    seen.append(optimizer.learning_rate.numpy())
    optimizer.learning_rate = tf.keras.optimizers.schedules.ExponentialDecay(1.0, 1, 0.5)
    return [*seen, float(optimizer.learning_rate), len(optimizer.variables)]


def built_then_stored(tf: Any, np: Any) -> Any:
    v = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.Adam(0.5)
    optimizer.build([v])
    before = _memory(optimizer)
    stored = [np.array(5), np.float32(0.25), np.array([1.0, 2.0], "float32")]
    optimizer.set_weights([*stored, np.array([3.0, 4.0], "float32")])
    optimizer.apply([tf.constant([1.0, 1.0])], [v])
    return [before, _memory(optimizer), v.numpy()]


def applied_without_variables(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable([2.0])
    optimizer = tf.keras.optimizers.SGD(0.5)
    optimizer.build([v, w])
    returned = optimizer.apply([tf.constant(1.0), tf.constant([1.0])])
    return [returned, v.numpy(), w.numpy(), optimizer.apply([])]


def what_apply_gradients_returns(tf: Any, np: Any) -> Any:
    v = tf.Variable(1.0)
    optimizer = tf.keras.optimizers.SGD(0.5)
    return [optimizer.apply_gradients([(tf.constant(1.0), v)]) for _ in range(2)][-1]


def part_of_the_variables(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    optimizer = tf.keras.optimizers.Adam(0.5)
    optimizer.build([v, w])
    optimizer.apply_gradients([(tf.constant(1.0), w)])
    return [v.numpy(), w.numpy(), _memory(optimizer)]


def none_is_passed_over(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    optimizer = tf.keras.optimizers.SGD(0.5)
    optimizer.apply_gradients([(None, v), (tf.constant(1.0), w)])
    return [v.numpy(), w.numpy()]


def unknown_variable(tf: Any, np: Any) -> Any:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    optimizer = tf.keras.optimizers.SGD(0.5)
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    optimizer.apply_gradients([(tf.constant(1.0), w)])


def scaled_loss(tf: Any, np: Any) -> Any:
    optimizer = tf.keras.optimizers.SGD(1.0, loss_scale_factor=8.0)
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = optimizer.scale_loss(v * v)
    optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    return [loss, v.numpy(), tf.keras.optimizers.SGD().scale_loss(tf.constant(2.0))]


def finalized(tf: Any, np: Any) -> Any:
    v = tf.Variable(1.0)
    optimizer = tf.keras.optimizers.SGD(0.5, use_ema=True, ema_momentum=0.5)
    for _ in range(3):
        optimizer.apply_gradients([(2 * v, v)])
    before = v.numpy()
    optimizer.finalize_variable_values([v])
    return [before, v.numpy()]


def some_do_not_decay(tf: Any, np: Any) -> Any:
    named = [tf.Variable(1.0, name=name) for name in ("kernel", "bias", "scale", "other")]
    optimizer = tf.keras.optimizers.SGD(0.5, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_list=[named[0]], var_names=["bias", "cal"])
    optimizer.apply_gradients([(tf.constant(0.0), v) for v in named])
    return [v.numpy() for v in named]


def constraints_are_put_in_force(tf: Any, np: Any) -> Any:
    v = tf.Variable([0.25, 1.0], constraint=lambda x: tf.maximum(x, 0.0))
    layer = tf.keras.layers.Dense(1, kernel_constraint="non_neg", kernel_initializer="ones")
    layer.build((None, 2))
    weights = [v, layer.kernel]
    optimizer = tf.keras.optimizers.SGD(1.0)
    optimizer.apply_gradients(
        [(tf.constant([0.5, 0.5]), v), (tf.constant([[2.0], [0.5]]), layer.kernel)]
    )
    return [each.numpy() for each in weights]


def an_optimizer_of_ones_own(tf: Any, np: Any) -> Any:
    class Signs(tf.keras.optimizers.Optimizer):
        def __init__(self, learning_rate: float = 0.5, **settings: Any) -> None:
            super().__init__(learning_rate=learning_rate, **settings)

        def build(self, variables: Any) -> None:
            super().build(variables)
            self.counts = self.add_optimizer_variables(variables, "count")
            self.more = self.add_variable((2,), initializer="ones", name="more")

        def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
            rate = tf.cast(learning_rate, variable.dtype)
            self.assign_sub(variable, rate * tf.sign(gradient))
            self.assign_add(self.counts[0], 1.0)
            self.assign(self.more, self.more * 2.0)

    v = tf.Variable(3.0)
    optimizer = Signs(clipnorm=1.0)
    for _ in range(3):
        optimizer.apply_gradients([(2 * v, v)])
    return [v.numpy(), _memory(optimizer), optimizer.iterations]


def names(tf: Any, np: Any) -> Any:
    tf.keras.backend.clear_session()
    kinds = tf.keras.optimizers
    made = [kinds.SGD(), kinds.SGD(), kinds.AdamW(), kinds.RMSprop(), kinds.Adam(name="mine")]
    v = tf.Variable(1.0, name="weight")
    made[4].build([v])
    return [[each.name for each in made], [each.path for each in made[4].variables]]


def a_subclass_of_a_schedule(tf: Any, np: Any) -> Any:
    class Warm(tf.keras.optimizers.schedules.LearningRateSchedule):
        def __call__(self, step: Any) -> Any:
            return 1.0 / (tf.cast(step, tf.float32) + 1.0)

    v = tf.Variable(0.0)
    optimizer = tf.keras.optimizers.SGD(Warm())
    for _ in range(3):
        optimizer.apply_gradients([(tf.constant(1.0), v)])
    return [v.numpy(), float(optimizer.learning_rate)]


_SCHEDULES: dict[str, Any] = {
    "restarts": lambda s: s.CosineDecayRestarts(0.5, 10),
    "restarts_of_one_length": lambda s: s.CosineDecayRestarts(0.5, 10, t_mul=1.0, m_mul=0.5),
    "restarts_with_a_rest": lambda s: s.CosineDecayRestarts(0.5, 7, 1.5, 0.9, 0.1),
    "exponential": lambda s: s.ExponentialDecay(0.5, 10, 0.7, staircase=True),
    "inverse": lambda s: s.InverseTimeDecay(0.5, 10, 0.7),
    "polynomial": lambda s: s.PolynomialDecay(0.5, 30, 0.1, 2.0),
    "polynomial_in_cycles": lambda s: s.PolynomialDecay(0.5, 30, cycle=True),
    "cosine": lambda s: s.CosineDecay(0.5, 30, 0.1),
    "cosine_after_a_warmup": lambda s: s.CosineDecay(0.1, 30, warmup_target=0.5, warmup_steps=10),
    "stairs": lambda s: s.PiecewiseConstantDecay([10, 30], [0.5, 0.2, 0.1]),
    "stairs_of_ints": lambda s: s.PiecewiseConstantDecay([10.0, 30.0], [3, 2, 1]),
}


def _schedule(make: Any) -> Program:
    def program(tf: Any, np: Any) -> Any:
        schedules = tf.keras.optimizers.schedules
        schedule = make(schedules)
        steps = (0, 1, 9, 10, 11, 29, 30, 31, 45, 80)
        rates = [schedule(step) for step in steps]
        again = schedules.deserialize(schedules.serialize(schedule))
        return [rates, _sorted(again.get_config()), schedule(tf.Variable(5)), schedule(4.5)]

    return program


def _made(name: str, *args: Any, **settings: Any) -> Program:
    return lambda tf, np: getattr(tf.keras.optimizers, name)(*args, **settings) and None


REFUSED = {
    "learning_rate_is_an_int": _made("SGD", 1),
    "learning_rate_is_none": _made("Adam", None),
    "learning_rate_is_a_word": _made("Adam", "fast"),
    "momentum_is_an_int": _made("SGD", 0.1, momentum=1),
    "momentum_is_too_large": _made("SGD", 0.1, momentum=1.5),
    "keyword_is_unknown": _made("SGD", 0.1, speed=2),
    "keyword_of_keras_2": _made("Adam", lr=0.1),
    "two_ways_to_clip": _made("Adam", clipnorm=1.0, clipvalue=1.0),
    "one_accumulated": _made("Adam", gradient_accumulation_steps=1),
    "ema_momentum_too_large": _made("Adam", use_ema=True, ema_momentum=1.5),
    "ema_frequency_zero": _made("Adam", use_ema=True, ema_overwrite_frequency=-1),
    "ftrl_power_positive": _made("Ftrl", learning_rate_power=0.5),
    "ftrl_price_negative": _made("Ftrl", l1_regularization_strength=-1.0),
    "lion_beta_zero": _made("Lion", beta_1=0.0),
    "adamw_without_decay": _made("AdamW", weight_decay=None),
    "legacy": lambda tf, np: tf.keras.optimizers.legacy.Adam(),
    "get_of_no_name": lambda tf, np: tf.keras.optimizers.get("adamm"),
    "get_of_a_number": lambda tf, np: tf.keras.optimizers.get(3),
    "get_of_a_class": lambda tf, np: tf.keras.optimizers.get(tf.keras.optimizers.Adam),
    "no_pairs": lambda tf, np: tf.keras.optimizers.SGD().apply_gradients([]),
    "all_none": lambda tf, np: tf.keras.optimizers.SGD().apply_gradients(
        [(None, tf.Variable(1.0))]
    ),
    "pairs_the_wrong_way": lambda tf, np: tf.keras.optimizers.SGD().apply_gradients(
        [(tf.Variable(1.0), tf.constant(1.0))]
    ),
    "a_name_is_given": lambda tf, np: tf.keras.optimizers.SGD().apply_gradients(
        [(tf.constant(1.0), tf.Variable(1.0))], name="step"
    ),
    "unbuilt_without_variables": lambda tf, np: tf.keras.optimizers.SGD().apply([tf.constant(1.0)]),
    "unbuilt_weights": lambda tf, np: tf.keras.optimizers.SGD().set_weights([]),
    "another_shape": lambda tf, np: tf.keras.optimizers.SGD().apply_gradients(
        [(tf.constant([1.0, 2.0, 3.0]), tf.Variable([1.0, 2.0]))]
    ),
    "rate_of_a_schedule_is_set": lambda tf, np: setattr(
        tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(1.0, 1, 0.5)),
        "learning_rate",
        0.5,
    ),
    "schedule_without_steps": lambda tf, np: tf.keras.optimizers.schedules.CosineDecay(0.5, 0),
    "restarts_without_steps": lambda tf, np: tf.keras.optimizers.schedules.CosineDecayRestarts(
        0.5, -1
    ),
    "stairs_without_enough": lambda tf, np: tf.keras.optimizers.schedules.PiecewiseConstantDecay(
        [1, 2], [0.1, 0.2]
    ),
    "base_schedule_called": lambda tf, np: tf.keras.optimizers.schedules.LearningRateSchedule()(1),
    "base_step": lambda tf, np: tf.keras.optimizers.Optimizer(0.5).apply(
        [tf.constant(1.0)], [tf.Variable(1.0)]
    ),
}

_RATE = {"learning_rate": 0.1}

# What is divided by a root of small squares enlarges a rounding; Keras makes some constants in float32.
_LONG = rounds(1e-9, "roots of small squares, step by step")
_ROUGH = rounds(1e-5, "the same in float32")

TABLE = (
    *(_LONG(Case(f"way_of_{name.lower()}", _steps(name, **kw))) for name, kw in ALL.items()),
    *(
        _ROUGH(Case(f"way_of_{name.lower()}_in_float32", _steps(name, dtype="float32", **kw)))
        for name, kw in ALL.items()
    ),
    *(_LONG(Case(name, _steps(kind, **_RATE | kw))) for name, (kind, kw) in SETTINGS.items()),
    *(_LONG(Case(f"rows_for_{name.lower()}", _rows(name, **kw))) for name, kw in ALL.items()),
    _LONG(Case("rows_with_momentum", _rows("SGD", momentum=0.5, learning_rate=0.1))),
    _LONG(Case("rows_accumulated", _rows("SGD", gradient_accumulation_steps=2))),
    _LONG(Case("rows_with_decay", _rows("SGD", weight_decay=0.1, learning_rate=0.1))),
    _LONG(Case("rows_clipped", _rows("Adam", clipnorm=0.1, learning_rate=0.1))),
    *table({f"schedule_{name}": _schedule(make) for name, make in _SCHEDULES.items()}),
    *table({f"refused_{name}": program for name, program in REFUSED.items()}),
)
