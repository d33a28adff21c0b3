"""tf.train: what is saved, what comes back, what a program may insist on, what a folder holds."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from programs.case import Case, table


def _in_a_folder(program: Callable[..., Any]) -> Case:
    """A case that gets a folder, gone afterwards, as third argument."""

    def inside(tf: Any, np: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return program(tf, np, folder)

    return Case(program.__name__, inside)


def _net(tf: Any) -> Any:
    class Net(tf.keras.Model):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.l1, self.l2 = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)

        def call(self, x: Any) -> Any:
            return self.l2(self.l1(x))

    net = Net()
    net(tf.ones((1, 3)))
    for i, weight in enumerate(net.weights):
        weight.assign(tf.fill(weight.shape, 0.1 * (i + 1)))
    return net


def _step(tf: Any, net: Any, optimizer: Any) -> None:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net(tf.ones((1, 3))) ** 2)
    weights = net.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


@_in_a_folder
def training_goes_on_from_a_checkpoint(tf: Any, np: Any, folder: str) -> Any:
    net, optimizer, step = _net(tf), tf.keras.optimizers.Adam(0.1), tf.Variable(0)
    checkpoint = tf.train.Checkpoint(step=step, optimizer=optimizer, net=net)
    for _ in range(3):
        _step(tf, net, optimizer)
        step.assign_add(1)
    path = checkpoint.save(f"{folder}/ckpt")
    _step(tf, net, optimizer)

    again, optimizer2, step2 = _net(tf), tf.keras.optimizers.Adam(0.5), tf.Variable(0)
    optimizer2.build(again.trainable_variables)
    checkpoint2 = tf.train.Checkpoint(step=step2, optimizer=optimizer2, net=again)
    checkpoint2.restore(path).assert_consumed()
    _step(tf, again, optimizer2)
    return [
        os.path.relpath(path, folder),
        step2,
        np.float32(optimizer2.learning_rate),
        [weight.numpy() for weight in net.weights],
        [weight.numpy() for weight in again.weights],
        checkpoint2.save_counter.numpy(),
    ]


@_in_a_folder
def names_of_a_module(tf: Any, np: Any, folder: str) -> Any:
    class Part(tf.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable([1.0, 2.0])
            self.parts = [tf.Variable(3.0)]
            self.table = {"a": tf.Variable(4.0)}

    module = Part()
    of_name = tf.train.Checkpoint(module=module).save(f"{folder}/a")
    of_root = tf.train.Checkpoint(module).save(f"{folder}/b")
    listed = [tf.train.list_variables(path) for path in (of_name, of_root)]
    return [
        [[(name, list(shape)) for name, shape in each if name[0] != "_"] for each in listed],
        tf.train.load_variable(of_name, "module/w/.ATTRIBUTES/VARIABLE_VALUE"),
    ]


@_in_a_folder
def numbers_come_back(tf: Any, np: Any, folder: str) -> Any:
    v = tf.Variable([1.0, 2.0])
    checkpoint = tf.train.Checkpoint(v=v)
    paths = [checkpoint.save(f"{folder}/c") for _ in range(2)]
    v.assign([5.0, 6.0])
    written = checkpoint.write(f"{folder}/w")
    checkpoint.restore(paths[0])
    first = v.numpy()
    checkpoint.read(written).assert_consumed()
    return [
        [os.path.relpath(path, folder) for path in [*paths, written]],
        first,
        v.numpy(),
        checkpoint.save_counter.numpy(),
        os.path.relpath(tf.train.latest_checkpoint(folder), folder),
    ]


def _insisting(insist: Callable[[Any], Any], **others: Callable[[Any], Any]) -> Any:
    @_in_a_folder
    def program(tf: Any, np: Any, folder: str) -> Any:
        saved = tf.train.Checkpoint(v=tf.Variable(1.0), w=tf.Variable(2.0))
        path = saved.save(f"{folder}/c")
        made = {name: make(tf) for name, make in others.items()}
        insist(tf.train.Checkpoint(**made).restore(path))
        return [variable.numpy() for variable in made.values()]

    return program


INSISTING = {
    "fits": _insisting(
        lambda status: status.assert_consumed(),
        v=lambda tf: tf.Variable(0.0),
        w=lambda tf: tf.Variable(0.0),
    ),
    "more_in_the_file": _insisting(
        lambda status: status.assert_consumed(), v=lambda tf: tf.Variable(0.0)
    ),
    "more_in_the_file_and_partial": _insisting(
        lambda status: status.expect_partial(), v=lambda tf: tf.Variable(0.0)
    ),
    "more_in_the_file_and_existing_matched": _insisting(
        lambda status: status.assert_existing_objects_matched(), v=lambda tf: tf.Variable(0.0)
    ),
    "more_in_the_program": _insisting(
        lambda status: status.assert_existing_objects_matched(),
        v=lambda tf: tf.Variable(0.0),
        other=lambda tf: tf.Variable(0.0),
    ),
    "something_matches": _insisting(
        lambda status: status.assert_nontrivial_match(),
        v=lambda tf: tf.Variable(0.0),
        other=lambda tf: tf.Variable(0.0),
    ),
    "another_shape": _insisting(lambda status: status, v=lambda tf: tf.Variable([0.0, 0.0])),
    "another_dtype": _insisting(
        lambda status: status.expect_partial(), v=lambda tf: tf.Variable(0)
    ),
}


def no_checkpoint(tf: Any, np: Any) -> Any:
    return tf.train.Checkpoint(v=tf.Variable(0.0)).restore("/there/is/none")


def restore_of_none(tf: Any, np: Any) -> Any:
    v = tf.Variable(3.0)
    tf.train.Checkpoint(v=v).restore(None)
    return v


def restore_of_none_insisted_on(tf: Any, np: Any) -> Any:
    return tf.train.Checkpoint(v=tf.Variable(0.0)).restore(None).assert_consumed()


def what_holds_no_variables(tf: Any, np: Any) -> Any:
    return tf.train.Checkpoint(step=3)


def latest_of_no_folder(tf: Any, np: Any) -> Any:
    return tf.train.latest_checkpoint("/there/is/none")


@_in_a_folder
def manager_keeps_the_last(tf: Any, np: Any, folder: str) -> Any:
    v = tf.Variable(0.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), folder, max_to_keep=2)
    seen = [manager.latest_checkpoint, manager.checkpoints, manager.restore_or_initialize()]
    for number in range(4):
        v.assign(float(number))
        seen.append(os.path.relpath(manager.save(), folder))
    kept = [os.path.relpath(path, folder) for path in manager.checkpoints]
    there = sorted({each.name.split(".")[0] for each in Path(folder).iterdir()})

    w = tf.Variable(9.0)
    again = tf.train.CheckpointManager(tf.train.Checkpoint(v=w), folder, max_to_keep=2)
    seen += [os.path.relpath(again.restore_or_initialize(), folder), w.numpy()]
    seen += [os.path.relpath(again.save(), folder), os.path.relpath(again.save(77), folder)]
    after = sorted({each.name.split(".")[0] for each in Path(folder).iterdir()})
    return [seen, kept, there, after]


@_in_a_folder
def manager_with_an_interval(tf: Any, np: Any, folder: str) -> Any:
    step, seen = tf.Variable(0), []
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step),
        folder,
        max_to_keep=None,
        checkpoint_name="model",
        step_counter=step,
        checkpoint_interval=3,
    )
    for _ in range(7):
        path = manager.save()
        seen.append(None if path is None else os.path.relpath(path, folder))
        step.assign_add(1)
    seen.append(os.path.relpath(manager.save(check_interval=False), folder))
    return seen


@_in_a_folder
def manager_calls_init_where_there_is_nothing(tf: Any, np: Any, folder: str) -> Any:
    called: list[int] = []
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(0.0)),
        folder,
        max_to_keep=1,
        init_fn=lambda: called.append(1),
    )
    return [manager.restore_or_initialize(), called, manager.checkpoint_interval]


def manager_of_none(tf: Any, np: Any) -> Any:
    return tf.train.CheckpointManager(tf.train.Checkpoint(), "/tmp", max_to_keep=0)


@_in_a_folder
def state_of_a_folder(tf: Any, np: Any, folder: str) -> Any:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
    for _ in range(2):
        checkpoint.save(f"{folder}/c")
    state = tf.train.get_checkpoint_state(folder)
    return [
        os.path.relpath(state.model_checkpoint_path, folder),
        [os.path.relpath(path, folder) for path in state.all_model_checkpoint_paths],
    ]


TABLE = table(INSISTING)
