"""The first page of a script's process: makes sure that this Python can run minitape, and brings it in.

It is run by whatever Python the user names, so it is written for old ones too; minitape need not be installed there. What it
brings in gets its own copy of Python's built-in functions: a script that puts others in their places does not reach it.
"""

import importlib.machinery
import importlib.util
import os
import sys

LEAST = (3, 10)


class Bringer:
    """Finds minitape where this page is, in any Python."""

    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.split(".")[0] != "minitape":
            return None
        folders = [os.path.dirname(cls.package)] if path is None else path
        spec = importlib.machinery.PathFinder.find_spec(name, folders)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    """Runs a module with the built-in functions as they are now."""

    functions = dict(vars(sys.modules["builtins"]))

    def exec_module(self, module):
        module.__dict__["__builtins__"] = self.functions
        super().exec_module(module)


def refuse(folder, why):
    """Tell the command why not, and end."""
    try:
        with open(os.path.join(folder, "refused"), "w") as file:
            file.write(why)
    finally:  # a full disk must not let Python go on to the script
        os._exit(1)


def main(folder):
    if sys.version_info < LEAST:
        refuse(folder, "old %d.%d" % sys.version_info[:2])
    try:
        import numpy  # noqa: F401
    except ImportError:
        refuse(folder, "numpy")
    sys.meta_path.insert(0, Bringer)
    from minitape.run.child import main as child

    return child.main(folder, refuse)


def again():
    """This page as a module of its own: `__main__` belongs to the program."""
    spec = importlib.util.spec_from_file_location("minitape_boot", os.path.abspath(__file__))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.path[0] = ""
    sys.exit(again().main(sys.argv[1]))
