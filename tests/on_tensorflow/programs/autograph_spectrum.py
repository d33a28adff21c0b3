"""Tell two kinds of tones apart: a learned smoothing filter, a spectrum, a linear judge, compiled by tf.function."""

import numpy as np
import tensorflow as tf

SEED = 10
LENGTH = 16
RATE = 0.5


def make_tones(count):
    """Low tones and high tones in noise, some of them recorded too loud."""
    rng = np.random.default_rng(SEED)
    high = rng.integers(0, 2, count)
    time = np.arange(LENGTH) / LENGTH
    tones = np.sin(2.0 * np.pi * (2 + 3 * high)[:, None] * time + rng.uniform(0, 6, (count, 1)))
    tones = tones * rng.uniform(0.5, 2.0, (count, 1)) + rng.normal(0, 0.3, (count, LENGTH))
    return tones.astype("float32"), high.astype("float32")[:, None]


def numpy_spectrum(tones):
    return np.abs(np.fft.rfft(tones, axis=1)).astype("float32") / LENGTH


class Listener(tf.Module):
    def __init__(self):
        super().__init__()
        bins = LENGTH // 2 + 1
        start = np.random.default_rng(SEED).normal(0.0, 0.3, (bins, 1))
        self.memory = tf.Variable(0.0, name="memory")
        self.volume = tf.Variable(1.5, name="volume")
        self.weights = tf.Variable(start, dtype=tf.float32, name="weights")
        self.bias = tf.Variable([0.1], name="bias")

    @property
    def parameters(self):
        return [self.memory, self.volume, self.weights, self.bias]

    def smooth(self, tones):
        """An exponential mean along time; how much it remembers is learned."""
        keep = tf.sigmoid(self.memory)
        state = tf.zeros_like(tones[:, 0])
        smoothed = tf.TensorArray(tf.float32, size=LENGTH)
        for t in tf.range(LENGTH):
            state = keep * state + (1.0 - keep) * tones[:, t]
            smoothed = smoothed.write(t, state)
        return tf.transpose(smoothed.stack())

    def __call__(self, tones):
        loudest = tf.reduce_max(tf.abs(tones))
        if loudest > 1.0:
            tones = tones / loudest
        smoothed = self.volume * self.smooth(tones)
        spectrum = tf.numpy_function(numpy_spectrum, [smoothed], tf.float32)
        spectrum = tf.ensure_shape(spectrum, [None, LENGTH // 2 + 1])
        return spectrum @ self.weights + self.bias


@tf.function
def train_step(listener, tones, high):
    with tf.GradientTape() as tape:
        logits = listener(tones)
        losses = tf.nn.sigmoid_cross_entropy_with_logits(high, logits)
        loss = tf.reduce_mean(losses)
    gradients = tape.gradient(loss, listener.parameters)
    known = [(p, g) for p, g in zip(listener.parameters, gradients) if g is not None]
    length = tf.linalg.global_norm([g for _, g in known])
    rate = RATE
    if length > 0.5:
        rate = RATE * 0.5 / length
    for parameter, gradient in known:
        parameter.assign_sub(rate * gradient)
    return loss, length


def main():
    tones, high = make_tones(32)
    listener = Listener()
    before = [parameter.numpy() for parameter in listener.parameters]
    for step in range(6):
        loss, length = train_step(listener, tones, high)
        print(f"step {step}: loss {loss:.3f}, gradient of length {length:.3f}")
    for parameter, start in zip(listener.parameters, before):
        moved = np.abs(parameter.numpy() - start).max()
        print(f"{parameter.name:10} {'has not moved' if moved == 0 else 'has learned'}")


if __name__ == "__main__":
    main()
