"""The first module of a script's process. It checks that this Python can run minitape, and imports minitape.

Any Python interpreter that the user names runs this module, so its syntax is valid in old versions too. minitape need not be
installed for that interpreter. The modules that it imports get their own copy of Python's built-in functions, so that a script
that replaces these functions does not affect minitape.
"""

import importlib.machinery
import importlib.util
import os
import sys

LEAST = (3, 10)


class Bringer:
    """Finds minitape in the folder of this module, in any Python."""

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
    """Runs a module with a copy of the built-in functions, so that later replacements by the script do not affect it."""

    functions = dict(vars(sys.modules["builtins"]))

    def exec_module(self, module):
        module.__dict__["__builtins__"] = self.functions
        super().exec_module(module)


def refuse(folder, why):
    """Report to the command why this Python cannot run minitape, and exit."""
    try:
        with open(os.path.join(folder, "refused"), "w") as file:
            file.write(why)
    finally:  # Python must not continue to the script, even if the disk is full
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
    """Return this file as a separate module, because `__main__` belongs to the program."""
    spec = importlib.util.spec_from_file_location("minitape_boot", os.path.abspath(__file__))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.path[0] = ""
    sys.exit(again().main(sys.argv[1]))
