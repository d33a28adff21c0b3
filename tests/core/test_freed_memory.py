"""Memory of arrays that are no longer needed is reused by later arrays."""

import ctypes
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from minitape.core import freed_memory

IS_GLIBC = sys.platform == "linux" and "CS_GNU_LIBC_VERSION" in os.confstr_names
STEPS = """
import resource
import numpy as np
import minitape as tf

x = tf.Variable(np.ones(1_000_000, np.float32))

def step():
    with tf.GradientTape() as tape:
        y = tf.tanh(tf.tanh(x * 2.0) * 3.0)
    tape.gradient(y, x)

def page_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

step(), step()
before = page_faults()
step(), step(), step()
print(page_faults() - before)
"""


@pytest.fixture
def no_setting_of_users(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("MALLOC_", "GLIBC_TUNABLES")):
            monkeypatch.delenv(name)


@pytest.mark.skipif(not IS_GLIBC, reason="the C library is not glibc")
def test_training_step_allocates_no_new_pages(no_setting_of_users: None) -> None:
    """Each of its arrays has a thousand pages of 4 kB, and there are about ten of them."""
    ran = subprocess.run(
        [sys.executable, "-c", STEPS], capture_output=True, text=True, check=True, env=os.environ
    )
    assert int(ran.stdout) < 300


@pytest.mark.parametrize("name", ["MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"])
def test_users_setting_is_not_changed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "")
    assert not freed_memory.keep_freed_memory()


@pytest.mark.usefixtures("no_setting_of_users")
def test_nothing_is_set_without_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    assert not freed_memory.keep_freed_memory()


@pytest.mark.usefixtures("no_setting_of_users")
def test_no_library_is_loaded_on_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", None)
    assert not freed_memory.keep_freed_memory()
