import tensorflow as tf

low = tf.Variable(0.2)
high = tf.Variable(0.45)


def tax(income):
    if income > 50.0:
        return 50.0 * low + (income - 50.0) * high
    return income * low


with tf.GradientTape() as tape:
    revenue = tf.add_n([tax(tf.constant(i)) for i in (12.0, 30.0, 48.0)])

print(tape.gradient(revenue, {"a_low": low, "b_high": high}))
