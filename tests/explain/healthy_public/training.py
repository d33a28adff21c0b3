# %% custom_fit_train_step
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)


class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        trainable_vars = self.trainable_variables
        gradients = tape.gradient(loss, trainable_vars)
        self.optimizer.apply_gradients(zip(gradients, trainable_vars))
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


inputs = keras.Input(shape=(8,))
model = CustomModel(inputs, keras.layers.Dense(1)(inputs))
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
model.fit(np.random.random((32, 8)), np.random.random((32, 1)), epochs=1, verbose=0)
print("ok")

# %% loop_with_metrics_and_validation
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x, y = np.random.rand(40, 6).astype("f"), np.random.randint(0, 3, 40)
train = tf.data.Dataset.from_tensor_slices((x[:32], y[:32])).shuffle(32).batch(16)
val = tf.data.Dataset.from_tensor_slices((x[32:], y[32:])).batch(8)
inputs = tf.keras.Input((6,), name="digits")
h = tf.keras.layers.Dense(16, activation="relu")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(h))
optimizer = tf.keras.optimizers.SGD(learning_rate=1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc, val_acc = tf.keras.metrics.SparseCategoricalAccuracy(), tf.keras.metrics.SparseCategoricalAccuracy()
for epoch in range(2):
    for step, (xb, yb) in enumerate(train):
        with tf.GradientTape() as tape:
            logits = model(xb, training=True)
            loss_value = loss_fn(yb, logits)
        grads = tape.gradient(loss_value, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        train_acc.update_state(yb, logits)
    print("Training acc", float(train_acc.result()))
    train_acc.reset_state()
    for xb, yb in val:
        val_acc.update_state(yb, model(xb, training=False))
    val_acc.reset_state()

# %% activity_regularization_add_loss
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


@tf.keras.utils.register_keras_serializable()
class ActivityRegularizationLayer(tf.keras.layers.Layer):
    def call(self, inputs):
        self.add_loss(1e-2 * tf.reduce_sum(inputs))
        return inputs


inputs = tf.keras.Input((5,))
x = tf.keras.layers.Dense(8, activation="relu")(inputs)
x = ActivityRegularizationLayer()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(x))
opt = tf.keras.optimizers.SGD(1e-2)
X, Y = tf.random.normal([10, 5]), tf.random.normal([10, 2])
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(X, training=True) - Y) ** 2)
        loss += sum(model.losses)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
print(float(loss))

# %% gradient_accumulation
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
accum = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
opt = tf.keras.optimizers.Adam(1e-3)
x, y = tf.random.normal([24, 4]), tf.random.normal([24, 1])
for i in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x[i * 4 : i * 4 + 4]) - y[i * 4 : i * 4 + 4])) / 3.0
    for a, g in zip(accum, tape.gradient(loss, model.trainable_variables)):
        a.assign_add(g)
    if (i + 1) % 3 == 0:
        opt.apply_gradients(zip(accum, model.trainable_variables))
        for a in accum:
            a.assign(tf.zeros_like(a))
print(loss.numpy())

# %% gradient_clipping_global_norm
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
cell = tf.keras.layers.LSTM(8)
head = tf.keras.layers.Dense(1)
x, y = tf.random.normal([6, 12, 3]), tf.random.normal([6, 1])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(cell(x)) - y) ** 2)
    vs = cell.trainable_variables + head.trainable_variables
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, vs), 0.5)
    opt.apply_gradients(zip(grads, vs))
print(norm.numpy())

# %% gradient_noise_and_centralization
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
m = tf.keras.Sequential([tf.keras.layers.Dense(10, "relu"), tf.keras.layers.Dense(2)])
x, y = tf.random.normal([16, 5]), tf.random.uniform([16], 0, 2, tf.int32)
opt = tf.keras.optimizers.SGD(0.05, nesterov=True, momentum=0.9)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=m(x)))
    grads = tape.gradient(loss, m.trainable_variables)
    grads = [g - tf.reduce_mean(g, axis=0, keepdims=True) if len(g.shape) > 1 else g for g in grads]
    opt.apply_gradients([(g + 0.01 * tf.random.normal(g.shape), v) for g, v in zip(grads, m.trainable_variables)])
print(loss.numpy())

# %% sharpness_aware_minimization
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
m = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
x, y = tf.random.normal([12, 3]), tf.random.normal([12, 1])
opt = tf.keras.optimizers.SGD(0.1)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((m(x) - y) ** 2)
    g = tape.gradient(loss, m.trainable_variables)
    n = tf.linalg.global_norm(g)
    eps = [0.05 * gi / (n + 1e-12) for gi in g]
    for v, e in zip(m.trainable_variables, eps):
        v.assign_add(e)
    with tf.GradientTape() as tape:
        sharp = tf.reduce_mean((m(x) - y) ** 2)
    g2 = tape.gradient(sharp, m.trainable_variables)
    for v, e in zip(m.trainable_variables, eps):
        v.assign_sub(e)
    opt.apply_gradients(zip(g2, m.trainable_variables))
