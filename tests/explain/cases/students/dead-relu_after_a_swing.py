import tensorflow as tf

hours = tf.constant([[60.0], [80.0], [100.0], [120.0]])
price = tf.constant([[640.0], [830.0], [1010.0], [1240.0]])
inner = tf.Variable([[0.3]])
offset = tf.Variable([0.0])
outer = tf.Variable([[0.5]])

for epoch in range(6):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(hours @ inner + offset)
        loss = tf.reduce_mean((hidden @ outer - price) ** 2)
    slopes = tape.gradient(loss, [inner, offset, outer])
    for variable, slope in zip([inner, offset, outer], slopes):
        variable.assign_sub(1.5e-5 * slope)
