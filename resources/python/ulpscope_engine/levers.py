"""What transformers and torch have beside formats: attention, quantisation, devices, compilation. What the installed packages
cannot do is refused before anything runs; messages begin with the key of the study."""
import contextlib
import copy
import gc
import sys
from functools import partial

import torch

from .caches import check_cache
from .formats import PLAIN
from .quantization import check_quantization, map_of, quantization_of
from .refused import refuse

# What makes a run need a model of its own.
KEYS = ("dtype", "cast", "rules", "prepare", "compile", "compile_mode", "compile_backend", "quantization", "device", "device_map", "ranks",
        "parallel", "group")
# Packages behind names of transformers.
DEVICE_MAPS = ("auto", "balanced", "balanced_low_0", "sequential")
# Programs that a run may have of each module: one for each kind of piece, and for each pass.
PROGRAMS_OF_MODULE = 64
ATTENTION_PACKAGES = {"flash_attention_2": "flash-attn", "flash_attention_3": "flash-attn-3", "flash_attention_4": "flash-attn-4"}


def how_of(run):
    how = PLAIN | {key: run[key] for key in KEYS if key in run}
    return how if how["ranks"] > 1 else how | {"parallel": "", "group": 0}


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
        check_quantization(model, run)
        check_cache(model, run)
        if run.get("ranks", 1) > 1:
            from .ranks import check_ranks
            check_ranks(model, run)


def check_device(key, name, otherwise=""):
    """`otherwise`: what is said of what is no device, in place of torch's words."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        refuse(key, name, otherwise or str(error).splitlines()[0])
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
    if name not in DEVICE_MAPS:
        check_device("python.device_map", name, f"it is no device, and none of {', '.join(DEVICE_MAPS)}")


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


# When a model is loaded.

def options_of(how, is_quantised):
    """Arguments of from_pretrained. Quantised weights are made for a device, and are not moved to another."""
    options = {}
    if how["quantization"]:
        options["quantization_config"] = quantization_of(how["quantization"])
    if how["quantization"] or how["device_map"] or is_quantised:
        options["device_map"] = map_of(how)
    if how["ranks"] > 1:
        from transformers.distributed import DistributedConfig
        options["distributed_config"] = DistributedConfig(**{"fsdp_size" if how["parallel"] == "fsdp" else "tp_size": how["ranks"]})
    return options


def placed(model, how, is_quantised=False):
    is_placed = how["quantization"] or how["device_map"] or how["ranks"] > 1 or is_quantised
    return model if is_placed else model.to(torch.device(how["device"]))


def draws_or_counts(module):
    """Whether a module computes something else where it is trained."""
    dropouts = [value for name, value in vars(module).items() if "dropout" in name and isinstance(value, float)]
    dropouts += [module.p] if isinstance(module, torch.nn.modules.dropout._DropoutNd) else []
    return any(dropouts) or isinstance(module, torch.nn.modules.batchnorm._NormBase) and module.track_running_stats


def evaluated(model, key, place):
    """A model that a function of the user's may have left as it is trained."""
    others = [name or type(module).__name__ for name, module in model.named_modules() if module.training and draws_or_counts(module)]
    notes = [f"{key}: {place} leaves the model as it is trained, where {', '.join(others[:3])}{', …' if others[3:] else ''} would "
                            "compute something else; runs are in evaluation mode (model.eval())"] if others else []
    model.ulpscope_notes = getattr(model, "ulpscope_notes", []) + notes
    return model.eval()


def finished(model, how):
    """A model that is not changed any more. torch.compile makes something else of what layers, or the whole model, compute:
    modules inside are not called any more, those around them are."""
    if how["prepare"]:
        evaluated(model, "python.prepare", how["prepare"])
    model.eval()
    model.ulpscope_compiled, model.ulpscope_backend = how["compile"], how["compile_backend"]
    # Of others nobody may ask a gradient: quantised ones, and those that python.prepare froze.
    model.ulpscope_trained = {name for name, parameter in model.named_parameters() if parameter.requires_grad}
    model.ulpscope_inner = []  # modules that are compiled
    if how["compile"]:
        from .watching import Names
        options = {"backend": how["compile_backend"]}
        if how["compile_mode"] != "default":
            options["mode"] = how["compile_mode"]
        names = Names(model)
        model.ulpscope_inner = [model] if how["compile"] == "model" else [
            module for module, name in names.modules.items() if names.is_layer(name)]
        for module in model.ulpscope_inner:
            module.forward = torch.compile(module.forward, **options)
    return model