print(loss.numpy(), sharp.numpy())

# %% mixed_precision_policy_fit
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
tf.keras.mixed_precision.set_global_policy("mixed_float16")
inputs = tf.keras.Input((6,))
x = tf.keras.layers.Dense(16, activation="relu")(inputs)
x = tf.keras.layers.Dense(3)(x)
outputs = tf.keras.layers.Activation("softmax", dtype="float32")(x)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.random.rand(16, 6), np.random.randint(0, 3, 16), batch_size=8, verbose=0)
tf.keras.mixed_precision.set_global_policy("float32")
print(outputs.dtype)

# %% mixed_precision_manual_scaling
import tensorflow as tf

tf.random.set_seed(8)
master = tf.Variable(tf.random.normal([5, 3]))
x, y = tf.cast(tf.random.normal([12, 5]), tf.float16), tf.random.normal([12, 3])
scale = 128.0
for _ in range(3):
    with tf.GradientTape() as tape:
        out = tf.cast(x @ tf.cast(master, tf.float16), tf.float32)
        loss = tf.reduce_mean((out - y) ** 2)
        scaled = loss * scale
    g = tape.gradient(scaled, master) / scale
    master.assign_sub(0.1 * g)
print(loss.numpy())

# %% exponential_decay_schedule
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=2, decay_rate=0.9, staircase=True)
opt = tf.keras.optimizers.SGD(learning_rate=schedule)
w = tf.Variable([1.0, -1.0])
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - [3.0, 2.0]))
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    print(step, float(schedule(step)), loss.numpy())

# %% warmup_custom_schedule
import tensorflow as tf

tf.keras.utils.set_random_seed(10)


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4):
        super().__init__()
        self.d_model, self.warmup_steps = tf.cast(d_model, tf.float32), warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(tf.math.rsqrt(step + 1.0), (step + 1.0) * self.warmup_steps**-1.5)


dense = tf.keras.layers.Dense(2)
opt = tf.keras.optimizers.Adam(CustomSchedule(16))
x = tf.random.normal([8, 4])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(dense(x) - 1.0))
    opt.apply_gradients(zip(tape.gradient(loss, dense.trainable_variables), dense.trainable_variables))
print(loss.numpy())

# %% reduce_on_plateau_early_stopping
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
m = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(6, "relu"), tf.keras.layers.Dense(1)])
m.compile(tf.keras.optimizers.Adam(0.01), "mae")
cb = [tf.keras.callbacks.EarlyStopping(patience=1), tf.keras.callbacks.ReduceLROnPlateau(patience=1)]
X = np.random.randn(20, 3)
h = m.fit(X, X.sum(1, keepdims=True), validation_split=0.25, epochs=3, callbacks=cb, verbose=0)
print(len(h.history["loss"]))

# %% custom_training_callback_lambda
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(12)
log = []


class LossHistory(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        log.append(logs["loss"])


m = tf.keras.Sequential([tf.keras.layers.Dense(4, "sigmoid"), tf.keras.layers.Dense(1, "sigmoid")])
m.compile("sgd", "binary_crossentropy")
X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], "f")
m.fit(X, np.array([[0], [1], [1], [0]], "f"), epochs=3, batch_size=2, callbacks=[LossHistory()], verbose=0)
print(len(log))

# %% xor_by_hand_sigmoid
import numpy as np
import tensorflow as tf

tf.random.set_seed(13)
X = tf.constant([[0.0, 0], [0, 1], [1, 0], [1, 1]])
Y = tf.constant([[0.0], [1], [1], [0]])
W1, b1 = tf.Variable(tf.random.normal([2, 3])), tf.Variable(tf.zeros([3]))
W2, b2 = tf.Variable(tf.random.normal([3, 1])), tf.Variable(tf.zeros([1]))
for epoch in range(5):
    with tf.GradientTape() as tape:
        h = tf.sigmoid(tf.matmul(X, W1) + b1)
        out = tf.sigmoid(tf.matmul(h, W2) + b2)
        loss = tf.reduce_mean(tf.square(Y - out))
    grads = tape.gradient(loss, [W1, b1, W2, b2])
    for v, g in zip([W1, b1, W2, b2], grads):
        v.assign_sub(0.5 * g)
print(loss.numpy())

# %% mlp_from_scratch_module_xavier
import tensorflow as tf

tf.random.set_seed(22)


def xavier_init(shape):
    in_dim, out_dim = shape
    lim = tf.sqrt(6.0) / tf.sqrt(tf.cast(in_dim + out_dim, tf.float32))
    return tf.random.uniform(shape=(in_dim, out_dim), minval=-lim, maxval=lim, seed=22)


