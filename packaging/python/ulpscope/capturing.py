"""Puts what Python holds into files that ulpscope-cli compares: dicts of tensors, and modules by the recorder."""
from __future__ import annotations

import collections.abc
import copy
import importlib
import importlib.util
import pathlib
import sys
import typing

from . import safetensors_file
from .elements import Elements
from .errors import BadInput, optional


def is_module(value: typing.Any) -> bool:
    """Tells whether it is a torch.nn.Module, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.nn.Module)


def elements_of(value: typing.Any, where: str) -> dict[str, Elements]:
    """Takes the tensors of nested dicts and lists, called by their path: "layers.0.weight". Leaves out None."""
    found: dict[str, Elements] = {}

    def take(part: typing.Any, path: str) -> None:
        if isinstance(part, collections.abc.Mapping):
            items: typing.Iterable[tuple[typing.Any, typing.Any]] = part.items()
        elif isinstance(part, (list, tuple)):
            items = enumerate(part)
        elif part is None:
            return
        else:
            if path in found:
                raise BadInput(f"{where}: two tensors are called '{path}'; rename one")
            found[path] = Elements.of(part, f"{where}: '{path}'")
            return
        for key, inner in items:
            take(inner, f"{path}.{key}" if path else str(key))
    take(value, "")
    if not found:
        raise BadInput(f"{where}: holds no tensor")
    return found


def write_dict(value: typing.Any, folder: pathlib.Path) -> None:
    """Writes a dict of tensors as `tensors.safetensors`."""
    found = elements_of(value, folder.name)
    folder.mkdir()
    safetensors_file.write_tensors(folder / "tensors.safetensors", found)


def recorder() -> typing.Any:
    """Imports the recorder: of the wheel, or of the checkout that this package lies in."""
    if importlib.util.find_spec("ulpscope.recorder") is not None:
        return importlib.import_module("ulpscope.recorder")
    path = pathlib.Path(__file__).resolve().parents[3] / "resources" / "python" / "ulpscope_recorder.py"
    if "ulpscope_recorder" not in sys.modules:
        optional("torch", "recording a module")
        spec = importlib.util.spec_from_file_location("ulpscope_recorder", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path}: no recorder; install the package anew")
        module = importlib.util.module_from_spec(spec)
        sys.modules["ulpscope_recorder"] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules["ulpscope_recorder"]
            raise
    return sys.modules["ulpscope_recorder"]


def record_module(module: typing.Any, folder: pathlib.Path, batch: typing.Any, backward: bool,
                  loss: typing.Callable[[typing.Any], typing.Any] | None, options: dict[str, typing.Any],
                  is_whole: bool) -> None:
    """Runs a module on a batch, and back where something has a gradient, and records every module below it, and with
    `is_whole` what it reads and returns itself, as `module`.

    Its gradients and buffers, and torch's random numbers, are afterwards what they were before."""
    import torch
    if batch is None:
        raise BadInput("two modules are compared on a batch: compare(a, b, batch)")
    kept = [(parameter, parameter.grad) for parameter in module.parameters()]
    put_back = _keep_buffers(module, torch)
    called, seen = module, module
    if is_whole:
        called = _around(module, torch)
        seen = {"": module, _name_of_whole(module): called}
    elif not any(True for _ in module.children()):
        seen = {"module": module}  # without children it records itself
    with torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []):
        torch.manual_seed(0)
        for parameter, _ in kept:
            parameter.grad = None
        try:
            with (recorder().Recorder(seen, folder, backward=backward, **options) as recording,
                  torch.set_grad_enabled(backward)):
                arguments, named = _arguments(_fitting(batch, module, torch))
                output = called(*arguments, **named)
                value = _loss_of(output, loss, torch)
                if backward and value is not None and value.requires_grad:
                    value.backward()
        finally:
            for parameter, gradient in kept:
                parameter.grad = gradient
            put_back()
    name = f"{folder.name}: {type(module).__name__}"
    if is_whole and not any(isinstance(leaf, torch.Tensor) for _, leaf in recorder()._leaves((output,))):
        raise BadInput(f"{name} returns {type(output).__name__}, in which no tensor is found; wrap it in a module that "
                       "returns tensors, or tuples, dicts or dataclasses of them")
    if not recording.tensors:
        raise BadInput(f"{name}: nothing was recorded: no chosen module ran where hooks see it (not inside of what "
                       "torch.compile or torch.jit compiled); compare the modules that were compiled")


