"""Matrix factorisation: users and films as embeddings, ratings as their products."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

NUM_USERS, NUM_FILMS, RANK = 40, 30, 4
rng = np.random.RandomState(0)
taste, style = rng.normal(size=(NUM_USERS, 2)), rng.normal(size=(NUM_FILMS, 2))
users = rng.randint(0, NUM_USERS, size=1200)
films = rng.randint(0, NUM_FILMS, size=1200)
ratings = 3.0 + (taste[users] * style[films]).sum(axis=1) + 0.1 * rng.normal(size=1200)

dataset = tf.data.Dataset.from_tensor_slices(
    ({"user": users, "film": films}, ratings.astype("float32"))
)
shuffled = dataset.shuffle(1200, seed=42, reshuffle_each_iteration=False)
train = shuffled.take(1000).shuffle(1000, seed=43).batch(100).cache()
test = shuffled.skip(1000).batch(200)
for features, rating in train.take(1):
    print({name: value.shape for name, value in features.items()}, rating.shape)


class RecommenderNet(keras.Model):
    def __init__(self, num_users, num_films, embedding_size, **kwargs):
        super().__init__(**kwargs)
        self.user_embedding = keras.layers.Embedding(
            num_users, embedding_size, embeddings_regularizer=keras.regularizers.l2(1e-4)
        )
        self.user_bias = keras.layers.Embedding(num_users, 1)
        self.film_embedding = keras.layers.Embedding(
            num_films, embedding_size, embeddings_regularizer=keras.regularizers.l2(1e-4)
        )
        self.film_bias = keras.layers.Embedding(num_films, 1)
        self.mean = tf.Variable(3.0, name="mean")

    def call(self, inputs):
        user_vector = self.user_embedding(inputs["user"])
        film_vector = self.film_embedding(inputs["film"])
        dots = tf.reduce_sum(user_vector * film_vector, axis=1, keepdims=True)
        x = dots + self.user_bias(inputs["user"]) + self.film_bias(inputs["film"])
        return tf.squeeze(x, axis=1) + self.mean


model = RecommenderNet(NUM_USERS, NUM_FILMS, RANK)
model(features)
for variable in model.trainable_variables:
    if len(variable.shape) == 2:
        variable.assign(rng.normal(scale=0.2, size=variable.shape))
optimizer = keras.optimizers.Adam(learning_rate=0.03)
loss_fn = keras.losses.MeanSquaredError()
rmse = keras.metrics.RootMeanSquaredError()


@tf.function
def train_step(features, rating):
    with tf.GradientTape() as tape:
        predicted = model(features, training=True)
        loss = loss_fn(rating, predicted) + tf.add_n(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(10):
    for features, rating in train:
        loss = train_step(features, rating)
    if epoch < 3:
        print("epoch %d: loss %.4f" % (epoch, loss))

for features, rating in test:
    rmse.update_state(rating, model(features))
print("better than the mean:", float(rmse.result()) < float(np.std(ratings)))

# Without the penalty only the rows that were looked up have a gradient.
with tf.GradientTape() as tape:
    loss = loss_fn(rating[:3], model({name: value[:3] for name, value in features.items()}))
for variable, gradient in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
    kind = "IndexedSlices" if isinstance(gradient, tf.IndexedSlices) else "Tensor"
    print(kind, gradient.shape, variable.name)

nearest = tf.linalg.l2_normalize(model.film_embedding.embeddings, axis=1)
similarity = nearest @ tf.transpose(nearest)
print(similarity.shape, bool(tf.reduce_all(tf.abs(tf.linalg.diag_part(similarity) - 1.0) < 1e-5)))
