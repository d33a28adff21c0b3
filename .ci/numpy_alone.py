"""Use the engine, Keras, `tf.data`, the tracer and the recorded events where only NumPy and minitape are installed.

    pip install numpy && pip install --no-deps minitape-*.whl && python .ci/numpy_alone.py

`tests/test_imports.py` runs the same program where imports of all other packages are refused.
"""

import minitape as tf

x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(x * x)
gradient = tape.gradient(y, x)
assert gradient.numpy().tolist() == [2.0, 4.0]

model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
batches = tf.data.Dataset.from_tensor_slices((tf.ones([4, 3]), tf.ones([4, 1]))).batch(2)
history = model.fit(batches, epochs=1, verbose=0, shuffle=False)
assert len(history.history["loss"]) == 1

kinds = []
with tf.debug.observe(lambda event: kinds.append(event["k"])), tf.GradientTape() as tape:
    z = tf.sin(x)
tape.gradient(z, x)
assert "op" in kinds
print("minitape", tf.__version__, "works with NumPy alone")