def device_of(model):
    return next((parameter.device for parameter in model.parameters()), torch.device("cpu"))


# Around a run.

def release_memory():
    """Of what nobody holds any more: models are parts of cycles, which only the collector frees."""
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def begin_step(run):
    """CUDA graphs keep results where the next step writes; torch is told when one begins."""
    if run["compile"] and hasattr(getattr(torch, "compiler", None), "cudagraph_mark_step_begin"):
        torch.compiler.cudagraph_mark_step_begin()


@contextlib.contextmanager
def compiled_anew(model, run, notes):
    """Around a run. Modules of one class share one store of programs, so that what ran before, and the lengths that it had, would
    decide which program this run gets; and where the store is full, torch.compile runs the rest as it is, without a word. Each run
    therefore begins with an empty store that is large enough, or fails. What else ran uncompiled is added to `notes`."""
    if not run["compile"] and "torch._dynamo" not in sys.modules:
        yield
        return
    from torch._dynamo import config, exc, reset
    from torch._dynamo.utils import counters
    limit = PROGRAMS_OF_MODULE * sum(1 for _ in model.modules())
    # Each with its name in torch before 2.6, of which the oldest cannot fail there.
    settings = {("recompile_limit", "cache_size_limit"): limit, ("accumulated_recompile_limit", "accumulated_cache_size_limit"): limit,
                ("fail_on_recompile_limit_hit", "fail_on_cache_limit_hit"): True, ("suppress_errors",): False}
    patched = {next(filter(partial(hasattr, config), names), None): value for names, value in settings.items()}
    patched.pop(None, None)
    is_full = tuple(getattr(exc, name) for name in ("FailOnRecompileLimitHit", "FailOnCacheLimitHit") if hasattr(exc, name))
    reset()
    counters.clear()
    try:
        with config.patch(patched):
            yield
        notes += notes_of_compiler(run, counters) if run["compile"] else []
    except is_full:
        refuse("python.compile", run["compile"] or "none", f"one function of the model needs more than {limit} programs of torch.compile, "
               "which would run the rest uncompiled; take fewer kinds of pieces (batch.*, input.generate)", code="unsupported")
    finally:
        reset()


def notes_of_compiler(run, counters):
    """What torch.compile left as it was, in the counters of Dynamo."""
    frames, key = counters["frames"], f"python.compile: {run['compile']}"
    if not counters["stats"]["unique_graphs"]:
        return [f"{key}: torch.compile compiled nothing, and all ran as it is; TORCH_COMPILE_DISABLE=1 and TORCHDYNAMO_DISABLE=1 ask for that"]
    reasons = list(counters["graph_break"]) or (list(counters["unimplemented"]) if frames["ok"] < frames["total"] else [])
    if not reasons:
        return []
    more = f", and {len(reasons) - 1} more reasons" if len(reasons) > 1 else ""
    return [f"{key}: torch.compile left parts of the model as they are: {' '.join(reasons[0].split())[:200]}{more}"]


def gpus_of(model):
    """Those that a model lies on, of which a device map names several."""
    return sorted({tensor.device for tensors in (model.parameters(), model.buffers()) for tensor in tensors
                   if tensor.device.type == "cuda"}, key=str)


def begin_measuring(gpus):
    for device in gpus:
        torch.cuda.synchronize(device)
        torch.cuda.reset_peak_memory_stats(device)


def peak_bytes(gpus):
    """Of the devices together once their work is done, of the process on the CPU."""
    for device in gpus:
        torch.cuda.synchronize(device)
    if gpus:
        return sum(torch.cuda.max_memory_allocated(device) for device in gpus)
    with open("/proc/self/status", encoding="ascii") as status:
        return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM")), 0)
