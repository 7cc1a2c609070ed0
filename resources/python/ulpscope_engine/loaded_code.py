"""Which files of code of the user's a run had: what a study names, and what that imports."""
import functools
import hashlib
import importlib.machinery
import os
import site
import sys
import sysconfig

_digests = {}  # SHA-256 by path, of each file as it was when it was loaded last


def note(path, content):
    """`path` as it was named: where it leads by links may be another file tomorrow."""
    _digests[os.fsencode(os.path.abspath(path)).decode(errors="backslashreplace")] = hashlib.sha256(content).hexdigest()


def loaded_code():
    """SHA-256 of each file, by path. Without installed packages, of which versions tell."""
    return dict(_digests)


def note_of_checkpoint(folder):
    """What was loaded of the code that comes with a checkpoint, of which transformers runs copies."""
    for name, module in list(sys.modules.items()):
        if name.startswith("transformers_modules.") and getattr(module, "__file__", None):
            original = os.path.join(folder, os.path.basename(module.__file__))
            if os.path.isfile(original):
                note(original, module.__loader__.get_data(module.__file__))


@functools.cache
def _folders_of_libraries():
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    # From where it was built, or a folder on PYTHONPATH.
    folders += [os.path.dirname(os.path.dirname(sys.modules[name].__file__)) for name in ("torch", "transformers") if name in sys.modules]
    return {os.path.abspath(folder) + os.sep for folder in folders} | {os.path.realpath(folder) + os.sep for folder in folders}


def _is_of_user(path):
    if path.startswith(tuple(_folders_of_libraries())):
        return False
    made = [os.environ.get("HF_MODULES_CACHE")]
    if "transformers.dynamic_module_utils" in sys.modules:
        made.append(sys.modules["transformers.dynamic_module_utils"].HF_MODULES_CACHE)
    if "torch._inductor.runtime.cache_dir_utils" in sys.modules:
        made.append(sys.modules["torch._inductor.runtime.cache_dir_utils"].cache_dir())
    return not path.startswith(tuple(os.path.abspath(folder) + os.sep for folder in made if folder))


def _noting(get_code):
    @functools.wraps(get_code)
    def get_code_and_note(self, name):
        path = os.path.abspath(self.get_filename(name))
        if _is_of_user(path):
            note(path, self.get_data(path))
        return get_code(self, name)
    return get_code_and_note


# At the end of a run a file may be another one than the run had; and not every module is one of sys.modules.
importlib.machinery.SourceFileLoader.get_code = _noting(importlib.machinery.SourceFileLoader.get_code)
