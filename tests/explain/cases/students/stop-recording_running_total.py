import tensorflow as tf

growth = tf.Variable(1.05)
capital = tf.constant(100.0)

with tf.GradientTape() as tape:
    for year in range(3):
        with tape.stop_recording():
            capital = capital * growth
            print("year", year, "capital", float(capital))
    shortfall = tf.nn.relu(150.0 - capital)

print("slope:", tape.gradient(shortfall, growth))
