"""Weights that are quantised: on the way by python.quantization, or in the checkpoint already."""
import copy
import json
import re

import torch

from .refused import Refused, refuse

PACKAGES = {"gptq": "gptqmodel", "awq": "gptqmodel", "quanto": "optimum-quanto", "fp8": "kernels", "mxfp4": "kernels",
            "auto-round": "auto-round"}  # behind names of methods


class Quantization:
    """How the weights of a checkpoint are quantised; `method` is empty where they are not."""

    def __init__(self, path, configuration):
        self._path = path
        fields = getattr(configuration, "quantization_config", None) or {}
        fields = fields if isinstance(fields, dict) else fields.to_dict()
        method = fields.get("quant_method", "bitsandbytes" if fields else "")
        self.method = str(getattr(method, "value", method))
        self._fields = fields
        self.stays = bool(self.method)  # false: transformers computes with what it makes of the weights, in a plain format

    def check(self, device):
        """Whether the installed packages can open the checkpoint on a device, before they try."""
        from transformers.quantizers import auto
        if not auto.AutoHfQuantizer.supports_quant_method(self._fields):
            refuse("model.path", self._path, f"the checkpoint is quantised by {self.method}, which this transformers does not "
                                             "know; install a newer one", "transformers", code="unsupported")
        try:
            quantizer = auto.AutoHfQuantizer.from_config(copy.deepcopy(self._fields), pre_quantized=True)
            quantizer.validate_environment(dtype=torch.float32, device_map={"": device}, weights_only=True)
        except (ValueError, RuntimeError, ImportError, AttributeError, TypeError) as error:
            raise self.refusal_of(error) from error

    def refusal_of(self, error):
        words = f"the checkpoint is quantised by {self.method}, and cannot be opened: {' '.join(str(error).split())}"
        package = None
        if isinstance(error, ImportError):
            package = getattr(error, "name", None) or PACKAGES.get(self.method, self.method)
        try:
            refuse("model.path", self._path, words, package, code="unsupported")
        except Refused as refused:
            return refused

    def merged(self, config):
        """What python.quantization makes of that of the checkpoint: how it is read, not how it was written."""
        from transformers.quantizers import auto
        return auto.AutoHfQuantizer.merge_quantization_configs(copy.deepcopy(self._fields), config)

    def said(self):
        """As the class of the model says it."""
        return f" ({self.method}{'' if self.stays else ', dequantised'})" if self.method else ""


def check_quantization(model, run):
    is_asked, checkpoint = bool(run["quantization"]), model.quantization
    is_quantised = is_asked or (checkpoint.method and checkpoint.stays)
    if is_quantised and (run["cast"] == "module" or run["rules"]):
        key, value = ("precision.rules", "") if run["rules"] else ("precision.cast", "module")
        if is_asked:
            refuse("python.quantization", run["quantization"], f"a quantised model cannot be cast by "
                                                               f"{': '.join(filter(None, (key, value)))}")
        refuse(key, value or "…", f"the checkpoint is quantised by {checkpoint.method}, and a quantised model cannot be cast; leave "
                                  "it out")
    if is_asked:
        check_asked(checkpoint, run)


def check_asked(checkpoint, run):
    from transformers.quantizers import auto
    text = run["quantization"]
    config = quantization_of(text)
    method = getattr(config.quant_method, "value", config.quant_method)
    kind = auto.AUTO_QUANTIZER_MAPPING.get(method)
    if not checkpoint.method and kind is not None and kind.requires_calibration:
        refuse("python.quantization", text, f"{method} quantises no weights on the way, and this checkpoint is not quantised; "
                                            "quantise it first, and give it as model.path")
    try:
        config = checkpoint.merged(config) if checkpoint.method else config
        quantizer = auto.AutoHfQuantizer.from_config(config, pre_quantized=bool(checkpoint.method))
        quantizer.validate_environment(dtype=getattr(torch, run["dtype"]), device_map=map_of(run), weights_only=True)
    except (ValueError, RuntimeError, ImportError, AttributeError) as error:
        package = PACKAGES.get(method, method) if isinstance(error, ImportError) else None
        refuse("python.quantization", text, " ".join(str(error).split()), package)


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
        refuse("python.quantization", text, str(error), PACKAGES.get(fields["quant_method"], fields["quant_method"]))
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


def without_quantization(configuration):
    """Drawn weights are not quantised, whatever the checkpoint was."""
    if hasattr(configuration, "quantization_config"):
        del configuration.quantization_config
    return configuration


def evened(model, dtype):
    """What transformers left in the format of the file beside weights that it has dequantised gets that of the run."""
    plan = model._get_dtype_plan(dtype) if hasattr(model, "_get_dtype_plan") else {}
    kept = [re.compile(name.replace("*", r"[^.]*")) for name, wanted in plan.items() if wanted != dtype]
    for name, parameter in model.named_parameters():
        if parameter.is_floating_point() and parameter.dtype != dtype and not any(each.search(name) for each in kept):
            parameter.data = parameter.data.to(dtype)
    return model
