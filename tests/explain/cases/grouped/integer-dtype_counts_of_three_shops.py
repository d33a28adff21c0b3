"""How do the takings depend on the three counts? They were written without a point."""
import tensorflow as tf

shops = [tf.Variable(n, name=name) for n, name in [(12, "north"), (7, "south"), (30, "market")]]
margin = tf.Variable(0.4, name="margin")
with tf.GradientTape() as tape:
    takings = tf.add_n([tf.cast(count, tf.float32) for count in shops]) * margin
print(tape.gradient(takings, [*shops, margin]))
