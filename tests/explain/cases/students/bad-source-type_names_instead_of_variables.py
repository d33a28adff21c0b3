import tensorflow as tf

params = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}

with tf.GradientTape() as tape:
    out = params["a"] * params["b"] ** 2

for name, slope in zip(params, tape.gradient(out, list(params))):
    print(name, slope)
