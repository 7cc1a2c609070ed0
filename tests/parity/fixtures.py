"""Modules of the fixtures, which live outside of the repository ($ULP_FIXTURES)."""

import importlib.util
import os


def load(folder, name):
    """NAME.py of a folder of the fixtures, or None where they are absent."""
    path = os.path.join(os.environ.get("ULP_FIXTURES", ""), folder, name + ".py")
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def family_oracle():
    """Patches of transformers for fp32 residual, fp32 head and float64."""
    return load("families", "oracle")


def fast_llm_reference():
    """The executable specification of Fast-LLM's arithmetic."""
    return load("fastllm", "fast_llm_reference")
