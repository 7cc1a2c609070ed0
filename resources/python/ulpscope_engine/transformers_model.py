"""Models that transformers opens."""
import copy
import glob
import hashlib
import json
import os
import re
import threading

import torch
import transformers

from .formats import PLAIN, Borders, cast_parameters
from .functions import function_at
from .refused import Refused

CHUNK = 1 << 23

transformers.utils.logging.disable_progress_bar()


def digest_of(files):
    digest = hashlib.sha256()
    for file in files:
        with open(file, "rb") as content:
            while part := content.read(CHUNK):
                digest.update(part)
    return digest.hexdigest()


def takes_dtype():
    return int(transformers.__version__.split(".")[0]) >= 5 or transformers.__version__ >= "4.56"


def merged(config, changes):
    """RFC 7396."""
    result = dict(config)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        else:
            known = result.get(key)
            result[key] = merged(known if isinstance(known, dict) else {}, value) if isinstance(value, dict) else value
    return result


class TransformersModel:
    """A causal language model, loaded anew for each way in which runs cast it."""

    has_own_loss = False

    def __init__(self, request):
        self._path, self._trusts = request["path"], request["trusts_code"]
        self._random, self._seed = request["random"], request["seed"]
        self._check_path()
        self._config = self._read_config(request["architecture"])
        self._drawn = None  # (attention, model)
        self._loaded = None  # (how, model)
        self._digest, self._digest_error = None, None
        self._digesting = threading.Thread(target=self._make_digest, daemon=True)
        self._digesting.start()

    def _check_path(self):
        if not os.path.isfile(os.path.join(self._path, "config.json")):
            raise Refused("unsupported", f"{self._path}: the Python engine opens folders with a config.json, as transformers "
                                         "writes them; `engine: native` opens GGUF files")

    def _read_config(self, changes):
        try:
            config = transformers.AutoConfig.from_pretrained(self._path, trust_remote_code=self._trusts)
        except ValueError as error:
            raise self._refusal_of(error) from error
        if changes:
            config = type(config).from_dict(merged(config.to_dict(), changes))
        return config

    def _refusal_of(self, error):
        text = str(error).strip()
        if "trust_remote_code" in text:
            return Refused("unsupported", f"{self._path}: the model comes with code of its own, which runs only where the study "
                                          "says `python.trust_code: true`; read that code first")
        return Refused("unsupported", f"{self._path}: transformers {transformers.__version__} says: {text}")

    def _make_digest(self):
        try:
            if self._random:
                identity = json.dumps({"config": self._config.to_dict(), "seed": self._seed}, sort_keys=True, default=str)
                self._digest = hashlib.sha256(identity.encode()).hexdigest()
            else:
                files = sorted(glob.glob(os.path.join(glob.escape(self._path), "*.safetensors")))
                files = files or sorted(glob.glob(os.path.join(glob.escape(self._path), "*.bin")))
                self._digest = digest_of(files)
        except OSError as error:
            self._digest_error = error

    def digest(self):
        self._digesting.join()
        if self._digest_error is not None:
            raise Refused("io", f"{self._path}: {self._digest_error}")
        return self._digest

    def prepared(self, run):
        """The model as a run computes with it."""
        how = {"dtype": run["dtype"], "cast": run["cast"], "attention": re.sub("^sdpa_.*", "sdpa", run["attention"]),
               "rules": run["rules"], "prepare": run["prepare"]}
        if self._loaded is None or self._loaded[0] != how:
            self._loaded = None  # before the next one takes memory
            self._loaded = (how, self._changed(how))
        return self._loaded[1]

    def _changed(self, how):
        dtype = getattr(torch, how["dtype"])
        if how["rules"]:
            # Modules with a format of their own round what the checkpoint holds, and not what was rounded before.
            model = self._load("float32", "load", how["attention"])
            borders = Borders(model, how["rules"], dtype)
            cast_parameters(model, dtype, but=borders.formats)
        else:
            model = self._load(how["dtype"], how["cast"], how["attention"])
        if how["prepare"]:
            changed = function_at(how["prepare"], "python.prepare")(model)
            model = changed if isinstance(changed, torch.nn.Module) else model
        return model.eval()

    def _load(self, dtype, cast, attention):
        wanted = getattr(torch, dtype)
        options = {"dtype": torch.float32 if cast == "module" else wanted, "attn_implementation": attention,
                   "trust_remote_code": self._trusts, "config": copy.deepcopy(self._config)}
        if not takes_dtype():
            options["torch_dtype"] = options.pop("dtype")
        try:
            if self._random:
                model = self._drawn_with(attention)
                cast_parameters(model, options.get("dtype", options.get("torch_dtype")))
            else:
                model = transformers.AutoModelForCausalLM.from_pretrained(self._path, **options)
        except (ValueError, ImportError) as error:
            raise self._refusal_of(error) from error
        return model.to(wanted) if cast == "module" else model

    def _drawn_with(self, attention):
        """A model as transformers draws it, which it does once as long as the attention stays."""
        if self._drawn is None or self._drawn[0] != attention:
            torch.manual_seed(self._seed)
            # A model changes the configuration that it is made of.
            self._drawn = (attention, transformers.AutoModelForCausalLM.from_config(
                copy.deepcopy(self._config), attn_implementation=attention, trust_remote_code=self._trusts))
        return copy.deepcopy(self._drawn[1])

    def describe(self):
        config = self._config.get_text_config() if hasattr(self._config, "get_text_config") else self._config
        model = self.prepared(PLAIN)
        return {"family": str(self._config.model_type),
                "layers": int(getattr(config, "num_hidden_layers", 0) or 0),
                "vocabulary": int(getattr(config, "vocab_size", 0) or 0),
                "positions": int(getattr(config, "max_position_embeddings", 0) or 0),
                "padding_token": max(padding if isinstance(padding := getattr(config, "pad_token_id", None), int) else 0, 0),
                "parameters": sum(parameter.numel() for parameter in model.parameters()),
                "class": type(model).__name__}

    def any_loss(self, model, tokens):
        """Of a pass that only shows which tensors there are."""
        return model(input_ids=tokens[:, :-1], use_cache=False).logits.float().logsumexp(-1).mean()