class DenseLayer(tf.Module):
    def __init__(self, out_dim, weight_init=xavier_init, activation=tf.identity):
        super().__init__()
        self.out_dim, self.weight_init, self.activation, self.built = out_dim, weight_init, activation, False

    def __call__(self, x):
        if not self.built:
            self.in_dim = x.shape[1]
            self.w = tf.Variable(self.weight_init(shape=(self.in_dim, self.out_dim)))
            self.b = tf.Variable(tf.zeros(shape=(self.out_dim,)))
            self.built = True
        return self.activation(tf.add(tf.matmul(x, self.w), self.b))


class MLP(tf.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Adam:
    def __init__(self, learning_rate=1e-2, beta_1=0.9, beta_2=0.999, ep=1e-7):
        self.b1, self.b2, self.lr, self.ep, self.t, self.v, self.s = beta_1, beta_2, learning_rate, ep, 1.0, None, None

    def apply_gradients(self, grads, vars):
        if self.v is None:
            self.v = [tf.Variable(tf.zeros(shape=v.shape)) for v in vars]
            self.s = [tf.Variable(tf.zeros(shape=v.shape)) for v in vars]
        for i, (d_var, var) in enumerate(zip(grads, vars)):
            self.v[i].assign(self.b1 * self.v[i] + (1 - self.b1) * d_var)
            self.s[i].assign(self.b2 * self.s[i] + (1 - self.b2) * tf.square(d_var))
            v_hat, s_hat = self.v[i] / (1 - self.b1**self.t), self.s[i] / (1 - self.b2**self.t)
            var.assign_sub(self.lr * (v_hat / (tf.sqrt(s_hat) + self.ep)))
        self.t += 1.0


model, opt = MLP([DenseLayer(12, activation=tf.nn.relu), DenseLayer(4)]), Adam()
x, y = tf.random.normal([20, 8]), tf.random.uniform([20], 0, 4, tf.int32)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x)))
    grads = tape.gradient(loss, model.variables)
    opt.apply_gradients(grads, model.variables)
print(loss.numpy())

# %% lstm_step_function_compiled
import tensorflow as tf

tf.keras.utils.set_random_seed(14)
m = tf.keras.Sequential([tf.keras.layers.LSTM(5), tf.keras.layers.Dense(2)])
opt = tf.keras.optimizers.Adam()
m.build((None, 4, 3))
opt.build(m.trainable_variables)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.losses.mse(y, m(x)))
    g = tape.gradient(loss, m.trainable_variables)
    opt.apply_gradients(zip(g, m.trainable_variables))
    return loss


for _ in range(2):
    tf.print(step(tf.random.normal([4, 4, 3]), tf.random.normal([4, 2])))

# %% multi_input_multi_output_losses
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(15)
title, body, tags = tf.keras.Input((None,), name="title"), tf.keras.Input((None,), name="body"), tf.keras.Input((4,), name="tags")
x = layers.concatenate([layers.LSTM(6)(layers.Embedding(20, 4)(title)), layers.LSTM(4)(layers.Embedding(20, 4)(body)), tags])
priority = layers.Dense(1, name="priority")(x)
department = layers.Dense(3, name="department")(x)
model = tf.keras.Model([title, body, tags], [priority, department])
model.compile(
    optimizer=tf.keras.optimizers.RMSprop(1e-3),
    loss=[tf.keras.losses.BinaryCrossentropy(from_logits=True), tf.keras.losses.CategoricalCrossentropy(from_logits=True)],
    loss_weights=[1.0, 0.2],
)
model.fit(
    [np.random.randint(0, 20, (8, 5)), np.random.randint(0, 20, (8, 6)), np.random.rand(8, 4)],
    [np.random.randint(0, 2, (8, 1)), np.eye(3)[np.random.randint(0, 3, 8)]],
    batch_size=4,
    verbose=0,
)
print(model.count_params())

# %% shared_layer_two_inputs
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(16)
shared = tf.keras.layers.Dense(6, activation="relu")
a, b = tf.keras.Input((4,)), tf.keras.Input((4,))
out = tf.keras.layers.Dense(1)(tf.keras.layers.Subtract()([shared(a), shared(b)]))
m = tf.keras.Model([a, b], out)
m.compile("adam", "mse")
m.fit([np.random.rand(8, 4), np.random.rand(8, 4)], np.random.rand(8, 1), verbose=0)
print(len(m.trainable_weights))

# %% class_weights_and_sample_weights
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(17)
m = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(2, "softmax")])
m.compile("adam", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
X, Y = np.random.rand(12, 3), np.arange(12) % 2
m.fit(X, Y, class_weight={0: 1.0, 1: 3.0}, epochs=1, verbose=0)
m.fit(X, Y, sample_weight=np.linspace(0.1, 1, 12), epochs=1, verbose=0)
print("ok")

# %% custom_loss_function_and_class
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(18)


class CustomMSE(tf.keras.losses.Loss):
    def __init__(self, regularization_factor=0.1, name="custom_mse"):
        super().__init__(name=name)
        self.regularization_factor = regularization_factor

    def call(self, y_true, y_pred):
        mse = tf.math.reduce_mean(tf.square(y_true - y_pred), axis=-1)
        reg = tf.math.reduce_mean(tf.square(0.5 - y_pred), axis=-1)
        return mse + reg * self.regularization_factor


def log_cosh(y_true, y_pred):
    e = y_pred - y_true
    return tf.reduce_mean(e + tf.math.softplus(-2.0 * e) - tf.math.log(2.0))


for loss in (CustomMSE(), log_cosh):
    m = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(5, "relu"), tf.keras.layers.Dense(2)])
    m.compile("sgd", loss=loss)
    m.fit(np.random.rand(10, 4).astype("f"), np.random.rand(10, 2).astype("f"), verbose=0)
