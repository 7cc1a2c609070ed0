"""Which files of code of the user's a run had: what a study names, and what that imports."""
import functools
import hashlib
import os
import site
import sys
import sysconfig

_digests = {}  # SHA-256 by path, of each file as it was loaded


def note(file):
    """To be called once a file was loaded, which may be again, with other content."""
    path = os.path.realpath(file)
    with open(path, "rb") as content:
        _digests[os.fsencode(path).decode(errors="replace")] = hashlib.sha256(content.read()).hexdigest()


@functools.cache
def _folders_of_libraries():
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    # From where it was built, or a folder on PYTHONPATH.
    folders += [os.path.dirname(os.path.dirname(sys.modules[name].__file__)) for name in ("torch", "transformers") if name in sys.modules]
    return tuple(os.path.realpath(folder) + os.sep for folder in folders)


def loaded_code():
    """SHA-256 of each file, by path. Without installed packages, of which versions tell."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # transformers loads copies of what stands in the model's folder, and notes that.
        if not isinstance(file, str) or not file.endswith(".py") or name.partition(".")[0] in ("ulpscope_engine", "transformers_modules"):
            continue
        path = os.path.realpath(file)
        if os.fsencode(path).decode(errors="replace") not in _digests and not path.startswith(_folders_of_libraries()) and os.path.isfile(path):
            note(path)
    return dict(_digests)
