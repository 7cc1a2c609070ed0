"""What a run computes in: parameters, modules with a format of their own, and what torch keeps for the whole process."""
import contextlib
import re
import sys

import torch

from .refused import Refused

NEVER_CALLED = torch.nn.ModuleList, torch.nn.ModuleDict  # lists of modules, which compute nothing

# A run of which nothing is asked.
PLAIN = {"dtype": "float32", "cast": "load", "attention": "default", "rules": [], "prepare": "", "compile": "",
         "compile_mode": "", "compile_backend": "", "quantization": "", "device": "cpu", "device_map": "",
         "ranks": 1, "parallel": "", "group": 0}


def head_of(model):
    return model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None


def cast_parameters(model, dtype, but=()):
    """Parameters are rounded, buffers stay as the model made them: what from_pretrained(dtype=…) does. Only the
    statistics of a batch norm torch reads in the format of its weight alone."""
    for module in model.modules():
        if module not in but:
            is_norm = isinstance(module, torch.nn.modules.batchnorm._NormBase) and module.weight is not None
            of_norm = module.buffers(recurse=False) if is_norm else ()
            for tensor in (*module.parameters(recurse=False), *of_norm):
                if tensor.is_floating_point():
                    tensor.data = tensor.data.to(dtype)


def cast_tensors(value, dtype):
    """What a module is given or gives, with its floating-point tensors in another format."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(cast_tensors(part, dtype) for part in value)
    if isinstance(value, list):
        return [cast_tensors(part, dtype) for part in value]
    if isinstance(value, dict):  # ModelOutput, too
        return type(value)(**{key: cast_tensors(part, dtype) for key, part in value.items()})
    return value


class Borders:
    """Modules that compute in a format of their own, with what is inside of them; what crosses a border between formats is cast.
    `wide`: their parameters as they were before `model` was cast, by name."""

    def __init__(self, model, rules, outside, wide=None):
        self.formats = self._matched(model, rules)
        self._check_shared(model)
        if wide:
            for name, parameter in model.named_parameters(remove_duplicate=False):
                if model.get_submodule(name.rpartition(".")[0]) in self.formats:
                    parameter.data = wide[name].data
        for module, dtype in self.formats.items():
            cast_parameters(module, dtype, but=set(module.modules()) - {module})
        self._cast_below(model, outside, outside)

    def _cast_below(self, module, around, outside):
        """At the borders of the modules in one that computes in `around`."""
        for child in module.children():
            inside = around if isinstance(child, NEVER_CALLED) else self.formats.get(child, outside)
            if inside != around:
                child.register_forward_pre_hook(
                    lambda _, arguments, named, inside=inside: (cast_tensors(arguments, inside), cast_tensors(named, inside)),
                    with_kwargs=True)
                child.register_forward_hook(lambda _, arguments, output: cast_tensors(output, around))
            self._cast_below(child, inside, outside)

    @staticmethod
    def _matched(model, rules):
        """Of each module that is called the format of the last rule that its path matches."""
        computing = {name: module for name, module in model.named_modules() if name and not isinstance(module, NEVER_CALLED)}
        formats = {}
        for rule in rules:
            found = [module for name, module in computing.items() if re.search(rule["match"], name)]
            if not found:
                some = ", ".join(list(computing)[:5])
                raise Refused("invalid argument", f"precision.rules: '{rule['match']}' is found in the path of no module that "
                                                  f"computes; there are {some}, …")
            formats.update(dict.fromkeys(found, getattr(torch, rule["dtype"])))
        return formats

    def _check_shared(self, model):
        owners = {}
        for name, module in model.named_modules():
            for parameter in module.parameters(recurse=False):
                owners.setdefault(parameter, []).append((name, self.formats.get(module)))
        for places in owners.values():
            if len({dtype for _, dtype in places}) > 1:
                raise Refused("invalid argument", f"precision.rules: {' and '.join(name for name, _ in places)} share their "
                                                  "weights, so that both need one format; precision.lm_head_dtype gives the "
                                                  "head its own")


@contextlib.contextmanager
def settings_of(run):
    """What torch keeps for the whole process."""
    before = torch.get_float32_matmul_precision(), torch.are_deterministic_algorithms_enabled(), torch.get_num_threads()
    tensor_cores = torch.backends.cudnn.allow_tf32  # of convolutions, where torch allows TF32 unless it is told not to
    torch.set_float32_matmul_precision(run["float32_products"])
    torch.backends.cudnn.allow_tf32 = run["float32_products"] != "highest"
    torch.use_deterministic_algorithms(run["deterministic"])
    torch.set_num_threads(run["threads"])
    try:
        with kernel_of(run["attention"]):
            yield
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.backends.cudnn.allow_tf32 = tensor_cores
        torch.use_deterministic_algorithms(before[1])
        torch.set_num_threads(before[2])


def kernel_of(attention):
    kernels = {"sdpa_math": "MATH", "sdpa_flash": "FLASH_ATTENTION", "sdpa_efficient": "EFFICIENT_ATTENTION",
               "sdpa_cudnn": "CUDNN_ATTENTION"}
    if attention not in kernels:
        return contextlib.nullcontext()
    from torch.nn.attention import SDPBackend, sdpa_kernel
    kernel = sdpa_kernel(getattr(SDPBackend, kernels[attention]))
    return repeating_keys(kernel) if attention == "sdpa_efficient" else kernel


@contextlib.contextmanager
def repeating_keys(kernel):
    """The memory-efficient kernel takes no grouped heads: transformers then repeats keys and values, as it does with a mask."""
    with kernel:
        place = sys.modules.get("transformers.integrations.sdpa_attention")
        before = getattr(place, "use_gqa_in_sdpa", None)
        if before is not None:
            place.use_gqa_in_sdpa = lambda *args, **kwargs: False
        try:
            yield
        finally:
            if before is not None:
                place.use_gqa_in_sdpa = before


def autocast_to(dtype, device):
    return torch.autocast(device.type, dtype=getattr(torch, dtype)) if dtype else contextlib.nullcontext()


@contextlib.contextmanager
def head_in(model, dtype):
    """The product with the vocabulary in a format of its own: the weights, as they were rounded, and its input are cast."""
    head = head_of(model)
    if dtype is None or head is None or head.weight.dtype == dtype:
        yield
        return
    if type(head) is not torch.nn.Linear:
        raise Refused("invalid argument", f"precision.lm_head_dtype: the head is a {type(head).__name__}, no Linear")

    def forward(hidden):
        bias = None if head.bias is None else head.bias.to(dtype)
        return torch.nn.functional.linear(hidden.to(head.weight.device, dtype), head.weight.to(dtype), bias)

    before = vars(head).get("forward")  # of a device map
    head.forward = forward
    try:
        yield
    finally:
        if before is None:
            del head.forward
        else:
            head.forward = before
