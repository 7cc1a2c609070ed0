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


# name: (family, keys of the study, arguments of from_pretrained)
CASES = {
    "eager attention": ("qwen3", {"attention.implementation": "eager"}, lambda: dict(attn_implementation="eager")),
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
