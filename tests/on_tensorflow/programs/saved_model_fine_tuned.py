"""Learn a code for curves, save it as a SavedModel, load it again and fine-tune it for another task."""

import tempfile

import numpy as np
import tensorflow as tf

SEED = 5
LENGTH, CODE = 16, 4


def make_curves(count, seed):
    """Noisy waves, and how fast each of them swings."""
    rng = np.random.default_rng(seed)
    frequency = rng.uniform(0.5, 2.0, (count, 1))
    phase = rng.uniform(0.0, np.pi, (count, 1))
    time = np.linspace(0.0, 2.0 * np.pi, LENGTH)
    curves = np.sin(frequency * time + phase) + rng.normal(0.0, 0.05, (count, LENGTH))
    return curves.astype("float32"), frequency.astype("float32")


class AutoEncoder(tf.Module):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(SEED)
        self.w_in = tf.Variable(rng.normal(0, 0.3, (LENGTH, CODE)).astype("float32"), name="w_in")
        self.b_in = tf.Variable(tf.zeros([CODE]), name="b_in")
        self.w_out = tf.Variable(rng.normal(0, 0.3, (CODE, LENGTH)).astype("float32"), name="w_out")

    @tf.function(input_signature=[tf.TensorSpec([None, LENGTH], tf.float32)])
    def encode(self, curves):
        return tf.tanh(curves @ self.w_in + self.b_in)

    @tf.function(input_signature=[tf.TensorSpec([None, CODE], tf.float32)])
    def decode(self, codes):
        return codes @ self.w_out


def pretrain(model, curves, steps, rate):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            again = model.decode(model.encode(curves))
            loss = tf.reduce_mean(tf.square(again - curves))
        gradients = tape.gradient(loss, model.trainable_variables)
        for variable, gradient in zip(model.trainable_variables, gradients):
            variable.assign_sub(rate * gradient)
    print(f"pretrained: loss {loss:.4f}")


class Head(tf.Module):
    """From a code to a frequency."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([CODE, 1]) * 0.1, name="head_w")
        self.b = tf.Variable(tf.ones([1]), name="head_b")

    def __call__(self, codes):
        return codes @ self.w + self.b


def fine_tune(encoder, head, curves, frequency, steps, rate):
    variables = [encoder.w_in, encoder.b_in, head.w, head.b]
    for step in range(steps):
        codes = encoder.encode(curves)
        with tf.GradientTape() as tape:
            error = head(codes) - frequency
            loss = tf.reduce_mean(tf.square(error))
        gradients = tape.gradient(loss, variables)
        for variable, gradient in zip(variables, gradients):
            if gradient is not None:
                variable.assign_sub(rate * gradient)
        print(f"fine-tuning {step}: loss {loss:.4f}, spread of the codes {np.std(codes):.3f}")
    return dict(zip(["w_in", "b_in", "head_w", "head_b"], gradients))


def main():
    curves, _ = make_curves(48, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        model = AutoEncoder()
        pretrain(model, curves, steps=10, rate=0.5)
        tf.saved_model.save(model, folder)
        loaded = tf.saved_model.load(folder)

    same = np.allclose(loaded.encode(curves), model.encode(curves))
    print("the loaded model gives the same codes:", same)

    curves, frequency = make_curves(32, seed=2)
    gradients = fine_tune(loaded, Head(), curves, frequency, steps=4, rate=0.3)
    for name, gradient in gradients.items():
        print(f"{name:8} {'no gradient' if gradient is None else 'ok'}")


if __name__ == "__main__":
    main()
