"""tf.function around tapes and tapes around functions; loops written as ops."""

import tensorflow as tf


@tf.function
def train_step(w, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w) ** 2)
    return loss, tape.gradient(loss, w)


w = tf.Variable([[1.0], [2.0]])
x = tf.constant([[1.0, 0.5], [-1.0, 2.0]])
print(*train_step(w, x))


@tf.function(jit_compile=False, reduce_retracing=True)
def f(x):
    if tf.reduce_sum(x) > 0:
        return x * x
    return -x


for sign in (1.0, -1.0):
    v = tf.constant([1.0, 2.0]) * sign
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = f(v)
    print(tape.gradient(y, v))

v = tf.constant(1.5)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(v)
    _, looped = tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a * v), (0, tf.constant(1.0)))
    branch = tf.cond(v > 1.0, lambda: v**3, lambda: v)
    mapped = tf.map_fn(lambda t: t * v, tf.constant([1.0, 2.0, 3.0]))
    folded = tf.foldl(lambda a, t: a * v + t, tf.constant([1.0, 2.0, 3.0]))
    scanned = tf.scan(lambda a, t: a * v + t, tf.constant([1.0, 2.0, 3.0]))
    picked = tf.switch_case(tf.constant(1), {0: lambda: v, 1: lambda: tf.sin(v)})
    stacked = tf.vectorized_map(lambda t: tf.exp(t * v), tf.constant([0.1, 0.2]))
for target in (looped, branch, mapped, folded, scanned, picked, stacked):
    print(target, tape.gradient(target, v))

counter = tf.Variable(0)
powers = []
with tf.GradientTape() as tape:
    tape.watch(v)
    for i in tf.range(3):
        counter.assign_add(1)
        powers.append(v ** tf.cast(i, tf.float32))
    total = tf.add_n(powers)
print(counter.numpy(), total, tape.gradient(total, v))
print(callable(train_step))


def log_huber(x, m):
    if tf.abs(x) <= m:
        return x**2
    return m**2 * (1 - 2 * tf.math.log(m) + tf.math.log(x**2))


for value in (0.5, -3.0):
    t, m = tf.constant(value), tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch([t, m])
        y = log_huber(t, m)
    print(y, tape.gradient(y, [t, m]))