def _around(module: typing.Any, torch: typing.Any) -> typing.Any:
    """Makes a module that calls this one and has its own parameters: the recorder sees what is below a module."""
    class Whole(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, *arguments: typing.Any, **named: typing.Any) -> typing.Any:
            return module(*arguments, **named)
    whole = Whole()
    for name, parameter in module.named_parameters(recurse=False):
        if isinstance(parameter, torch.nn.Parameter):
            whole.register_parameter(name, parameter)
    return whole


def _name_of_whole(module: typing.Any) -> str:
    names = {name.split(".")[0] for name, _ in recorder()._names(module)}
    name = "module"
    while name in names:
        name += "_"
    return name


def _keep_buffers(module: typing.Any, torch: typing.Any) -> typing.Callable[[], None]:
    """Returns a function that gives a module and those below it the buffers and elements that they have now."""
    held = [(owner._buffers, dict(owner._buffers)) for owner in module.modules()
            if not isinstance(owner, torch.jit.ScriptModule)]
    elements = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]

    def bits(tensor: typing.Any) -> typing.Any:
        return torch.empty(tensor.numel(), dtype=tensor.dtype).copy_(tensor.detach().reshape(-1)).view(torch.uint8)

    def put_back() -> None:
        for buffers, before in held:
            buffers.clear()
            buffers.update(before)
        with torch.no_grad():
            for buffer, before in elements:
                # Into one that is the same nothing is written: elements of expanded ones share their places.
                is_plain = (type(buffer) is torch.Tensor and buffer.layout is torch.strided and not buffer.is_quantized and
                            buffer.device.type != "meta")
                if not is_plain or not torch.equal(bits(buffer), bits(before)):
                    buffer.copy_(before)
    return put_back


def _arguments(batch: typing.Any) -> tuple[tuple[typing.Any, ...], dict[str, typing.Any]]:
    if isinstance(batch, collections.abc.Mapping):
        return (), dict(batch)
    return (tuple(batch), {}) if isinstance(batch, (list, tuple)) else ((batch,), {})


def _fitting(batch: typing.Any, module: typing.Any, torch: typing.Any) -> typing.Any:
    """Copies a batch to the module's device, and its floating-point tensors to the module's type. What else is in it
    (a cache of keys) is copied as it is."""
    first = next((p for p in module.parameters() if p.is_floating_point()), None)
    if isinstance(batch, collections.abc.Mapping):
        return {key: _fitting(value, module, torch) for key, value in batch.items()}
    if isinstance(batch, (list, tuple)):
        parts = [_fitting(value, module, torch) for value in batch]
        return type(batch)(*parts) if hasattr(batch, "_fields") else type(batch)(parts)
    if not isinstance(batch, torch.Tensor):
        try:
            return copy.deepcopy(batch)
        except Exception:  # a generator, a lock: whatever has no copy is shared
            return batch
    copied = batch.detach().clone()
    if first is not None:
        copied = copied.to(first.device, first.dtype if copied.is_floating_point() else copied.dtype)
    return copied.requires_grad_(batch.requires_grad)


def _loss_of(output: typing.Any, loss: typing.Callable[[typing.Any], typing.Any] | None, torch: typing.Any) -> typing.Any:
    """Returns the scalar that is differentiated: loss(output), output.loss, else the sum of the first tensor of it,
    whose gradient is one everywhere, so that backward errors are made in the backward pass alone."""
    if loss is not None:
        return loss(output)
    own = getattr(output, "loss", None)
    if isinstance(own, torch.Tensor):
        return own
    todo = [output]
    while todo:
        part = todo.pop(0)
        if isinstance(part, torch.Tensor) and part.is_floating_point():
            return part.sum()
        if isinstance(part, collections.abc.Mapping):
            todo = [*part.values(), *todo]
        elif isinstance(part, (list, tuple)):
            todo = [*part, *todo]
    return None
