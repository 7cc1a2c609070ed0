"""Models that transformers opens."""
import copy
import functools
import glob
import hashlib
import inspect
import json
import os
import threading

import torch
import transformers

from .formats import PLAIN, Borders
from .functions import prepared_by
from .levers import attention_named, device_of, finished, how_of, options_of, placed, release_memory
from .loaded_code import note_of_checkpoint
from .quantization import Quantization, evened, without_quantization
from .refused import Refused
from .renewing import check_unused
from .watching import Names

CHUNK = 1 << 23

transformers.utils.logging.disable_progress_bar()


def digest_of(files):
    digest = hashlib.sha256()
    for file in files:
        with open(file, "rb") as content:
            while part := content.read(CHUNK):
                digest.update(part)
    return digest.hexdigest()


def kind_of(config):
    """The Auto class that makes a model that predicts tokens of a configuration."""
    if getattr(config, "is_encoder_decoder", False):
        return transformers.AutoModelForSeq2SeqLM
    with_pictures = getattr(transformers, "AutoModelForImageTextToText", None)
    known = [kind for kind in (transformers.AutoModelForCausalLM, with_pictures) if kind and type(config) in kind._model_mapping]
    return known[0] if known else transformers.AutoModelForCausalLM


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
    """A model that predicts tokens, loaded anew for each way in which runs cast it."""

    has_own_loss = False

    def __init__(self, request):
        self._path, self._trusts = request["path"], request["trusts_code"]
        self._random, self.seed = request["random"], request["seed"]
        self.plain = PLAIN | {"device": request["device"]}  # a run of which nothing is asked
        self._check_path()
        self.configuration = self._read_config(request["architecture"])
        if self._random:
            without_quantization(self.configuration)
        self.kind = kind_of(self.configuration)
        self.quantization = Quantization(self._path, self.configuration)
        if self.quantization.method:
            self.quantization.check(request["device"])
        self._drawn = None  # (attention, model)
        self._loaded = None  # (how, model)
        self._digest, self._digest_error = None, None
        self._digesting = threading.Thread(target=self._make_digest, daemon=True)
        if not request.get("is_known"):
            self._digesting.start()

    def _check_path(self):
        if not os.path.isfile(os.path.join(self._path, "config.json")):
            raise Refused("unsupported", f"model.path: {self._path}: the Python engine opens folders with a config.json, as transformers "
                                         "writes them; `engine: native` opens GGUF files")

    def _read_config(self, changes):
        try:
            config = transformers.AutoConfig.from_pretrained(self._path, trust_remote_code=self._trusts)
        except ValueError as error:
            raise self._refusal_of(error) from error
        if changes:
            # What the file has, without what the class derives from it.
            with open(os.path.join(self._path, "config.json"), encoding="utf-8") as file:
                config = type(config).from_dict(merged(json.load(file), changes))
        return config

    def _refusal_of(self, error):
        text = str(error).strip()
        quantization = getattr(self, "quantization", None)
        if isinstance(error, ImportError) and quantization is not None and quantization.method:
            return quantization.refusal_of(error)
        if "trust_remote_code" in text:
            return Refused("unsupported", f"model.path: {self._path}: the model comes with code of its own, which runs only where the study "
                                          "says `python.trust_code: true`; read that code first")
        return Refused("unsupported", f"model.path: {self._path}: transformers {transformers.__version__} says: {text}")

    def _make_digest(self):
        try:
            if self._random:
                identity = json.dumps({"config": self.configuration.to_dict(), "seed": self.seed}, sort_keys=True, default=str)
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
            raise Refused("i/o error", f"model.path: {self._path}: {self._digest_error}")
        return self._digest

    def prepared(self, run):
        """The model as a run computes with it."""
        if not self.holds(run):
            check_unused()
            self.forget()  # before the next one takes memory
            how = self._how(run)
            self._loaded = (how, self._changed(how))
        return self._loaded[1]

    @staticmethod
    def _how(run):
        return how_of(run) | {"attention": attention_named(run["attention"])}

    def holds(self, run):
        return self._loaded is not None and self._loaded[0] == self._how(run)

    def forget(self):
        self._loaded = None
        release_memory()

    def _changed(self, how):
        dtype = getattr(torch, how["dtype"])
        model = self._load(how)
        if how["rules"]:
            # Modules with a format of their own round what the checkpoint holds, and not what was rounded before.
            wide = self._load(how | {"dtype": "float32", "cast": "load"})
            Borders(model, how["rules"], dtype, dict(wide.named_parameters(remove_duplicate=False)))
        if how["prepare"]:
            model = prepared_by(how["prepare"], model, self.seed)
        return finished(model, how)

    def _load(self, how):
        wanted, attention = getattr(torch, how["dtype"]), how["attention"]
        is_cast = how["cast"] == "module"
        options = options_of(how, bool(self.quantization.method)) | {"dtype": torch.float32 if is_cast else wanted, "output_loading_info": True}
        if not takes_dtype():
            options["torch_dtype"] = options.pop("dtype")
        if attention:
            options["attn_implementation"] = attention
        try:
            if self._random:
                model, lacks = self._loaded_from(self._drawn_with(attention), options, is_changed=bool(how["prepare"] or how["rules"]))
            else:
                model, lacks = self.kind.from_pretrained(
                    self._path, config=copy.deepcopy(self.configuration), trust_remote_code=self._trusts, **options)
        except (ValueError, ImportError) as error:
            raise self._refusal_of(error) from error
        if self._trusts:
            note_of_checkpoint(self._path)
        self._check_complete(lacks)
        if self.quantization.method and not getattr(model, "is_quantized", False):
            evened(model, options.get("dtype", options.get("torch_dtype")))
        return placed(model.to(wanted) if is_cast else model, how, bool(self.quantization.method))

    def _loaded_from(self, drawn, options, is_changed):
        """A drawn model goes the way of a checkpoint, on which some models keep parameters wider. Both are the same memory where
        formats agree, unless the run may change parameters."""
        wanted = options.get("dtype", options.get("torch_dtype"))
        weights = {name: value.clone() if value.dtype == wanted and is_changed else value for name, value in drawn.state_dict().items()}
        return type(drawn).from_pretrained(None, config=copy.deepcopy(self.configuration), state_dict=weights, **options)

    def _check_complete(self, lacks):
        missing = sorted(lacks.get("missing_keys", ()))
        if missing:
            raise Refused("unsupported", f"model.path: {self._path}: the checkpoint lacks {len(missing)} tensors of the model, such as "
                                         f"{missing[0]}; transformers would draw them at random")

    def _drawn_with(self, attention):
        """A model as transformers draws it, which it does once as long as the attention stays."""
        if self._drawn is None or self._drawn[0] != attention:
            torch.manual_seed(self.seed)
            options = {"attn_implementation": attention} if attention else {}
            # A model changes the configuration that it is made of.
            self._drawn = (attention, self.kind.from_config(
                copy.deepcopy(self.configuration), trust_remote_code=self._trusts, **options))
        return self._drawn[1]

    def stored(self, run):
        """Parameters as the checkpoint holds them, by name; after python.prepare those of the model."""
        how, model = self._loaded
        if run["dtype"] not in ("float32", "float64") and not run["prepare"]:
            model = self._load(how | {"dtype": "float32", "cast": "load"})
        return dict(model.named_parameters())

    @functools.cached_property
    def facts(self):
        """What is said of the model, before any run changes it."""
        config = self.configuration.get_text_config() if hasattr(self.configuration, "get_text_config") else self.configuration
        model = self.prepared(self.plain)
        self.quantization.stays = self.quantization.stays and bool(getattr(model, "is_quantized", False))
        return {"family": str(self.configuration.model_type),
                "layers": Names(model).depth,
                "vocabulary": int(getattr(config, "vocab_size", 0) or 0),
                "positions": int(getattr(config, "max_position_embeddings", 0) or 0),
                "padding_token": max(padding if isinstance(padding := getattr(config, "pad_token_id", None), int) else 0, 0),
                "parameters": sum(parameter.numel() for parameter in model.parameters()),
                "class": type(model).__name__ + self.quantization.said()}

    def arguments(self, model, arguments):
        """What forward() of the model is given."""
        given = {name: value.to(device_of(model)) if isinstance(value, torch.Tensor) else value
                 for name, value in arguments.items()}
        if "position_ids" in given and "position_ids" not in inspect.signature(model.forward).parameters:
            if "attention_mask" not in given and not given["use_cache"]:
                raise Refused("invalid argument", f"input.documents and input.padding: {type(model).__name__} takes no positions, "
                                                  "and cannot tell documents apart")
            del given["position_ids"]
        if getattr(model.config, "is_encoder_decoder", False):
            if len(given) > 2:  # the tokens, and use_cache
                raise Refused("invalid argument", f"batch.*, input.generate, input.documents and input.padding: {type(model).__name__} has an "
                                                  "encoder, which reads all tokens at once")
            given["decoder_input_ids"] = given["input_ids"]
        return given

    def any_loss(self, model, tokens):
        """Of a pass that only shows which tensors there are."""
        given = self.arguments(model, {"input_ids": tokens[:, :-1], "use_cache": False})
        return model(**given).logits.float().logsumexp(-1).mean()
