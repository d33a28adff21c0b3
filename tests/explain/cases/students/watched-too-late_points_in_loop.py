import tensorflow as tf

points = [tf.constant([0.0, 1.0]), tf.constant([2.0, 2.0]), tf.constant([1.0, -1.0])]

with tf.GradientTape(persistent=True) as tape:
    center = tf.add_n(points) / 3.0
    offsets = [p - center for p in points]
    for p in points[:2]:
        tape.watch(p)
    spread = tf.add_n([tf.reduce_sum(o * o) for o in offsets])

first, second = tape.gradient(spread, points[:2])
print("spread:", spread.numpy())
print("move of the first and second point:", first, second)
