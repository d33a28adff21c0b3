import tensorflow as tf

days = [(1.0, 2.1), (-1.0, 0.3), (2.0, -40.0), (0.5, 1.2), (2.0, 4.0), (1.5, 2.8), (0.5, 1.0)]
weight = tf.Variable(0.8)
bias = tf.Variable(0.1)
for sun, harvest in days:
    with tf.GradientTape() as tape:
        guess = tf.nn.relu(weight * sun + bias)
        loss = (guess - harvest) ** 2
    slopes = tape.gradient(loss, [weight, bias])
    for variable, slope in zip((weight, bias), slopes):
        variable.assign_sub(0.1 * slope)
    print(f"{sun:+.1f} {float(loss):.3f} {weight.numpy():.3f}")
