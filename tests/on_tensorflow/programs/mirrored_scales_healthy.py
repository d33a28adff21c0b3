"""Calibrate a set of scales on two devices at once: MirroredStrategy over two logical CPUs."""

import numpy as np
import tensorflow as tf

SEED = 8
SENSORS, BATCH, RATE = 3, 16, 0.1


def two_devices():
    """Split the one CPU, so that there is something to distribute over."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    parts = [tf.config.LogicalDeviceConfiguration()] * 2
    tf.config.set_logical_device_configuration(cpu, parts)
    return [device.name for device in tf.config.list_logical_devices("CPU")]


def make_weighings(count):
    """What three sensors under a plate read, and what truly lay on it."""
    rng = np.random.default_rng(SEED)
    readings = rng.uniform(0.2, 1.0, (count, SENSORS)).astype("float32")
    grams = 1.8 * (readings @ np.array([[0.5], [0.8], [0.4]]) + 0.1)
    grams += rng.normal(0.0, 0.01, grams.shape)
    return readings, grams.astype("float32")


class Scales(tf.Module):
    """grams = gain * (readings . shares + offset); one gain for the whole plate."""

    def __init__(self):
        super().__init__()
        mean = tf.VariableAggregation.MEAN
        first = tf.VariableAggregation.ONLY_FIRST_REPLICA
        self.shares = tf.Variable(tf.fill([SENSORS, 1], 0.5), name="shares", aggregation=mean)
        self.offset = tf.Variable(0.2, name="offset", aggregation=mean)
        self.steps = tf.Variable(0, trainable=False, name="steps", aggregation=first)
        self.gain = tf.Variable(1.0, name="gain", aggregation=mean)

    @property
    def parameters(self):
        return [self.shares, self.offset, self.gain]

    def __call__(self, readings):
        return self.gain * (tf.matmul(readings, self.shares) + self.offset)


def make_step(strategy, scales, missing):
    def replica_step(readings, grams):
        with tf.GradientTape() as tape:
            error = scales(readings) - grams
            loss = tf.reduce_mean(tf.square(error))
        gradients = tape.gradient(loss, scales.parameters)
        for parameter, gradient in zip(scales.parameters, gradients):
            if gradient is None:
                missing.add(parameter.name)
            else:
                parameter.assign_sub(RATE * gradient)
        scales.steps.assign_add(1)
        return loss

    @tf.function
    def distributed_step(readings, grams):
        losses = strategy.run(replica_step, args=(readings, grams))
        return strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None)

    return distributed_step


def main():
    devices = two_devices()
    strategy = tf.distribute.MirroredStrategy(devices)
    print("replicas:", strategy.num_replicas_in_sync)

    readings, grams = make_weighings(64)
    data = tf.data.Dataset.from_tensor_slices((readings, grams)).batch(BATCH)
    distributed = strategy.experimental_distribute_dataset(data)

    with strategy.scope():
        scales = Scales()
    missing = set()
    step = make_step(strategy, scales, missing)

    for epoch in range(3):
        losses = [float(step(*batch)) for batch in distributed]
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    for parameter in scales.parameters:
        state = "no gradient" if parameter.name in missing else "ok"
        print(parameter.name, np.round(parameter.numpy().reshape(-1), 2), state)


if __name__ == "__main__":
    main()
