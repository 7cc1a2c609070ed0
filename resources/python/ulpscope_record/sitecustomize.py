"""Python runs this file when it starts, as `ulpscope-cli record` put its folder first into PYTHONPATH. Once the program
imports torch, recording begins (ulpscope_record.py). A sitecustomize of the program's own runs as ever."""
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _WhenTorchIsImported:
    """Finds torch as others do, and begins to record when it is there."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(cls)
        spec = importlib.util.find_spec(name)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def execute_and_record(module):
                execute(module)
                _load("_ulpscope_recorder", os.path.join(_HERE, "ulpscope_recorder.py"))
                _load("_ulpscope_record", os.path.join(_HERE, "ulpscope_record.py")).install()

            spec.loader.exec_module = execute_and_record
        return spec


def _run_the_programs_own():
    """The sitecustomize that Python would have run without this one."""
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


if os.environ.get("ULPSCOPE_RECORD"):
    sys.meta_path.insert(0, _WhenTorchIsImported)
_run_the_programs_own()
