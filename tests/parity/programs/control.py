"""Control flow: what its functions accept, in which order they run, what they refuse."""

from typing import Any

from programs.case import differs, table

NO_FUNCTION = "TensorFlow looks for its name first; what was given is of the wrong type"
XS = [1.0, 2.0, 4.0]


def _product_so_far(tf: Any, np: Any, **options: Any) -> Any:
    """A scan that is not the same from the other end, and its gradient."""
    x = tf.constant(XS)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.scan(lambda a, row: 0.5 * a + row * row, x, **options)
    return y, tape.gradient(y, x)


def _folded(tf: Any, fold: Any, **options: Any) -> Any:
    x = tf.constant(XS)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = fold(lambda a, row: 0.5 * a + row * row, x, **options)
    return y, tape.gradient(y, x)


def _mapped(tf: Any, f: Any, elems: Any, **options: Any) -> Any:
    return tf.map_fn(f, elems, **options)


def _jvp(tf: Any, f: Any) -> Any:
    x = tf.constant(XS)
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.5, 0.25])) as accumulator:
        y = f(x)
    return accumulator.jvp(y)


def _curvature(tf: Any, f: Any) -> Any:
    x = tf.constant(XS)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def _cubes(tf: Any, x: Any, **options: Any) -> Any:
    return tf.scan(lambda a, row: a * row, x, **options)


