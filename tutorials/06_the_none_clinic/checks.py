"""The functions of the patients, computed without a tape, and three checks of their own."""

import minitape as tf
from minitape.course.failing import Failed


def score(picture):
    return tf.reduce_sum(tf.constant([0.5, -1.0, 2.0, 0.0], picture.dtype) * picture**2)


def parabola(x):
    return x**2 + 3.0 * x


def price(speed):
    return 0.125 * speed**2 + 500.0 / speed


def penalised_loss(w):
    return (0.5 * (w - 2.0) ** 2 + 0.5 * (2.0 * w - 5.0) ** 2) + 0.5 * w**2


def risk(weights):
    returns = tf.constant([[1.0, 3.0], [2.0, -1.0], [4.0, 2.0]], weights.dtype)
    return tf.math.reduce_std(tf.reduce_sum(returns * weights, axis=1))


def regularised_loss(w):
    return tf.reduce_sum((w - 1.0) ** 2) + 0.1 * tf.reduce_sum(w**2)


def soft_loss(w):
    x = tf.constant([-2.0, -1.0, 1.0, 3.0], w.dtype)
    truth = tf.constant([0.0, 0.0, 1.0, 1.0], w.dtype)
    return tf.reduce_mean((1.0 / (1.0 + tf.exp(0.5 - w * x)) - truth) ** 2)


def gauge_loss(gain):
    return (0.5 * (0.5 * gain * 1.0 + gain * 4.0) + gain * 2.0 - 3.0) ** 2


def two_layer_loss(first, second):
    x = tf.constant([0.5, -1.0, 2.0], first.dtype)
    y = tf.constant([0.3, -0.6, 0.9], first.dtype)
    return tf.reduce_mean((tf.tanh(second * tf.tanh(first * x)) - y) ** 2)


def central_difference(f, at, step=1e-3):
    return (f(at + step) - f(at - step)) / (2.0 * step)


def agree(found, expected):
    return abs(float(found) - expected) <= 1e-2 + 2e-3 * abs(expected)


def area_moves_with_the_side(student, draw):
    """the derivative of the area for an integer side, compared with finite differences"""
    for _ in range(3):
        side = int(draw.whole(1, 9))
        found = student.slope(side)
        expected = central_difference(lambda length: length**2, side)
        if found is None:
            raise Failed(
                f"`slope({side})` is None. But the area of a square with the side {side} changes: its derivative by finite differences is {expected:.1f}.",
                fix="look at the dtype of the source with `print(length.dtype)`",
            )
        if not agree(found, expected):
            raise Failed(
                f"`slope({side})` is {float(found):.4g}, but by finite differences it is {expected:.4g}.",
                fix="return the gradient of the area with respect to the side",
            )


def each_place_has_its_slope(student, draw):
    """one derivative for each step, and each is the derivative of the cube at its own point"""
    start = float(draw.uniform((), -2.0, 2.0))
    slopes = student.walk(start, 4)
    if len(slopes) != 4:
        raise Failed(
            f"`walk({start:.3f}, 4)` returned {len(slopes)} derivatives, not 4.",
            fix="append one derivative in each iteration",
        )
    for turn, found in enumerate(slopes):
        place = start + turn
        expected = central_difference(lambda x: x**3, place)
        if found is None:
            raise Failed(
                f"`walk({start:.3f}, 4)`: the derivative of iteration {turn + 1}, at {place:.3f}, is None.",
                fix=f"find out what `x` is in iteration {turn + 1}, with `print(type(x))` in the loop",
            )
        if not agree(found, expected):
            raise Failed(
                f"`walk({start:.3f}, 4)`: iteration {turn + 1} is at {place:.3f}. The derivative there is {expected:.4g}, not {float(found):.4g}.",
                fix="increase `x` by 1 in each iteration, and ask for the derivative at the current `x`",
            )


def the_middle_bead_is_pulled(student, draw):
    """one number: how much the energy changes when the middle bead moves"""
    for _ in range(3):
        left, middle, right = (float(each) for each in draw.uniform((3,), -3.0, 3.0))
        found = student.pull(tf.Variable([left, middle, right]))
        expected = central_difference(lambda m: (m - left) ** 2 + (right - m) ** 2, middle)
        if found is None:
            raise Failed(
                f"`pull([{left:.3f}, {middle:.3f}, {right:.3f}])` is None, but by finite differences it is {expected:.4g}.",
                fix="ask for the gradient with respect to the same object from which `stretch` was computed",
            )
        if tuple(found.shape) != ():
            raise Failed(
                f"The result of `pull` has the shape {tuple(found.shape)}, so it holds the pulls on several beads.",
                fix="return the pull on the middle bead",
            )
        if not agree(found, expected):
            raise Failed(
                f"`pull([{left:.3f}, {middle:.3f}, {right:.3f}])` is {float(found):.4g}, but by finite differences it is {expected:.4g}.",
                fix="compare your result with the change of the energy when you increase `position[1]` by 0.001",
            )
