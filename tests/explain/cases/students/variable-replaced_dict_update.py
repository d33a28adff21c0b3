import tensorflow as tf

params = {"b": tf.Variable(0.0), "w": tf.Variable(1.0)}


def sgd(params, grads, rate):
    for name in params:
        params[name] = params[name] - rate * grads[name]
    return params


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.square(params["w"] * 3.0 + params["b"] - 1.0)
    grads = tape.gradient(loss, params)
    params = sgd(params, grads, rate=0.02)
    print(step, loss.numpy())
