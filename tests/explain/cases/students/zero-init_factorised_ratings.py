import tensorflow as tf


class Factors(tf.Module):
    def __init__(self, people, films, size):
        super().__init__()
        self.people = tf.Variable(tf.zeros((people, size)))
        self.films = tf.Variable(tf.zeros((films, size)))

    def rating(self, person, film):
        taste = tf.gather(self.people, person)
        style = tf.gather(self.films, film)
        return tf.reduce_sum(taste * style, axis=-1)


model = Factors(people=3, films=4, size=2)
with tf.GradientTape() as tape:
    guess = model.rating([0, 1, 2], [3, 1, 0])
    loss = tf.reduce_mean((guess - [5.0, 3.0, 1.0]) ** 2)

print([tf.convert_to_tensor(g).numpy().max() for g in tape.gradient(loss, [model.films, model.people])])