print("ok")

# %% custom_layer_build_add_weight
import tensorflow as tf

tf.keras.utils.set_random_seed(19)


class Linear(tf.keras.layers.Layer):
    def __init__(self, units=32):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="random_normal", trainable=True)

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


class MLPBlock(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.linear_1, self.linear_2, self.linear_3 = Linear(8), Linear(8), Linear(1)

    def call(self, inputs):
        x = tf.nn.relu(self.linear_1(inputs))
        return self.linear_3(tf.nn.relu(self.linear_2(x)))


mlp = MLPBlock()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((mlp(tf.ones((3, 16))) - 1.0) ** 2)
print([g.shape for g in tape.gradient(loss, mlp.trainable_weights)])

# %% prelu_and_swish_beta
import tensorflow as tf

tf.keras.utils.set_random_seed(20)


class Swish(tf.keras.layers.Layer):
    def build(self, shape):
        self.beta = self.add_weight(shape=(), initializer="ones", name="beta")

    def call(self, x):
        return x * tf.sigmoid(self.beta * x)


m = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.PReLU(), tf.keras.layers.Dense(8), Swish(), tf.keras.layers.Dense(1)])
x, y = tf.random.normal([16, 4]), tf.random.normal([16, 1])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((m(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(loss.numpy())

# %% antirectifier_layer
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(21)


class Antirectifier(tf.keras.layers.Layer):
    def __init__(self, initializer="he_normal"):
        super().__init__()
        self.initializer = tf.keras.initializers.get(initializer)

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1] * 2, 5), initializer=self.initializer, name="kernel")

    def call(self, inputs):
        inputs -= tf.reduce_mean(inputs, axis=-1, keepdims=True)
        return tf.matmul(tf.concat([tf.nn.relu(inputs), tf.nn.relu(-inputs)], -1), self.kernel)


m = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(6), Antirectifier(), tf.keras.layers.Dense(6), Antirectifier(), tf.keras.layers.Dense(3)])
m.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
m.fit(np.random.rand(16, 8), np.random.randint(0, 3, 16), batch_size=8, verbose=0)
print("ok")

# %% layer_norm_mlp_head
import tensorflow as tf

tf.keras.utils.set_random_seed(22)
d1, n1, d2 = tf.keras.layers.Dense(8), tf.keras.layers.LayerNormalization(), tf.keras.layers.Dense(2)
x, y = tf.random.normal([10, 5]), tf.constant([0, 1] * 5)
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=d2(tf.nn.gelu(n1(d1(x))))))
    vs = d1.trainable_variables + n1.trainable_variables + d2.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
print(loss.numpy())

# %% layer_norm_scalar_shift_before
import tensorflow as tf

tf.random.set_seed(23)
w, shift = tf.Variable(tf.random.normal([4, 6])), tf.Variable(0.3)
gain, out = tf.Variable(tf.ones(6)), tf.Variable(tf.random.normal([6, 1]))
x, y = tf.random.normal([12, 4]), tf.random.normal([12, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        h = x @ w + shift
        mean, var = tf.nn.moments(h, [-1], keepdims=True)
        n = gain * (h - mean) * tf.math.rsqrt(var + 1e-5)
        loss = tf.reduce_mean((tf.tanh(n) @ out - y) ** 2)
    for v, g in zip((w, shift, gain, out), tape.gradient(loss, (w, shift, gain, out))):
        v.assign_sub(0.05 * g)
print(loss.numpy())

# %% instance_norm_conv_bias
import tensorflow as tf

tf.keras.utils.set_random_seed(24)


class InstanceNormalization(tf.keras.layers.Layer):
    def __init__(self, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(name="scale", shape=input_shape[-1:], initializer=tf.random_normal_initializer(1.0, 0.02))
        self.offset = self.add_weight(name="offset", shape=input_shape[-1:], initializer="zeros")

    def call(self, x):
        mean, variance = tf.nn.moments(x, axes=[1, 2], keepdims=True)
        inv = tf.math.rsqrt(variance + self.epsilon)
        return self.scale * (x - mean) * inv + self.offset


m = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3), InstanceNormalization(), tf.keras.layers.ReLU(), tf.keras.layers.Conv2D(1, 3)])
x, y = tf.random.normal([2, 8, 8, 2]), tf.random.normal([2, 4, 4, 1])
opt = tf.keras.optimizers.Adam(1e-3)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(m(x) - y))
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(loss.numpy())

