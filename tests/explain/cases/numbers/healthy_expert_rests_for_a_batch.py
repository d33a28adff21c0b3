import tensorflow as tf

day = tf.Variable(0.5, name="day")
night = tf.Variable(0.2, name="night")
batches = [
    ([9.0, 12.0, 15.0], [1.0, 1.4, 1.1]),
    ([22.0, 23.0, 3.0], [0.2, 0.1, 0.3]),
    ([8.0, 21.0, 13.0], [0.9, 0.4, 1.2]),
    ([10.0, 11.0, 16.0], [1.1, 1.2, 1.0]),
]
for hours, load in batches:
    hours, load = tf.constant(hours), tf.constant(load)
    with tf.GradientTape() as tape:
        is_day = tf.logical_and(hours > 6.0, hours < 20.0)
        predicted = tf.where(is_day, day * hours / 12.0, night * tf.ones_like(hours))
        loss = tf.reduce_mean((predicted - load) ** 2)
    for variable, grad in zip([day, night], tape.gradient(loss, [day, night])):
        variable.assign_sub(0.1 * grad)
print(day.numpy(), night.numpy())
