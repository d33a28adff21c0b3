import tensorflow as tf


class Shop(tf.Module):
    def __init__(self, stock, price, staff):
        super().__init__()
        self.stock = tf.Variable(stock)
        self.price = tf.Variable(price)
        self.staff = tf.Variable(staff)

    def profit(self):
        sales = tf.cast(self.stock, tf.float32) * self.price
        return sales - 1.5 * tf.cast(self.staff, tf.float32)


shop = Shop(stock=20, price=3.5, staff=4)
with tf.GradientTape() as tape:
    profit = shop.profit()

answers = tape.gradient(profit, [shop.stock, shop.price, shop.staff])
print(dict(zip(["stock", "price", "staff"], answers)))