# %% weight_decay_manual_kernels_only
import tensorflow as tf

tf.keras.utils.set_random_seed(25)
m = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
x, y = tf.random.normal([12, 4]), tf.random.normal([12, 1])
opt = tf.keras.optimizers.SGD(0.01)
for _ in range(2):
    with tf.GradientTape() as tape:
        l2 = tf.add_n([tf.nn.l2_loss(v) for v in m.trainable_variables if "bias" not in v.name])
        loss = tf.reduce_mean((m(x) - y) ** 2) + 1e-3 * l2
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(loss.numpy())

# %% overfit_underfit_l1_l2_dropout
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, regularizers

tf.keras.utils.set_random_seed(26)
m = tf.keras.Sequential(
    [
        layers.Dense(16, kernel_regularizer=regularizers.L2(0.0001), activation="elu", input_shape=(6,)),
        layers.Dropout(0.5),
        layers.Dense(16, kernel_regularizer=regularizers.L1L2(1e-5, 1e-4), activation="elu"),
        layers.Dropout(0.5),
        layers.Dense(1),
    ]
)
m.compile(tf.keras.optimizers.Adam(1e-3), tf.keras.losses.BinaryCrossentropy(from_logits=True))
m.fit(np.random.randn(16, 6), np.random.randint(0, 2, 16).astype("f"), batch_size=8, verbose=0)
print("ok")

# %% freeze_some_layers_by_name
import tensorflow as tf

tf.keras.utils.set_random_seed(27)
m = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(8, "relu", name="base"), tf.keras.layers.Dense(2, name="head")])
m.get_layer("base").trainable = False
x, y = tf.random.normal([8, 4]), tf.random.normal([8, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((m(x) - y) ** 2)
grads = tape.gradient(loss, m.trainable_variables)
print([v.name for v in m.trainable_variables], len(grads))

# %% two_optimizers_two_groups
import tensorflow as tf

tf.keras.utils.set_random_seed(28)
body, head = tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)
slow, fast = tf.keras.optimizers.SGD(1e-3), tf.keras.optimizers.Adam(1e-2)
x, y = tf.random.normal([10, 3]), tf.random.normal([10, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(body(x)) - y) ** 2)
    gb, gh = tape.gradient(loss, [body.trainable_variables, head.trainable_variables])
    slow.apply_gradients(zip(gb, body.trainable_variables))
    fast.apply_gradients(zip(gh, head.trainable_variables))
print(loss.numpy())

# %% persistent_tape_several_losses
import tensorflow as tf

tf.random.set_seed(29)
w, v = tf.Variable(tf.random.normal([3])), tf.Variable(tf.random.normal([3]))
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(w**2)
    b = tf.reduce_sum(w * v)
    c = a + 0.5 * b
print(tape.gradient(a, w).numpy(), tape.gradient(b, [w, v])[1].numpy(), tape.gradient(c, {"w": w, "v": v})["v"].numpy())
del tape

# %% watch_constant_inputs
import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x**2
    z = tf.math.sin(y)
dz_dy = tape.gradient(z, y)
print(dz_dy.numpy())

# %% control_flow_branch_on_value
import tensorflow as tf

x = tf.constant(1.0)
v0, v1 = tf.Variable(2.0), tf.Variable(2.0)
for start in (1.0, -1.0):
    x = tf.constant(start)
    with tf.GradientTape() as tape:
        tape.watch(x)
        if x > 0.0:
            result, used = v0 * x, v0
        else:
            result, used = v1**2 * x, v1
    print(tape.gradient(result, used).numpy())

# %% while_loop_collatz_like_depth
import tensorflow as tf

w = tf.Variable([[0.5, 0.1], [0.2, 0.4]])
x = tf.constant([[1.0, 2.0]])
for n in (1, 3, 5):
    with tf.GradientTape() as tape:
        h, i = x, 0
        while i < n:
            h = tf.tanh(h @ w) + x
            i += 1
        loss = tf.reduce_sum(h)
    print(n, tape.gradient(loss, w).numpy())

# %% dictionary_of_parameters_map_structure
import tensorflow as tf

tf.random.set_seed(30)
params = {"enc": {"w": tf.Variable(tf.random.normal([4, 3])), "b": tf.Variable(tf.zeros(3))}, "dec": {"w": tf.Variable(tf.random.normal([3, 4])), "b": tf.Variable(tf.zeros(4))}}
x = tf.random.normal([8, 4])
for _ in range(3):
    with tf.GradientTape() as tape:
        h = tf.nn.softplus(x @ params["enc"]["w"] + params["enc"]["b"])
        loss = tf.reduce_mean((h @ params["dec"]["w"] + params["dec"]["b"] - x) ** 2)
    grads = tape.gradient(loss, params)
    tf.nest.map_structure(lambda p, g: p.assign_sub(0.1 * g), params, grads)
print(loss.numpy())

# %% ema_of_weights
import tensorflow as tf

tf.keras.utils.set_random_seed(31)
m = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(1)])
ema = [tf.Variable(v) for v in m.trainable_variables]
opt = tf.keras.optimizers.Adam(1e-2)
x, y = tf.random.normal([10, 2]), tf.random.normal([10, 1])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((m(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
    for e, v in zip(ema, m.trainable_variables):
        e.assign(0.9 * e + 0.1 * v)
print(ema[0].numpy())

# %% mean_teacher_consistency
import tensorflow as tf

tf.keras.utils.set_random_seed(32)


def net():
    n = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(3)])
    return n


student, teacher = net(), net()
teacher.set_weights(student.get_weights())
opt = tf.keras.optimizers.Adam(1e-3)
xl, yl, xu = tf.random.normal([6, 4]), tf.constant([0, 1, 2, 0, 1, 2]), tf.random.normal([12, 4])
for _ in range(3):
    target = tf.nn.softmax(teacher(xu + 0.1 * tf.random.normal(xu.shape), training=True))
    with tf.GradientTape() as tape:
        sup = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=yl, logits=student(xl, training=True)))
        cons = tf.reduce_mean((tf.nn.softmax(student(xu, training=True)) - target) ** 2)
        loss = sup + 0.5 * cons
    opt.apply_gradients(zip(tape.gradient(loss, student.trainable_variables), student.trainable_variables))
    for t, s in zip(teacher.variables, student.variables):
        t.assign(0.95 * t + 0.05 * s)
