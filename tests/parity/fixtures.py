"""Modules of tests/fixtures."""

import importlib.util
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "fixtures"


def load(folder, name):
    """NAME.py of a folder of the fixtures."""
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", FOLDER / folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def family_oracle():
    """Patches of transformers for fp32 residual, fp32 head and float64."""
    return load("families", "oracle")


def fast_llm_reference():
    """The executable specification of Fast-LLM's arithmetic."""
    return load("fastllm", "fast_llm_reference")
