"""The programs of the slides: those in `programs/`, and variants of some of them with one mistake."""

from pathlib import Path

_PROGRAMS = Path(__file__).with_name("programs")

# Each is a program with some lines replaced.
_BROKEN = {
    "transformer_numpy": (
        "transformer",
        {
            "    return x + mlp(layer_norm(x, gamma2))\n": (
                "    h = layer_norm(x, gamma2).numpy()\n    return x + mlp(h)\n"
            )
        },
    ),
    "transformer_nan": ("transformer", {"tf.sqrt(var + 1e-5)": "tf.sqrt(var * 0.0)"}),
    "vae_numpy": (
        "vae",
        {
            "    z = model.sample(mean, logvar)\n": (
                "    z = tf.constant(model.sample(mean, logvar).numpy())\n"
            ),
            "    kl = ": "    logvar = tf.stop_gradient(logvar)\n    kl = ",
        },
    ),
    "unet_cast": (
        "unet",
        {
            "    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))\n": (
                "    pred = tf.cast(logits > 0, tf.float32)\n"
                "    loss = tf.reduce_mean((pred - y) ** 2)\n"
            )
        },
    ),
}
NAMES = sorted([*(path.stem for path in _PROGRAMS.glob("*.py")), *_BROKEN])


def program(name: str, folder: Path) -> Path:
    """Return the file of a program; a variant with a mistake is written to a folder."""
    if name not in _BROKEN:
        return _PROGRAMS / f"{name}.py"
    healthy, replaced = _BROKEN[name]
    text = (_PROGRAMS / f"{healthy}.py").read_text(encoding="utf-8")
    for old, new in replaced.items():
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path