print(loss.numpy())

# %% pseudo_labels_threshold
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(33)
m = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(2)])
xl, yl = tf.random.normal([8, 3]), tf.constant([0, 1] * 4)
xu = tf.random.normal([20, 3]) * 3
opt = tf.keras.optimizers.SGD(0.1)
for _ in range(3):
    p = tf.nn.softmax(m(xu)).numpy()
    keep, lab = p.max(1) > 0.5, p.argmax(1)
    with tf.GradientTape() as tape:
        s = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=yl, logits=m(xl))
        u = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=lab[keep], logits=m(tf.boolean_mask(xu, keep)))
        loss = tf.reduce_mean(s) + 0.3 * tf.reduce_mean(u)
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(loss.numpy())

# %% lookahead_optimizer
import tensorflow as tf

tf.random.set_seed(34)
fast = tf.Variable([4.0, -3.0])
slow = tf.identity(fast)
for outer in range(3):
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant([1.0, 5.0]) * fast**2)
        fast.assign_sub(0.05 * tape.gradient(loss, fast))
    slow = slow + 0.5 * (fast - slow)
    fast.assign(slow)
print(fast.numpy(), loss.numpy())

# %% rprop_sign_updates
import tensorflow as tf

w = tf.Variable([2.0, -1.5, 0.7])
step, last = tf.fill([3], 0.1), tf.zeros(3)
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**4 - 2 * w**2 + 0.1 * w)
    g = tape.gradient(loss, w)
    same = tf.sign(g * last)
    step = tf.clip_by_value(tf.where(same > 0, step * 1.2, tf.where(same < 0, step * 0.5, step)), 1e-4, 0.5)
    w.assign_sub(tf.sign(g) * step)
    last = g
print(w.numpy())

# %% line_search_backtracking
import tensorflow as tf

x = tf.Variable([3.0, -2.0])


def f(p):
    return tf.reduce_sum(p**2 * [1.0, 8.0]) + tf.reduce_sum(tf.cos(p))


for _ in range(4):
    with tf.GradientTape() as tape:
        value = f(x)
    g = tape.gradient(value, x)
    t = 1.0
    while float(f(x - t * g)) > float(value) - 0.3 * t * float(tf.reduce_sum(g * g)):
        t *= 0.5
    x.assign_sub(t * g)
    print(value.numpy(), t)

# %% scipy_style_lbfgs_two_loop
import numpy as np
import tensorflow as tf


def value_and_grad(p):
    p = tf.constant(p)
    with tf.GradientTape() as tape:
        tape.watch(p)
        v = (1 - p[0]) ** 2 + 10 * (p[1] - p[0] ** 2) ** 2
    return v.numpy(), tape.gradient(v, p).numpy()


x = np.array([-1.0, 1.0])
f0, g = value_and_grad(x)
S, Y = [], []
for k in range(5):
    q, al = g.copy(), []
    for s, y in zip(S[::-1], Y[::-1]):
        al.append(s @ q / (y @ s))
        q -= al[-1] * y
    for (s, y), a in zip(zip(S, Y), al[::-1]):
        q += s * (a - y @ q / (y @ s))
    step = -0.1 * q
    f1, g1 = value_and_grad(x + step)
    S, Y = (S + [step])[-3:], (Y + [g1 - g])[-3:]
    x, g, f0 = x + step, g1, f1
print(x, f0)

