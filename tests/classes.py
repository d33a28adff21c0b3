"""A class for tests: the submissions of forty students, including hostile ones."""

from pathlib import Path

RUDE = Path(__file__).parent / "endurance" / "rude"

GOOD = """\
import minitape as tf

slope = 6.0
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
gradient = tape.gradient(y, x)
"""
LOST = """\
import numpy as np
import minitape as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = tf.constant(np.square(x.numpy()))
gradient = tape.gradient(y, x)
slope = 6.0
"""

# Nine hostile submissions, each with the status that it must get.
HOSTILE = {
    "endless loop": ("while True: pass", "timeout"),
    "swallows all": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "timeout",
    ),
    "fork and loop": ("import os\nos.fork()\nwhile True: pass", "timeout"),
    "recursion": ("def f(): return f()\nf()", "error"),
    "memory hog": ("a = []\nwhile True: a.append(bytearray(10_000_000))", "memory"),
    "output flood": ("while True: print('x' * 1000)", "output_limit"),
    "input": ("input()", "error"),
    "leaves": ("import os\nos._exit(0)", "crashed"),
    "own session": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n    os._exit(0)\nwhile True: pass",
        "timeout",
    ),
}
# Submissions that try to fake a pass.
FORGED = {
    "prints a pass": 'print(\'{"token": "", "verdicts": [[0, 1, true, "ok", ""]]}\')',
    "writes to all pipes": (
        "import os\n"
        'for each in range(3, 256):\n    try: os.write(each, b\'{"companion": {"token": "", "verdicts": []}}\')\n'
        "    except OSError: pass"
    ),
    "ends its parent": "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(0.5)",
    "ends its group": "import os, time\nos.kill(0, 9)\ntime.sleep(0.5)",
    "writes a result": (
        "import pathlib\nfor name in ('result.json', 'report.csv.rows', 'ending'):\n"
        '    pathlib.Path(name).write_text(\'{"status": "passed"}\')\nraise SystemExit(0)'
    ),
}
SCRIPTS = (
    "aborts",
    "blocks_signals",
    "clears_sys_modules",
    "closes_its_descriptors",
    "crashes_in_c",
    "deletes_its_folder",
    "forks_a_crowd",
    "forks_a_daemon_and_hangs",
    "hangs_at_exit",
    "kills_itself",
    "overflows_the_stack",
    "patches_builtins",
    "patches_json",
    "reuses_all_descriptors",
    "rewrites_itself",
    "sleeps_with_children",
)


def hand_in(folder: Path, student: str, text: str | bytes, name: str = "ex1_guess.py") -> Path:
    """Write a file into a student's folder."""
    file = folder / student / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def write_class(folder: Path) -> dict[str, str | None]:
    """Write the submissions of forty students for 01/ex1. Return the status of each; None for any status except `passed`."""
    expected: dict[str, str | None] = {}
    for student, (text, status) in HOSTILE.items():
        hand_in(folder, student, text)
        expected[student] = status
    for student, text in FORGED.items():
        hand_in(folder, student, text)
        expected[student] = None
    for script in SCRIPTS:
        hand_in(folder, script, (RUDE / f"{script}.py").read_bytes())
        expected[script] = None
    for number in range(6):
        hand_in(folder, f"good {number}", f"{GOOD}# {number}\n")
        expected[f"good {number}"] = "passed"
    for student, text, status in (
        ("Jörg Müßig", GOOD, "passed"),
        ("loses it", LOST, "failed"),
        ("no text", "\0\xff", "not_python"),
        ("nothing", None, "missing"),
    ):
        (folder / student).mkdir()
        if text is not None:
            hand_in(folder, student, text)
        expected[student] = status
    return expected
