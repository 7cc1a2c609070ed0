"""What a user can do something about."""
import sys


class Refused(Exception):
    """What a user can do something about. `code` is an error code of Ulpscope."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def import_or_refuse(name):
    try:
        return __import__(name)
    except ImportError as error:
        missing = error.name or name
        raise Refused("unsupported", f"{sys.executable} cannot import {missing} ({error}); install it with "
                                     f"`{sys.executable} -m pip install {missing}`, or name another Python with "
                                     "python.executable") from error
