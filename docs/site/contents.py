"""The order of the site: its sections, and the file of the repository that each page is made from."""

# For each section: its title, and its pages as (title or None for the page's own heading, path in the site, path in the
# repository).
# Pages without a file of their own are written by generate.py.
Page = tuple[str | None, str, str]

SECTIONS: dict[str, tuple[Page, ...]] = {
    "Tutorials": (
        (None, "tutorial/tour.md", "docs/tour.md"),
        (None, "tutorial/students.md", "docs/students.md"),
        ("The course", "lessons/index.md", "tutorials/README.md"),
    ),
    "How-to guides": (
        (None, "howto/tensorflow.md", "docs/tensorflow.md"),
        (None, "howto/asking.md", "docs/asking.md"),
        (None, "howto/notebooks.md", "docs/notebooks.md"),
        (None, "howto/editors.md", "docs/editors.md"),
        (None, "howto/debugger.md", "docs/debugger.md"),
        (None, "howto/teachers.md", "docs/teachers.md"),
        (None, "howto/course.md", "docs/course.md"),
        (None, "howto/faq.md", "docs/faq.md"),
    ),
    "Reference": (
        (None, "reference/commands.md", "docs/commands.md"),
        ("Codes", "codes/index.md", "docs/codes.md"),
        (None, "reference/causes.md", "docs/causes.md"),
        (None, "reference/ops.md", "docs/ops.md"),
        (None, "reference/names.md", "docs/names.md"),
        (None, "reference/data.md", "docs/data.md"),
        (None, "reference/explain-json.md", "docs/explain-json.md"),
        (None, "reference/trace-format.md", "docs/trace-format.md"),
        (None, "reference/limits.md", "docs/limits.md"),
        (None, "reference/glossary.md", "docs/glossary.md"),
    ),
    "Explanation": (
        (None, "explanation/design.md", "docs/design.md"),
        (None, "explanation/reading.md", "docs/reading.md"),
        ("Where to change what", "explanation/where.md", "minitape/README.md"),
        (None, "explanation/audit.md", "docs/audit.md"),
        (None, "explanation/tests.md", "docs/tests.md"),
        ("Benchmarks", "explanation/benchmarks.md", "benchmarks/README.md"),
        (None, "explanation/dependencies.md", "docs/dependencies.md"),
    ),
    "Gallery": (
        ("Pictures", "gallery/pictures.md", "docs/gallery.md"),
        ("Screenshots", "gallery/screenshots.md", "docs/gallery/README.md"),
    ),
    "Project": (
        (None, "project/changelog.md", "CHANGELOG.md"),
        (None, "project/contributing.md", "CONTRIBUTING.md"),
        (None, "project/security.md", "SECURITY.md"),
        (None, "project/conduct.md", "CODE_OF_CONDUCT.md"),
    ),
}

# How much a page counts in the search, by the start of its path; 1 if it is not listed. Who searches for a symptom wants its code
# or a how-to guide, not the decisions and packages that mention it in passing.
BOOSTS: dict[str, float] = {
    "codes/MT": 4,
    "howto/": 3,
    "tutorial/": 3,
    "lessons/": 2,
    "explanation/": 0.5,
    "packages/": 0.4,
    "decisions/": 0.3,
    "api/": 0.5,
    "project/": 0.4,
}

# The API: for each page its title and the modules whose public names it lists.
API: dict[str, tuple[str, ...]] = {
    "Tapes and gradients": (
        "minitape.autodiff.gradient_tape",
        "minitape.autodiff.forward",
        "minitape.autodiff.custom",
    ),
    "Tensors and variables": ("minitape.core.tensor", "minitape.core.variable"),
    "Debugging": ("minitape.debug",),
    "Math": ("minitape.math",),
    "Linear algebra": ("minitape.linalg",),
    "Neural networks": ("minitape.nn",),
    "Images": ("minitape.image",),
    "Signals": ("minitape.signal",),
    "Random numbers": ("minitape.random",),
    "Keras layers": ("minitape.keras.layers",),
    "Keras losses": ("minitape.keras.losses",),
    "Keras metrics": ("minitape.keras.metrics",),
    "Keras optimizers": ("minitape.keras.optimizers",),
    "Data": ("minitape.data",),
    "Traces": ("minitape.trace.trace", "minitape.trace.reading"),
    "Errors": ("minitape.errors",),
}