# %% dataset_numpy_preprocessing_inside_loop
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(35)
m = tf.keras.Sequential([tf.keras.layers.Dense(6, "relu"), tf.keras.layers.Dense(1)])
raw = np.random.lognormal(size=(30, 4))
opt = tf.keras.optimizers.Adam(1e-2)
for epoch in range(2):
    for batch in np.array_split(np.random.permutation(30), 3):
        with tf.GradientTape() as tape:
            feats = np.log1p(raw[batch]).astype("float32")
            feats = (feats - feats.mean(0)) / feats.std(0)
            pred = m(feats)
            loss = tf.reduce_mean((pred - raw[batch].sum(1, keepdims=True).astype("f")) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(np.round(float(loss), 3))

# %% loss_history_and_best_weights
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(36)
w = tf.Variable(tf.random.normal([5]))
target = tf.linspace(-1.0, 1.0, 5)
best, best_w, hist = np.inf, None, []
for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(w - target))
    w.assign_sub(0.4 * tape.gradient(loss, w))
    hist.append(float(loss))
    if hist[-1] < best:
        best, best_w = hist[-1], w.numpy().copy()
w.assign(best_w)
print(best, hist)

# %% curriculum_weight_from_last_loss
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(37)
a, b = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
x = tf.random.normal([12, 3])
y1, y2 = tf.reduce_sum(x, 1, keepdims=True), tf.reduce_prod(x, 1, keepdims=True)
opt = tf.keras.optimizers.SGD(0.05)
weights = np.array([1.0, 1.0], "f")
for _ in range(4):
    with tf.GradientTape() as tape:
        l1, l2 = tf.reduce_mean((a(x) - y1) ** 2), tf.reduce_mean((b(x) - y2) ** 2)
        loss = weights[0] * l1 + weights[1] * l2
    vs = a.trainable_variables + b.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, vs), vs))
    last = np.array([float(l1), float(l2)], "f")
    weights = 2 * last / last.sum()
print(weights)

# %% tensor_slices_of_time_series_windows
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(38)
series = np.sin(np.arange(50) / 4).astype("f")
ds = tf.data.Dataset.from_tensor_slices(series).window(9, shift=4, drop_remainder=True).flat_map(lambda w: w.batch(9))
ds = ds.map(lambda w: (w[:-1], w[-1:])).batch(4)
m = tf.keras.Sequential([tf.keras.layers.Dense(6, "selu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(1e-2)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.huber(y, m(x)))
    opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
print(loss.numpy())

# %% conv1d_conv3d_shapes
import tensorflow as tf

tf.keras.utils.set_random_seed(39)
c1 = tf.keras.Sequential([tf.keras.layers.Conv1D(4, 3, activation="relu"), tf.keras.layers.GlobalAveragePooling1D()])
c3 = tf.keras.Sequential([tf.keras.layers.Conv3D(2, 2, activation="relu"), tf.keras.layers.GlobalAveragePooling3D()])
head = tf.keras.layers.Dense(1)
a, b = tf.random.normal([4, 10, 2]), tf.random.normal([4, 4, 4, 4, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((head(tf.concat([c1(a), c3(b)], 1)) - 1.0) ** 2)
vs = c1.trainable_variables + c3.trainable_variables + head.trainable_variables
print([g.shape for g in tape.gradient(loss, vs)])

# %% initializers_compare_depth
import tensorflow as tf

for init in ("glorot_uniform", "he_normal", "lecun_normal"):
    tf.keras.utils.set_random_seed(40)
    m = tf.keras.Sequential([tf.keras.layers.Input((10,))] + [tf.keras.layers.Dense(10, "selu", kernel_initializer=init) for _ in range(5)] + [tf.keras.layers.Dense(1)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(m(tf.random.normal([20, 10])) ** 2)
    g = tape.gradient(loss, m.trainable_variables)
    print(init, float(tf.norm(g[0])), float(tf.norm(g[-2])))

# %% orthogonal_regularizer_penalty
import tensorflow as tf

tf.keras.utils.set_random_seed(41)
W = tf.Variable(tf.random.normal([6, 4], stddev=0.5))
x, y = tf.random.normal([10, 6]), tf.random.normal([10, 4])
for _ in range(4):
    with tf.GradientTape() as tape:
        gram = tf.matmul(W, W, transpose_a=True)
        pen = tf.reduce_sum((gram - tf.eye(4)) ** 2)
        loss = tf.reduce_mean((x @ W - y) ** 2) + 0.1 * pen
    W.assign_sub(0.02 * tape.gradient(loss, W))
print(loss.numpy())

# %% prune_mask_constant
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(42)
W = tf.Variable(tf.random.normal([6, 3]))
x, y = tf.random.normal([12, 6]), tf.random.normal([12, 3])
mask = np.ones((6, 3), "f")
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ (W * mask) - y) ** 2)
    W.assign_sub(0.1 * tape.gradient(loss, W))
    thresh = np.quantile(np.abs(W.numpy()), 0.2 * epoch)
    mask = (np.abs(W.numpy()) >= thresh).astype("f")
print(mask.sum(), loss.numpy())

# %% lora_low_rank_adapter
import tensorflow as tf

tf.keras.utils.set_random_seed(43)
frozen = tf.constant(tf.random.normal([6, 4]))
A, B = tf.Variable(tf.random.normal([6, 2], stddev=0.1)), tf.Variable(tf.random.normal([2, 4], stddev=0.01))
x, y = tf.random.normal([14, 6]), tf.random.normal([14, 4])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ frozen + 2.0 * (x @ A) @ B - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, [A, B]), [A, B]))
print(loss.numpy())

# %% prompt_tuning_frozen_model
import tensorflow as tf

tf.keras.utils.set_random_seed(44)
body = tf.keras.Sequential([tf.keras.layers.Input((5, 4)), tf.keras.layers.GRU(6), tf.keras.layers.Dense(2)])
body.trainable = False
prompt = tf.Variable(tf.random.normal([2, 4], stddev=0.5))
x, y = tf.random.normal([8, 3, 4]), tf.constant([0, 1] * 4)
for _ in range(3):
    with tf.GradientTape() as tape:
        seq = tf.concat([tf.tile(prompt[None], [8, 1, 1]), x], 1)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=body(seq)))
    prompt.assign_sub(0.5 * tape.gradient(loss, prompt))
