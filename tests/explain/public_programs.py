"""Healthy programs in the style of public courses and guides: python tests/explain/public_programs.py [name ...]

Each file of `healthy_public/` contains several independent programs; a line `# %% name` begins each of them. The command runs
them on TensorFlow (the Python in MINITAPE_TENSORFLOW_PYTHON) and prints each finding and each note. It fails on any finding.

    PROGRAMS    the text of each program, by name
    NOTED       the notes that apply to a program: the code and the line; every other note is a false alarm
    REFUSED     programs that run on TensorFlow only, with the reason
"""

import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))


def _programs() -> dict[str, str]:
    parts = (
        part
        for file in sorted((HERE / "healthy_public").glob("*.py"))
        for part in re.split(r"(?m)^# %% ", file.read_text(encoding="utf-8"))[1:]
    )
    return {name: text for name, _, text in (part.partition("\n") for part in parts)}


PROGRAMS = _programs()
# Each is a correct and harmless zero gradient. `tests/explain/README.md` lists the kinds.
NOTED: dict[str, set[tuple[str, int]]] = {
    "barlow_twins": {("MT401", 16)},
    "batchnorm_written_by_hand": {("MT401", 11)},
    "contrastive_pairs_euclidean": {("MT401", 11)},
    "instance_norm_conv_bias": {("MT401", 26)},
    "layer_norm_scalar_shift_before": {("MT401", 9)},
    "mlp_dense_bias_before_batchnorm": {("MT401", 18)},
    "preactivation_resnet_v2": {("MT401", 23)},
    "prototypical_networks": {("MT401", 13)},
    "resnet_block_subclass_fit": {("MT401", 19), ("MT401", 20), ("MT401", 21)},
    "resnet_identity_blocks_bn": {("MT401", 31)},
    "seq2seq_teacher_forcing_attention": {("MT401", 39)},
    "triplet_loss_dense_bias": {("MT401", 8)},
    "triplet_siamese_network": {("MT401", 23)},
    "unet_segmentation": {("MT401", 37)},
    "wgan_gp": {("MT401", 25)},
    "wgan_weight_clipping": {("MT401", 10)},
}
_LABELS = (
    "minitape's `binary_crossentropy` refuses labels of shape (8,) beside an output of shape (8, 1)"
)
REFUSED = {
    "mixed_precision_policy_fit": "minitape has no mixed-precision policies",
    "siamese_sentence_cosine": _LABELS,
    "wide_and_deep_columns": _LABELS,
}


def on_tensorflow(names: list[str]) -> int:
    """Run programs on TensorFlow, print what is found in each, and return the number of programs with a finding."""
    from on_tensorflow.heard import received

    from minitape.explain.explain import explain
    from minitape.trace.reading import read

    alarms = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        scripts = [folder / f"{name}.py" for name in names]
        for name, script in zip(names, scripts):
            script.write_text(PROGRAMS[name], encoding="utf-8")
        received(os.environ["MINITAPE_TENSORFLOW_PYTHON"], folder, scripts, only=True)
        for name in names:
            report = explain(read(folder / f"{name}.jsonl"))
            slugs = {
                (f.slug, f.location.line)
                for c in report.calls
                for s in c.sources
                for f in s.findings
            }
            notes = {(note.code, note.location.line) for note in report.notes}
            alarms += bool(slugs) or not report.calls
            for slug, line in sorted(slugs):
                print(f"{name}: finding {slug} on line {line}")
            for code, line in sorted(notes - NOTED.get(name, set())):
                print(f"{name}: note {code} on line {line}")
            if not report.calls:
                print(f"{name}: no gradient was requested")
    print(f"{len(names)} programs, {alarms} with a finding or without a gradient call")
    return alarms


if __name__ == "__main__":
    sys.exit(min(on_tensorflow(sys.argv[1:] or list(PROGRAMS)), 1))
