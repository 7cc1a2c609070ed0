"""What a user can do something about."""
import re
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


def refuse(key, value, why, package=None, code="invalid argument"):
    """Of a setting of the study, by its key. `package`: what is missing, unless the words say it themselves."""
    asked = re.search(r"pip install (?:-U |--upgrade )?([\w.=<>~-]+)", why)  # what transformers itself advises
    package = package and (asked.group(1) if asked else package)
    remedy = f"; install it with `{sys.executable} -m pip install '{package}'`" if package else ""
    raise Refused(code, f"{key}: {value}: {why}{remedy}")
