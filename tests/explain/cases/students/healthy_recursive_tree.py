import tensorflow as tf

merge = tf.Variable([[0.3, 0.1], [-0.2, 0.4], [0.5, 0.2], [0.1, -0.3]])
words = {"the": [0.1, 0.5], "old": [0.9, -0.2], "man": [0.3, 0.3]}
tree = (("the", "old"), "man")


def encode(node):
    if isinstance(node, str):
        return tf.constant([words[node]])
    left, right = (encode(child) for child in node)
    return tf.tanh(tf.concat([left, right], axis=1) @ merge)


with tf.GradientTape() as tape:
    meaning = encode(tree)
    loss = tf.reduce_sum((meaning - 0.5) ** 2)
print(meaning.numpy(), tape.gradient(loss, merge).numpy())
