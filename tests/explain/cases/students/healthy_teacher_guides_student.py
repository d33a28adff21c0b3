import tensorflow as tf

student = tf.Variable([0.4, -0.2])
teacher = tf.Variable([0.5, 0.1], trainable=False)
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
for step in range(3):
    goal = tf.sigmoid(tf.linalg.matvec(x, teacher))
    with tf.GradientTape() as tape:
        guess = tf.sigmoid(tf.linalg.matvec(x * 1.1, student))
        consistency = tf.reduce_mean((guess - goal) ** 2)
    student.assign_sub(2.0 * tape.gradient(consistency, student))
    teacher.assign(0.9 * teacher + 0.1 * student)
print(student.numpy(), teacher.numpy())
