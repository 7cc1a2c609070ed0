"""What transformers and torch have beside formats: attention, quantisation, devices, compilation. What the installed packages
cannot do is refused before anything runs; messages begin with the key of the study."""
import copy
import json
import re
import sys

import torch

from .refused import Refused

# What makes a run need a model of its own.
KEYS = ("dtype", "cast", "rules", "prepare", "compile", "compile_mode", "compile_backend", "quantization", "device", "device_map")
# Packages behind names of transformers.
ATTENTION_PACKAGES = {"flash_attention_2": "flash-attn", "flash_attention_3": "flash-attn-3", "flash_attention_4": "flash-attn-4"}
QUANTIZATION_PACKAGES = {"gptq": "gptqmodel", "awq": "gptqmodel", "quanto": "optimum-quanto", "fp8": "kernels", "mxfp4": "kernels",
                         "auto-round": "auto-round"}


def how_of(run):
    return {key: run[key] for key in KEYS}


def refuse(key, value, why, package=None):
    asked = re.search(r"pip install (?:-U |--upgrade )?([\w.=<>~-]+)", why)  # what transformers itself advises
    package = package and (asked.group(1) if asked else package)
    remedy = f"; install it with `{sys.executable} -m pip install '{package}'`" if package else ""
    raise Refused("invalid_argument", f"{key}: {value}: {why}{remedy}")


def attention_named(attention):
    """What transformers calls it; empty: what the model takes by default."""
    return "" if attention == "default" else "sdpa" if attention.startswith("sdpa_") else attention


# Before anything runs.

def check(model, run):
    """Refuses what the packages or the machine cannot do."""
    check_device("python.device", run["device"])
    check_compiler(run)
    if run["device_map"]:
        check_device_map(run["device_map"])
    if hasattr(model, "configuration"):
        check_attention(model, run["attention"])
        if run["quantization"]:
            check_quantization(model, run)


def check_device(key, name):
    try:
        device = torch.device(name)
    except RuntimeError as error:
        refuse(key, name, str(error).splitlines()[0])
    if device.type == "cuda":
        if not torch.cuda.is_available():
            why = "finds no GPU" if torch.version.cuda or torch.version.hip else "is built without CUDA"
            refuse(key, name, f"torch {torch.__version__} of {sys.executable} {why}; say `{key}: cpu`")
        if (device.index or 0) >= torch.cuda.device_count():
            refuse(key, name, f"torch finds {torch.cuda.device_count()} GPUs")
    elif device.type != "cpu":
        try:
            torch.zeros(1, device=device).cpu()
        except Exception as error:  # whatever a back end says
            refuse(key, name, str(error).strip().splitlines()[0])


def check_device_map(name):
    try:
        import accelerate  # noqa: F401
    except ImportError:
        refuse("python.device_map", name, "needs the package accelerate, which is not there", "accelerate")


def check_compiler(run):
    if not run["compile"]:
        return
    backend, known = run["compile_backend"], torch._dynamo.list_backends(exclude_tags=())
    if backend not in known:
        refuse("python.compile_backend", backend, f"torch {torch.__version__} has {', '.join(known)}")
    if backend != "inductor":
        if run["compile_mode"] != "default":
            refuse("python.compile_mode", run["compile_mode"], "is a mode of python.compile_backend: inductor")
        return
    if torch.device(run["device"]).type != "cpu":
        return
    from torch._inductor import cpp_builder, exc
    try:
        cpp_builder.get_cpp_compiler()
    except exc.InvalidCxxCompiler:
        refuse("python.compile", run["compile"], "torch.compile needs a C++ compiler on the CPU, and finds none; install g++, or "
                                                 "name one in the environment variable CXX")


def check_attention(model, attention):
    name = attention_named(attention)
    if name in ("", "eager"):
        return
    try:
        with torch.device("meta"):
            model.kind.from_config(copy.deepcopy(model.configuration), attn_implementation=name)
    except (ValueError, ImportError) as error:
        words = " ".join(str(error).split())
        package = "kernels" if "/" in name and "kernels" in words else ATTENTION_PACKAGES.get(name)
        refuse("attention.implementation", attention, words, package if isinstance(error, ImportError) else None)


