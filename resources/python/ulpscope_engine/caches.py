"""What keeps the keys and values of earlier pieces."""
import inspect
import json

import torch

from .refused import Refused, refuse

PACKAGES = {"quanto": "optimum-quanto", "hqq": "hqq"}  # behind backends


class ThroughCache(torch.autograd.Function):
    """What a cache of another format makes of keys and values; the gradient passes as if it were not rounded."""

    @staticmethod
    def forward(_, tensor, dtype):
        return tensor.to(dtype).to(tensor.dtype)

    @staticmethod
    def backward(_, gradient):
        return gradient, None


def cache_of(model, dtype, asked, width):
    """{argument: an empty cache} of keys and values, as generate() makes it. `dtype`: what they are rounded to; `asked`:
    python.cache, empty where nothing is; `width`: positions in all."""
    takes = inspect.signature(model.forward).parameters
    name = next((name for name in ("past_key_values", "cache_params") if name in takes), None)
    if name is None:
        raise Refused("invalid argument", f"{type(model).__name__} takes no cache, which batch.chunk_length and input.generate "
                                          "need")
    return {name: asked_cache(asked, model.config, width) if asked else dynamic_cache(model.config, dtype)}


def dynamic_cache(config, dtype):
    from transformers import DynamicCache

    class RoundingCache(DynamicCache):
        def update(self, key_states, value_states, *arguments, **named):
            return super().update(ThroughCache.apply(key_states, dtype), ThroughCache.apply(value_states, dtype), *arguments,
                                  **named)

    kind = DynamicCache if dtype is None else RoundingCache
    takes_config = "config" in inspect.signature(DynamicCache.__init__).parameters
    return kind(config=config) if takes_config else kind()


def asked_cache(text, config, width):
    fields = json.loads(text)
    implementation = fields.pop("implementation", "quantized")
    try:
        if implementation == "static":
            from transformers import StaticCache
            return StaticCache(config=config, max_cache_len=width, **fields)
        if implementation != "quantized":
            raise ValueError(f"implementation is quantized or static, and not {implementation}")
        from transformers import QuantizedCache
        return QuantizedCache(config=config, **fields)
    except ImportError as error:
        refuse("python.cache", text, " ".join(str(error).split()), PACKAGES.get(fields.get("backend"), "transformers"))
    except (ValueError, TypeError) as error:
        refuse("python.cache", text, f"transformers says: {error}")


def check_cache(model, run):
    """Whether the installed packages have what python.cache asks for."""
    if run["cache"]:
        asked_cache(run["cache"], model.configuration, 1)