TABLE = table(
    {
        "scan": lambda tf, np: _product_so_far(tf, np),
        "scan_reverse": lambda tf, np: _product_so_far(tf, np, reverse=True),
        "scan_reverse_with_initializer": lambda tf, np: _product_so_far(
            tf, np, reverse=True, initializer=tf.constant(1.0)
        ),
        "scan_with_all_options": lambda tf, np: _product_so_far(
            tf,
            np,
            initializer=1.0,
            parallel_iterations=1,
            back_prop=True,
            swap_memory=True,
            infer_shape=False,
            name="s",
        ),
        "scan_jvp": lambda tf, np: _jvp(tf, lambda x: _cubes(tf, x)),
        "scan_reverse_jvp": lambda tf, np: _jvp(tf, lambda x: _cubes(tf, x, reverse=True)),
        "scan_second": lambda tf, np: _curvature(tf, lambda x: _cubes(tf, x)),
        "scan_reverse_second": lambda tf, np: _curvature(tf, lambda x: _cubes(tf, x, reverse=True)),
        "scan_of_a_structure": lambda tf, np: tf.scan(
            lambda a, row: (a[0] + row[0], a[1] * row[1]), (tf.constant(XS), tf.constant(XS))
        ),
        "scan_into_another_structure": lambda tf, np: tf.scan(
            lambda a, row: {"sum": a["sum"] + row},
            tf.constant(XS),
            initializer={"sum": tf.constant(0.0)},
        ),
        "scan_of_nothing": lambda tf, np: tf.scan(lambda a, r: a + r, tf.zeros([0])),
        "scan_of_nothing_with_initializer": lambda tf, np: tf.scan(
            lambda a, r: a + r, tf.zeros([0]), initializer=1.0
        ),
        "scan_of_a_misspelt_keyword": lambda tf, np: tf.scan(
            lambda a, r: a + r, tf.constant(XS), reversed=True
        ),
        "scan_of_a_scalar": differs(
            "the same mistake is a ValueError in foldl and map_fn", raises="ValueError"
        )(lambda tf, np: tf.scan(lambda a, r: a + r, tf.constant(1.0))),
        "scan_of_no_function": differs(NO_FUNCTION, raises="TypeError")(
            lambda tf, np: tf.scan(3, tf.constant(XS))
        ),
        "foldl": lambda tf, np: _folded(tf, tf.foldl),
        "foldr": lambda tf, np: _folded(tf, tf.foldr),
        "foldl_with_options": lambda tf, np: _folded(
            tf, tf.foldl, initializer=2.0, parallel_iterations=2, swap_memory=False
        ),
        "foldr_with_options": lambda tf, np: _folded(tf, tf.foldr, initializer=2.0, name="f"),
        "foldl_of_nothing": lambda tf, np: tf.foldl(lambda a, r: a + r, tf.zeros([0])),
        "foldl_of_nothing_with_initializer": lambda tf, np: tf.foldl(
            lambda a, r: a + r, tf.zeros([0]), initializer=1.5
        ),
        "foldl_of_a_misspelt_keyword": lambda tf, np: tf.foldl(
            lambda a, r: a + r, tf.constant(XS), initialiser=1.0
        ),
        "foldr_of_a_misspelt_keyword": lambda tf, np: tf.foldr(
            lambda a, r: a + r, tf.constant(XS), initialiser=1.0
        ),
        "foldl_of_no_function": differs(NO_FUNCTION, raises="TypeError")(
            lambda tf, np: tf.foldl(3, tf.constant(XS))
        ),
        "map_fn": lambda tf, np: _mapped(tf, lambda r: r * r, tf.constant(XS)),
        "map_fn_with_dtype": lambda tf, np: _mapped(
            tf, lambda r: tf.cast(r, tf.int32), tf.constant(XS), dtype=tf.int32
        ),
        "map_fn_with_signature": lambda tf, np: _mapped(
            tf,
            lambda r: (tf.cast(r, tf.int32), r),
            tf.constant(XS),
            fn_output_signature=(tf.int32, tf.float32),
        ),
        "map_fn_without_the_dtype_it_needs": lambda tf, np: _mapped(
            tf, lambda r: tf.cast(r, tf.int32), tf.constant(XS)
        ),
        "map_fn_of_another_dtype_than_said": lambda tf, np: _mapped(
            tf, lambda r: r, tf.constant(XS), dtype=tf.int32
        ),
        "map_fn_of_another_structure_than_said": lambda tf, np: _mapped(
            tf, lambda r: r, tf.constant(XS), dtype=(tf.float32, tf.float32)
        ),
        "map_fn_of_another_structure": lambda tf, np: _mapped(
            tf, lambda r: (r, r), tf.constant(XS)
        ),
        "map_fn_of_a_spec": lambda tf, np: _mapped(
            tf,
            lambda r: tf.cast(r, tf.float64),
            tf.constant(XS),
            fn_output_signature=tf.TensorSpec([], tf.float64),
        ),
        "map_fn_of_a_misspelt_keyword": lambda tf, np: _mapped(
            tf, lambda r: r, tf.constant(XS), dtpye=tf.float32
        ),
        "map_fn_of_an_empty_list": lambda tf, np: _mapped(tf, lambda r: r, []),
        "map_fn_of_nothing": lambda tf, np: _mapped(tf, lambda r: r * 2.0, tf.zeros([0])),
        "map_fn_of_a_scalar": lambda tf, np: _mapped(tf, lambda r: r, tf.constant(1.0)),
        "map_fn_of_no_function": differs(NO_FUNCTION, raises="TypeError")(
            lambda tf, np: _mapped(tf, 3, tf.constant(XS))
        ),
        "map_fn_of_numpy": lambda tf, np: _mapped(tf, lambda r: r + 1.0, np.array([1.0, 2.0])),
        "map_fn_of_different_lengths": lambda tf, np: _mapped(
            tf, lambda r: r[0], (tf.constant(XS), tf.constant([1.0])), dtype=tf.float32
        ),
        "map_fn_jvp": lambda tf, np: _jvp(tf, lambda x: tf.map_fn(lambda r: r**3, x)),
        "map_fn_second": lambda tf, np: _curvature(tf, lambda x: tf.map_fn(lambda r: r**3, x)),
        "while_loop_of_a_list": lambda tf, np: tf.while_loop(
            lambda i, s: i < 3, lambda i, s: [i + 1, s * 2.0], [tf.constant(0), tf.constant(1.0)]
        ),
        "while_loop_whose_body_returns_a_tuple": lambda tf, np: tf.while_loop(
            lambda i, s: i < 3, lambda i, s: (i + 1, s * 2.0), [tf.constant(0), tf.constant(1.0)]
        ),
        "while_loop_of_a_tuple": lambda tf, np: tf.while_loop(
            lambda i, s: i < 3, lambda i, s: (i + 1, s * 2.0), (0, 1.0)
        ),
        "while_loop_of_one": lambda tf, np: tf.while_loop(
            lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]
        ),
        "while_loop_of_one_in_a_list": lambda tf, np: tf.while_loop(
            lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)]
        ),
        "while_loop_with_options": lambda tf, np: tf.while_loop(
            lambda i: i < 3,
            lambda i: (i + 1,),
            (tf.constant(0),),
            parallel_iterations=1,
            swap_memory=True,
            maximum_iterations=2,
            name="w",
        ),
        "while_loop_with_shapes": lambda tf, np: tf.while_loop(
            lambda i, x: i < 2,
            lambda i, x: (i + 1, tf.concat([x, x], 0)),
            (tf.constant(0), tf.constant([1.0])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        ),
        "while_loop_of_another_structure": lambda tf, np: tf.while_loop(
            lambda i, s: i < 3, lambda i, s: i + 1, [tf.constant(0), tf.constant(1.0)]
        ),
        "while_loop_of_no_condition": lambda tf, np: tf.while_loop(3, lambda i: i, [1]),
        "while_loop_of_no_body": lambda tf, np: tf.while_loop(lambda i: i < 1, 3, [1]),
        "while_loop_of_no_variables": lambda tf, np: tf.while_loop(lambda: True, lambda: 1, []),
        "while_loop_of_a_dict": lambda tf, np: tf.while_loop(
            lambda d: d["i"] < 3, lambda d: {"i": d["i"] + 1}, [{"i": tf.constant(0)}]
        ),
        "cond": lambda tf, np: tf.cond(tf.constant(True), lambda: 1.0, lambda: 2.0),
        "cond_of_a_python_bool": lambda tf, np: tf.cond(True, lambda: 1.0, lambda: 2.0),
        "cond_of_one_function": lambda tf, np: tf.cond(True, lambda: 1.0),
        "cond_of_a_structure": lambda tf, np: tf.cond(
            tf.constant(False), lambda: {"a": 1.0}, lambda: {"a": tf.constant(2.0)}
        ),
        "cond_of_a_list_of_one": lambda tf, np: tf.cond(
            tf.constant(True), lambda: [tf.constant(1.0)], lambda: [tf.constant(2.0)]
        ),
        "cond_of_a_vector": lambda tf, np: tf.cond(
            tf.constant([True, False]), lambda: 1.0, lambda: 2.0
        ),
        "cond_of_a_number": lambda tf, np: tf.cond(tf.constant(1), lambda: 1.0, lambda: 2.0),
        "cond_of_nothing": lambda tf, np: tf.cond(tf.constant(True), lambda: None, lambda: None),
        "case": lambda tf, np: tf.case(
            [(tf.constant(False), lambda: 1.0), (tf.constant(True), lambda: 2.0)]
        ),
        "case_default": lambda tf, np: tf.case(
            [(tf.constant(False), lambda: 1.0)], default=lambda: 3.0
        ),
        "case_strict": lambda tf, np: tf.case(
            [(tf.constant(True), lambda: [tf.constant(1.0)])], strict=True
        ),
        "case_not_strict": lambda tf, np: tf.case(
            [(tf.constant(True), lambda: [tf.constant(1.0)])]
        ),
        "case_of_no_list": lambda tf, np: tf.case(3),
        "case_of_no_pair": lambda tf, np: tf.case([tf.constant(True)]),
        "case_of_a_python_bool": lambda tf, np: tf.case([(True, lambda: 2.0)]),
        "case_of_no_function": differs(NO_FUNCTION, raises="TypeError")(
            lambda tf, np: tf.case([(tf.constant(True), 2.0)])
        ),
        "case_of_no_default_function": lambda tf, np: tf.case(
            [(tf.constant(True), lambda: 2.0)], default=3
        ),
        "case_of_none_that_holds": lambda tf, np: tf.case([(tf.constant(False), lambda: 2.0)]),
        "case_of_two_that_hold": differs(
            "its page promises an error, and the first answer would be an answer to another question",
            raises="InvalidArgumentError",
        )(
            lambda tf, np: tf.case(
                [(tf.constant(True), lambda: 1.0), (tf.constant(True), lambda: 2.0)], exclusive=True
            )
        ),
        "switch_case": lambda tf, np: tf.switch_case(
            tf.constant(1), [lambda: 1.0, lambda: tf.constant(2.0)]
        ),
        "switch_case_beyond": lambda tf, np: tf.switch_case(
            tf.constant(7), {0: lambda: 1.0, 3: lambda: 2.0}, default=lambda: 4.0
        ),
        "switch_case_of_no_functions": lambda tf, np: tf.switch_case(tf.constant(0), []),
        "switch_case_of_a_list_of_numbers": lambda tf, np: tf.switch_case(tf.constant(0), [1, 2]),
        "switch_case_of_a_float": lambda tf, np: tf.switch_case(tf.constant(0.0), [lambda: 1.0]),
        "switch_case_of_a_long_index": lambda tf, np: tf.switch_case(
            tf.constant(0, tf.int64), [lambda: 1.0]
        ),
        "vectorized_map_jvp": lambda tf, np: _jvp(
            tf, lambda x: tf.vectorized_map(lambda r: r**3, x)
        ),
    }
)
