"""A physics-informed network for Burgers' equation: u_t + u u_x = nu u_xx."""

import numpy as np
import tensorflow as tf

tf.keras.backend.set_floatx("float64")
DTYPE = "float64"
NU = tf.constant(0.01 / np.pi, dtype=DTYPE)

rng = np.random.RandomState(1)
x_0 = rng.uniform(-1, 1, size=(40, 1))
initial = np.hstack([np.zeros((40, 1)), x_0]), -np.sin(np.pi * x_0)
t_b = rng.uniform(0, 1, size=(40, 1))
boundary = np.hstack([t_b, rng.choice([-1.0, 1.0], size=(40, 1))]), np.zeros((40, 1))
collocation = np.hstack([rng.uniform(0, 1, size=(256, 1)), rng.uniform(-1, 1, size=(256, 1))])

inside = tf.data.Dataset.from_tensor_slices(collocation).shuffle(256, seed=5).batch(128).repeat()


def init_model(layers=3, neurons=16):
    model = tf.keras.Sequential()
    model.add(tf.keras.Input((2,)))
    for _ in range(layers):
        model.add(tf.keras.layers.Dense(neurons, activation=tf.keras.activations.get("tanh")))
    model.add(tf.keras.layers.Dense(1))
    for variable in model.trainable_variables:
        if len(variable.shape) == 2:
            variable.assign(rng.normal(size=variable.shape) / np.sqrt(variable.shape[0]))
    return model


def get_residual(model, points):
    t, x = points[:, 0:1], points[:, 1:2]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(t)
        tape.watch(x)
        u = model(tf.stack([t[:, 0], x[:, 0]], axis=1))
        u_x = tape.gradient(u, x)
    u_t = tape.gradient(u, t)
    u_xx = tape.gradient(u_x, x)
    del tape
    return u_t + u * u_x - NU * u_xx


def compute_loss(model, points):
    loss = tf.reduce_mean(tf.square(get_residual(model, points)))
    for where, what in (initial, boundary):
        loss += tf.reduce_mean(tf.square(what - model(where)))
    return loss


model = init_model()
schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([10, 18], [1e-2, 5e-3, 1e-3])
optimizer = tf.keras.optimizers.Adam(learning_rate=schedule)


@tf.function
def train_step(points):
    with tf.GradientTape() as tape:
        loss = compute_loss(model, points)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss, gradients


history = []
for i, points in enumerate(inside.take(21)):
    loss, gradients = train_step(points)
    history.append(loss.numpy())
    if i % 10 == 0:
        print("It {:05d}: loss = {:10.6e}".format(i, loss))

print(points.dtype, [g.shape for g in gradients])
print("it went down:", history[-1] < 0.6 * history[0])

# The last bias moves u, and none of its slopes.
with tf.GradientTape(persistent=True) as tape:
    tape.watch(points)
    with tf.GradientTape() as inner:
        inner.watch(points)
        u = model(points)
    slopes = inner.gradient(u, points)
print([g is None for g in tape.gradient(slopes, model.trainable_variables)])

tf.keras.backend.set_floatx("float32")