print(loss.numpy())

# %% universal_perturbation
import tensorflow as tf

tf.keras.utils.set_random_seed(45)
clf = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(3)])
xs = tf.random.normal([30, 5])
delta = tf.Variable(tf.zeros([5]))
labels = tf.argmax(clf(xs), axis=1)
for _ in range(4):
    with tf.GradientTape() as tape:
        gain = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=clf(xs + delta)))
    delta.assign(tf.clip_by_value(delta + 0.05 * tf.sign(tape.gradient(gain, delta)), -0.2, 0.2))
print(delta.numpy())

# %% model_inversion_from_gradients
import tensorflow as tf

tf.keras.utils.set_random_seed(46)
W = tf.constant(tf.random.normal([4, 3]))
secret, label = tf.random.normal([1, 4]), tf.constant([1])


def weight_grad(x):
    with tf.GradientTape() as t:
        t.watch(W)
        l = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label, logits=x @ W)
    return t.gradient(l, W)


true = weight_grad(secret)
dummy = tf.Variable(tf.random.normal([1, 4]))
for _ in range(3):
    with tf.GradientTape() as tape:
        d = tf.reduce_sum((weight_grad(dummy) - true) ** 2)
    dummy.assign_sub(0.1 * tape.gradient(d, dummy))
print(d.numpy())

# %% dataset_distillation_one_step
import tensorflow as tf

tf.random.set_seed(47)
syn = tf.Variable(tf.random.normal([4, 3]))
ylab = tf.constant([[1.0], [-1.0], [1.0], [-1.0]])
real_x = tf.random.normal([30, 3])
real_y = tf.sign(real_x[:, :1])
w0 = tf.random.normal([3, 1])
for _ in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(w0)
            l = tf.reduce_mean((syn @ w0 - ylab) ** 2)
        w1 = w0 - 0.1 * inner.gradient(l, w0)
        loss = tf.reduce_mean((real_x @ w1 - real_y) ** 2)
    syn.assign_sub(0.5 * outer.gradient(loss, syn))
print(loss.numpy())

# %% federated_averaging
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(48)


def make():
    return tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(1)])


server, clients = make(), [make() for _ in range(2)]
for rnd in range(2):
    updates = []
    for c in clients:
        c.set_weights(server.get_weights())
        x = tf.random.normal([8, 3])
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((c(x) - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
            for v, g in zip(c.trainable_variables, tape.gradient(loss, c.trainable_variables)):
                v.assign_sub(0.05 * g)
        updates.append(c.get_weights())
    server.set_weights([np.mean(ws, axis=0) for ws in zip(*updates)])
print(loss.numpy())

# %% train_on_batch_and_test_on_batch
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(49)
m = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(6, "gelu"), tf.keras.layers.Dense(1)])
m.compile(tf.keras.optimizers.Adamax(1e-2), "mean_absolute_error")
for _ in range(3):
    print(m.train_on_batch(np.random.rand(8, 4), np.random.rand(8, 1)))
print(m.test_on_batch(np.random.rand(8, 4), np.random.rand(8, 1)))

# %% cosine_similarity_loss_embeddings
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(50)
table = tf.keras.layers.Embedding(12, 5)
a, b = np.array([0, 1, 2, 3]), np.array([4, 5, 6, 7])
opt = tf.keras.optimizers.Adam(1e-2)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.cosine_similarity(table(a), table(b)))
    opt.apply_gradients(zip(tape.gradient(loss, table.trainable_variables), table.trainable_variables))
print(loss.numpy())
