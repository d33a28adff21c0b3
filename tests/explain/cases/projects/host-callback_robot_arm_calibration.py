import numpy as np
import tensorflow as tf

TABLE_ANGLES = np.linspace(-np.pi, np.pi, 41)
TABLE_ERROR = 0.03 * np.sin(3.0 * TABLE_ANGLES)


def look_up(angle):
    return np.interp(angle, TABLE_ANGLES, TABLE_ERROR + TABLE_ANGLES).astype("float32")


class Joint:
    def __init__(self, name, length, angle):
        self.length = length
        self.angle = tf.Variable(angle, name=name)

    def turn(self):
        return tf.identity(self.angle)


class CalibratedJoint(Joint):
    """Its encoder is not quite linear: the true angle comes from a table."""

    def turn(self):
        true = tf.numpy_function(look_up, [self.angle], tf.float32)
        return tf.ensure_shape(true, [])


class SteppedJoint(Joint):
    """Driven by a motor with 400 steps for a turn."""

    steps = 400

    def turn(self):
        unit = 2.0 * np.pi / self.steps
        return tf.math.floor(self.angle / unit) * unit


class Arm:
    def __init__(self, joints):
        self.joints = joints

    @property
    def angles(self):
        return [joint.angle for joint in self.joints]

    def tip(self):
        heading, x, y = 0.0, 0.0, 0.0
        for joint in self.joints:
            heading = heading + joint.turn()
            x = x + joint.length * tf.cos(heading)
            y = y + joint.length * tf.sin(heading)
        return tf.stack([x, y])


def jacobian(arm):
    with tf.GradientTape() as tape:
        tip = arm.tip()
    return tip, tape.jacobian(tip, arm.angles)


def reach(arm, goal, rate=0.3, turns=4):
    for _ in range(turns):
        tip, columns = jacobian(arm)
        usable = [c if c is not None else tf.zeros(2) for c in columns]
        step = tf.linalg.matvec(tf.linalg.pinv(tf.stack(usable, axis=1)), goal - tip)
        for angle, change in zip(arm.angles, tf.unstack(step)):
            angle.assign_add(rate * change)
    return float(tf.norm(goal - tip))


arm = Arm([Joint("shoulder", 1.0, 0.3), Joint("elbow", 0.8, 0.5), CalibratedJoint("wrist", 0.3, 0.2)])
print("distance left", reach(arm, tf.constant([1.2, 1.1])))

gantry = SteppedJoint("gantry", 0.5, 0.4)
crane = Arm([gantry, Joint("boom", 1.5, 0.2)])
with tf.GradientTape() as tape:
    height = crane.tip()[1]
print("lift by gantry and boom", tape.gradient(height, crane.angles))
