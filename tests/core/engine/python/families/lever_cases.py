"""Levers of the Python engine, of a variant of a family in bfloat16: what the study says, and what a script says to
from_pretrained."""


def bitsandbytes(**fields):
    from transformers import BitsAndBytesConfig

    return dict(quantization_config=BitsAndBytesConfig(**fields), device_map={"": "cpu"})


def torchao():
    from torchao.quantization import Int8WeightOnlyConfig
    from transformers import TorchAoConfig

    return dict(quantization_config=TorchAoConfig(Int8WeightOnlyConfig()), device_map={"": "cpu"})


def quantization(method, **fields):
    return {"python.quantization": {"quant_method": method} | fields}


def checkpoint(quantise, family="qwen3", dequantised=False):
    """Of a checkpoint that is quantised; `dequantised`: transformers leaves the other tensors of the reference in bfloat16."""
    return dict(family=family, keys={}, options=dict, quantise=quantise, widens_reference=dequantised)


CHECKPOINTS = {
    "checkpoint, GPTQ": checkpoint("gptq"),
    "checkpoint, AWQ": checkpoint("awq"),
    "checkpoint, compressed-tensors, 4 bits": checkpoint("four_bits_packed"),
    "checkpoint, compressed-tensors, 8 bits with activations": checkpoint("eight_bits_with_activations"),
    "checkpoint, compressed-tensors, fp8 with activations": checkpoint("eight_bit_floats"),
    "checkpoint, fp8": checkpoint("fp8", dequantised=True),
    "checkpoint, mxfp4": checkpoint("mxfp4", "gpt_oss"),
}
def hqq_cache(model, _):
    from transformers import QuantizedCache

    return QuantizedCache("hqq", model.config, nbits=4, axis_key=1, axis_value=1, q_group_size=16)


def static_cache(model, width):
    from transformers import StaticCache

    return StaticCache(config=model.config, max_cache_len=width)


DECODING = {"input.generate": 4, "capture.backward": False}
HQQ = {"backend": "hqq", "nbits": 4, "axis_key": 1, "axis_value": 1, "q_group_size": 16}
# Caches of a variant that decodes.
CACHES = {
    "cache, HQQ": dict(family="qwen3", keys={"python.cache": HQQ}, options=dict, study=DECODING, cache=hqq_cache),
    "cache, static": dict(
        family="gemma3_text", keys={"python.cache": {"implementation": "static"}}, options=dict, study=DECODING, cache=static_cache
    ),
}
# Of studies of these: (keys of the variant, what is said, behind the place in the file).
REFUSALS = {
    "checkpoint, compressed-tensors, 4 bits": (
        {"precision.cast": "module"},
        "precision.cast: module: the checkpoint is quantised by compressed-tensors, and a quantised model cannot be cast",
    ),
    "checkpoint, fp8": (
        {"python.quantization": {"quant_method": "awq"}},
        "The model is quantized with FineGrainedFP8Config but you are passing a AwqConfig config",
    ),
}
HUB_KERNEL = "kernels-community/plain-attention"  # families_oracle.py says that hub_kernel/ is what the hub has there
# name: (family, keys of the study, arguments of from_pretrained)
CASES = {
    "eager attention": ("qwen3", {"attention.implementation": "eager"}, lambda: dict(attn_implementation="eager")),
    "a kernel of the hub": ("qwen3", {"attention.implementation": HUB_KERNEL}, lambda: dict(attn_implementation=HUB_KERNEL)),
    "bitsandbytes, 8 bits": (
        "qwen3",
        quantization("bitsandbytes", load_in_8bit=True),
        lambda: bitsandbytes(load_in_8bit=True),
    ),
    "bitsandbytes, 4 bits": (
        "qwen3",
        quantization("bitsandbytes", load_in_4bit=True, bnb_4bit_quant_type="nf4"),
        lambda: bitsandbytes(load_in_4bit=True, bnb_4bit_quant_type="nf4"),
    ),
    "torchao": ("qwen3", quantization("torchao", quant_type="Int8WeightOnlyConfig"), torchao),
    "a map of devices": ("mixtral", {"python.device_map": "auto"}, lambda: dict(device_map="auto")),
}
