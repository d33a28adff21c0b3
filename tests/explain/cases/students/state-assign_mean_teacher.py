import tensorflow as tf

student = tf.Variable([0.4, -0.2])
teacher = tf.Variable([0.5, 0.1])
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])


def update_teacher(decay=0.9):
    teacher.assign(decay * teacher + (1.0 - decay) * student)


with tf.GradientTape() as tape:
    update_teacher()
    guess = tf.linalg.matvec(x, teacher)
    loss = tf.reduce_mean((guess - 1.0) ** 2)
print("loss", loss.numpy(), "gradient", tape.gradient(loss, student))