def check_quantization(model, run):
    if run["cast"] == "module" or run["rules"]:
        other = "precision.rules" if run["rules"] else "precision.cast: module"
        refuse("python.quantization", run["quantization"], f"a quantised model cannot be cast by {other}")
    from transformers.quantizers import auto
    config = quantization_of(run["quantization"])
    method = getattr(config.quant_method, "value", config.quant_method)
    is_quantised = hasattr(model.configuration, "quantization_config")
    kind = auto.AUTO_QUANTIZER_MAPPING.get(method)
    if not is_quantised and kind is not None and kind.requires_calibration:
        refuse("python.quantization", run["quantization"], f"{method} quantises no weights on the way, and this checkpoint is not "
                                                           "quantised; quantise it first, and give it as model.path")
    try:
        quantizer = auto.AutoHfQuantizer.from_config(config, pre_quantized=is_quantised)
        quantizer.validate_environment(dtype=getattr(torch, run["dtype"]), device_map=map_of(run), weights_only=True)
    except (ValueError, RuntimeError, ImportError, AttributeError) as error:
        package = QUANTIZATION_PACKAGES.get(method, method) if isinstance(error, ImportError) else None
        refuse("python.quantization", run["quantization"], " ".join(str(error).split()), package)


def quantization_of(text):
    """The quantisation that a study writes as a map, as an object of transformers."""
    from transformers.quantizers import auto
    fields = json.loads(text)
    try:
        if fields.get("quant_method") == "torchao" and isinstance(fields.get("quant_type"), str):
            fields["quant_type"] = type_of_torchao(fields["quant_type"], fields.pop("quant_type_kwargs", {}))
            from transformers import TorchAoConfig
            return TorchAoConfig(**{key: value for key, value in fields.items() if key != "quant_method"})
        return auto.AutoQuantizationConfig.from_dict(fields)
    except ImportError as error:
        refuse("python.quantization", text, str(error), QUANTIZATION_PACKAGES.get(fields["quant_method"], fields["quant_method"]))
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        refuse("python.quantization", text, f"transformers says: {error}")


def type_of_torchao(name, arguments):
    """An object of a class of torchao.quantization by its name."""
    from torchao import quantization
    kind = getattr(quantization, name, None)
    if kind is None:
        known = sorted(each for each in dir(quantization) if each.endswith("Config") and "Base" not in each)
        raise ValueError(f"torchao.quantization has no '{name}'; it has {', '.join(known)}")
    return kind(**arguments)


# When a model is loaded.

def map_of(run):
    return run["device_map"] or {"": run["device"]}


def options_of(how):
    """Arguments of from_pretrained."""
    options = {}
    if how["quantization"]:
        options["quantization_config"] = quantization_of(how["quantization"])
    if how["quantization"] or how["device_map"]:
        options["device_map"] = map_of(how)
    return options


def placed(model, how):
    return model if how["quantization"] or how["device_map"] else model.to(torch.device(how["device"]))


def finished(model, how):
    """A model that is not changed any more. torch.compile makes something else of what layers, or the whole model, compute:
    modules inside are not called any more, those around them are."""
    model.eval()
    model.ulpscope_compiled = how["compile"]
    # Of others nobody may ask a gradient: quantised ones, and those that python.prepare froze.
    model.ulpscope_trained = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    if how["compile"]:
        from .watching import Names
        options = {"backend": how["compile_backend"]}
        if how["compile_mode"] != "default":
            options["mode"] = how["compile_mode"]
        torch._dynamo.reset()
        names = Names(model)
        inner = [model] if how["compile"] == "model" else [each for each, name in names.modules.items() if names.is_layer(name)]
        for module in inner:
            module.forward = torch.compile(module.forward, **options)
    return model


def device_of(model):
    return next((parameter.device for parameter in model.parameters()), torch.device("cpu"))


# Around a run.

def begin_measuring(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        torch.cuda.reset_peak_memory_stats(device)


def peak_bytes(device):
    """Of the device once its work is done, of the process on the CPU."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        return torch.cuda.max_memory_allocated(device)
    with open("/proc/self/status", encoding="ascii") as status:
        return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM")), 0)
