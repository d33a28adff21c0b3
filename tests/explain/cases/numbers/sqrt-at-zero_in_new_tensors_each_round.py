import tensorflow as tf

anchor = tf.constant([1.0, 2.0])
place = tf.constant([1.0, 2.0])
for step in range(4):
    with tf.GradientTape() as tape:
        tape.watch(place)
        distance = tf.norm(place - anchor)
        loss = (distance - 1.0) ** 2
    place = place - 0.1 * tape.gradient(loss, place)
print(place.numpy())
