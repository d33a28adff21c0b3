"""How long will a parcel take, and will it be late? One trunk with two heads, trained by model.fit."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

SEED = 7
BATCH = 32
EPOCHS = 5


def make_deliveries(count):
    """Distance in km, stops on the way, weight in kg, rain; then hours on the road and whether that was too long."""
    rng = np.random.default_rng(SEED)
    features = np.column_stack(
        [
            rng.uniform(1.0, 40.0, count),
            rng.integers(1, 12, count),
            rng.exponential(3.0, count),
            rng.uniform(0.0, 1.0, count),
        ]
    ).astype("float32")
    hours = 0.2 + 0.03 * features[:, 0] + 0.08 * features[:, 1] + 0.5 * features[:, 3]
    hours += rng.normal(0.0, 0.1, count)
    late = hours > 1.6
    return features, hours.astype("float32")[:, None], late.astype("float32")[:, None]


def make_pipeline(features, hours, late, mean, std, training):
    def prepare(row, answers):
        return (row - mean) / std, answers

    data = tf.data.Dataset.from_tensor_slices((features, {"hours": hours, "late": late}))
    data = data.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        data = data.shuffle(len(features), seed=SEED)
    return data.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def f1_loss(y_true, y_pred):
    """1 - F1: late parcels are rare, so accuracy would say little."""
    said_late = tf.cast(y_pred > 0.5, tf.float32)
    hits = tf.reduce_sum(said_late * y_true)
    return 1.0 - 2.0 * hits / (tf.reduce_sum(said_late) + tf.reduce_sum(y_true) + 1e-7)


def build_model(width):
    inputs = keras.Input((width,), name="delivery")
    trunk = keras.layers.Dense(16, activation="tanh", name="trunk")(inputs)
    hours = keras.layers.Dense(1, name="hours")(trunk)
    late = keras.layers.Dense(1, activation="sigmoid", name="late")(trunk)
    return keras.Model(inputs, {"hours": hours, "late": late}, name="parcels")


class EveryEpoch(keras.callbacks.Callback):
    """Prints the losses, and in the end how far each weight has moved from where it began."""

    def on_train_begin(self, logs=None):
        self.start = [weight.numpy().copy() for weight in self.model.trainable_weights]

    def on_epoch_end(self, epoch, logs=None):
        shown = ("loss", "hours_loss", "late_loss", "val_loss")
        print(f"epoch {epoch}:", ", ".join(f"{name} {logs[name]:.3f}" for name in shown))

    def on_train_end(self, logs=None):
        for weight, before in zip(self.model.trainable_weights, self.start):
            moved = np.abs(weight.numpy() - before).max()
            print(f"{weight.path:14} {'has not moved' if moved == 0 else 'has learned'}")


def main():
    keras.utils.set_random_seed(SEED)
    features, hours, late = make_deliveries(256)
    mean, std = features[:192].mean(axis=0), features[:192].std(axis=0)
    train = make_pipeline(features[:192], hours[:192], late[:192], mean, std, training=True)
    test = make_pipeline(features[192:], hours[192:], late[192:], mean, std, training=False)

    model = build_model(features.shape[1])
    model.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss={"hours": "mse", "late": f1_loss},
        loss_weights={"hours": 1.0, "late": 0.5},
    )
    model.fit(
        train,
        validation_data=test,
        epochs=EPOCHS,
        callbacks=[
            EveryEpoch(),
            keras.callbacks.ReduceLROnPlateau(monitor="val_loss", patience=2),
            keras.callbacks.EarlyStopping(monitor="val_loss", patience=3),
        ],
        verbose=0,
    )


if __name__ == "__main__":
    main()
