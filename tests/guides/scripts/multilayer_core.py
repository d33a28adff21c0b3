"""A perceptron in plain ops and modules: initial values, layers, accuracy, saving numbers."""

import numpy as np
import tensorflow as tf

random = np.random.default_rng(24)


def xavier_init(shape):
    in_dim, out_dim = shape
    xavier_lim = tf.sqrt(6.0) / tf.sqrt(tf.cast(in_dim + out_dim, tf.float32))
    return tf.constant(random.uniform(-1, 1, size=(in_dim, out_dim)), tf.float32) * xavier_lim


class DenseLayer(tf.Module):
    def __init__(self, out_dim, weight_init=xavier_init, activation=tf.identity):
        self.out_dim = out_dim
        self.weight_init = weight_init
        self.activation = activation
        self.built = False

    def __call__(self, x):
        if not self.built:
            self.in_dim = x.shape[1]
            self.w = tf.Variable(self.weight_init(shape=(self.in_dim, self.out_dim)))
            self.b = tf.Variable(tf.zeros(shape=(self.out_dim,)))
            self.built = True
        z = tf.add(tf.matmul(x, self.w), self.b)
        return self.activation(z)


class MLP(tf.Module):
    def __init__(self, layers):
        self.layers = layers

    @tf.function
    def __call__(self, x, preds=False):
        for layer in self.layers:
            x = layer(x)
        return x


def cross_entropy_loss(y_pred, y):
    sparse_ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=y_pred)
    return tf.reduce_mean(sparse_ce)


def accuracy(y_pred, y):
    class_preds = tf.argmax(tf.nn.softmax(y_pred), axis=1)
    is_equal = tf.equal(y, class_preds)
    return tf.reduce_mean(tf.cast(is_equal, tf.float32))


class Adam:
    def __init__(self, learning_rate=1e-2, beta_1=0.9, beta_2=0.999, ep=1e-7):
        self.beta_1, self.beta_2, self.learning_rate, self.ep = beta_1, beta_2, learning_rate, ep
        self.t = 1.0
        self.v_dvar, self.s_dvar = [], []
        self.built = False

    def apply_gradients(self, grads, vars):
        if not self.built:
            for var in vars:
                self.v_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
                self.s_dvar.append(tf.Variable(tf.zeros(shape=var.shape)))
            self.built = True
        for i, (d_var, var) in enumerate(zip(grads, vars)):
            self.v_dvar[i].assign(self.beta_1 * self.v_dvar[i] + (1 - self.beta_1) * d_var)
            self.s_dvar[i].assign(self.beta_2 * self.s_dvar[i] + (1 - self.beta_2) * tf.square(d_var))
            v_bc = self.v_dvar[i] / (1 - (self.beta_1**self.t))
            s_bc = self.s_dvar[i] / (1 - (self.beta_2**self.t))
            var.assign_sub(self.learning_rate * (v_bc / (tf.sqrt(s_bc) + self.ep)))
        self.t += 1.0
        return


x = tf.constant(random.normal(size=(40, 5)), tf.float32)
y = tf.cast(tf.reduce_sum(x[:, :2], axis=1) > 0, tf.int64) + tf.cast(x[:, 2] > 0.5, tf.int64)
mlp = MLP([DenseLayer(8, activation=tf.nn.relu), DenseLayer(8, activation=tf.nn.relu), DenseLayer(3)])
optimizer = Adam()
for epoch in range(8):
    losses = []
    for start in range(0, 40, 10):
        xb, yb = x[start : start + 10], y[start : start + 10]
        with tf.GradientTape() as tape:
            y_pred = mlp(xb)
            batch_loss = cross_entropy_loss(y_pred, yb)
        grads = tape.gradient(batch_loss, [v for l in mlp.layers for v in (l.w, l.b)])
        optimizer.apply_gradients(grads, [v for l in mlp.layers for v in (l.w, l.b)])
        losses.append(batch_loss)
    if epoch % 2 == 0:
        print(f"Epoch: {epoch}")
        print(f"Training loss: {tf.reduce_mean(losses):.3f}, Training accuracy: {accuracy(mlp(x), y):.3f}")
print(len(mlp.trainable_variables), [tuple(v.shape) for v in mlp.layers[0].variables])
