"""Check what a wheel and an sdist of minitape contain.

    python .ci/check_wheel.py dist

The wheel must contain every file that the installed program reads, and none that only developers need; its size has a limit.
"""

import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
MOST_BYTES = 3_000_000

PACKAGES = ("minitape", "minitape_cli")
NEEDED = (
    "minitape/py.typed",
    "minitape_cli/py.typed",
    "minitape/examples/numpy_detour.py",
    "minitape/explain/pages/MT201.md",
    "minitape/html/assets/page.html",
    "minitape/trace/trace.schema.json",
    "minitape/course/material/course.toml",
    "minitape/course/material/06_the_none_clinic/lesson.toml",
    "minitape/course/material/06_the_none_clinic/picture.svg",
)
UNWANTED = ("tests", "docs", "benchmarks", ".ci", "solutions")
IN_SDIST = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "tests/conftest.py")


def expected() -> set[str]:
    """The names in the wheel of all files of the checkout that belong into it."""
    folders = {"minitape": "minitape", "cli/minitape_cli": "minitape_cli"}
    folders["tutorials"] = "minitape/course/material"
    left_out = {"tutorials/record.py", "tutorials/README.md"}
    return {
        f"{inside}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, inside in folders.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.relative_to(ROOT).as_posix() not in left_out
    }


def faults_of_wheel(names: set[str], size: int) -> list[str]:
    """What is wrong with a wheel that contains these files and has this size in bytes."""
    files = {name for name in names if ".dist-info/" not in name}
    faults = [f"the wheel lacks {name}" for name in sorted({*NEEDED, *expected()} - files)]
    faults += [
        f"the wheel should not contain {name}"
        for name in sorted(files)
        if (parts := PurePosixPath(name).parts)[0] not in PACKAGES
        or "__pycache__" in parts
        or any(part in UNWANTED for part in parts)
    ]
    faults += [
        f"the wheel lacks {name} in its metadata"
        for name in ("METADATA", "entry_points.txt", "licenses/LICENSE")
        if not any(each.endswith(f".dist-info/{name}") for each in names)
    ]
    if size > MOST_BYTES:
        faults.append(f"the wheel has {size:,} bytes, more than {MOST_BYTES:,}")
    return faults


def faults_of_sdist(names: set[str]) -> list[str]:
    """What is wrong with an sdist that contains these files, whose names start with the folder of the version."""
    inside = {name.partition("/")[2] for name in names}
    faults = [f"the sdist lacks {name}" for name in IN_SDIST if name not in inside]
    return faults + [f"the sdist contains {name}" for name in sorted(inside) if ".git/" in name]


def main(folder: Path) -> int:
    """Print the faults of the wheel and the sdist in a folder; return the number of faults."""
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = set(archive.getnames())
    faults = faults_of_wheel(names, wheel.stat().st_size) + faults_of_sdist(in_sdist)
    for fault in faults:
        print(fault)
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size:,} bytes")
    print(f"{sdist.name}: {len(in_sdist)} files, {sdist.stat().st_size:,} bytes")
    return len(faults)


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1])), 1))
