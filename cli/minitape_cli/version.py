"""Which minitape this is, without importing it."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """The version of the installed package, or of the checkout that this runs from."""
    try:
        return installed("minitape")
    except PackageNotFoundError:
        import minitape

        return str(minitape.__version__)
