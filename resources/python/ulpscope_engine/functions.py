"""Functions of the user's that a study names."""
import hashlib
import importlib.util
import os
import random
import sys

import torch

from . import renewing
from .refused import Refused


def function_at(place, key):
    """The function of FILE.py:FUNCTION."""
    file, _, name = place.rpartition(":")
    if not file or not name.isidentifier():
        raise Refused("invalid argument", f"{key}: '{place}' is not of the form FILE.py:FUNCTION")
    if not os.path.isfile(file):
        raise Refused("not found", f"{key}: {file}: there is no such file")
    spec = importlib.util.spec_from_file_location("ulpscope_user_" + hashlib.sha256(file.encode()).hexdigest()[:8], file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as classes that are defined there expect it
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    if not callable(getattr(module, name, None)):
        raise Refused("not found", f"{key}: {file} has no function '{name}'")
    return getattr(module, name)


def seed(number):
    """Random numbers of code of the user's are the same whatever ran before it."""
    torch.manual_seed(number)
    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number % (1 << 32))


def prepared_by(place, model, number):
    """What python.prepare makes of a model; `number` seeds what it draws."""
    function = function_at(place, "python.prepare")
    renewing.is_used = True
    seed(number)
    changed = function(model)
    if changed is None:
        return model
    if not isinstance(changed, torch.nn.Module):
        raise Refused("invalid argument", f"python.prepare: {place} returned {type(changed).__name__} {str(changed)[:80]!r}; it must change the "
                                          "model that it is given and return nothing, or return another torch.nn.Module")
    return changed
