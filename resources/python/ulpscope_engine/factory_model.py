"""Models of the user's own."""
import functools
import hashlib

import torch

from .formats import PLAIN, Borders, cast_parameters
from .functions import function_at, prepared_by, seed
from .levers import device_of, evaluated, finished, how_of, release_memory
from .refused import Refused
from .renewing import check_unused


class FactoryModel:
    """A model of the user's own: a function makes a module, and a function from tokens to a loss."""

    has_own_loss = True

    def __init__(self, request):
        self._place, self.seed, self._loaded = request["factory"], request["seed"], None
        self.plain = PLAIN | {"device": request["device"]}  # a run of which nothing is asked

    def prepared(self, run):
        how = how_of(run)
        if self._loaded is None or self._loaded[0] != how:
            check_unused()
            self._loaded = None
            release_memory()
            self._loaded = (how, *self._made(how))
        return self._loaded[1]

    def _made(self, how):
        function = function_at(self._place, "model.factory")
        seed(self.seed)
        made = function()
        if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], torch.nn.Module) and callable(made[1])):
            raise Refused("invalid argument", f"model.factory: {self._place} must return a torch.nn.Module and a function "
                                              "from a tensor of tokens to a loss")
        model, loss = made
        evaluated(model, "model.factory", self._place)
        dtype = getattr(torch, how["dtype"])
        borders = Borders(model, how["rules"], dtype) if how["rules"] else None
        cast_parameters(model, dtype, but=borders.formats if borders else ())
        if how["cast"] == "module":
            model.to(dtype)
        if how["prepare"] and prepared_by(how["prepare"], model, self.seed) is not model:
            raise Refused("invalid argument", f"python.prepare: {how['prepare']} returned another module, of which the function from tokens to "
                                              "a loss that model.factory made knows nothing; change the module that it is given")
        return finished(model.to(torch.device(how["device"])), how), loss

    def digest(self):
        digest = hashlib.sha256()
        for name, tensor in self.prepared(self.plain).state_dict().items():
            digest.update(f"{name} {list(tensor.shape)} {tensor.dtype}\n".encode())
            digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes())
        return digest.hexdigest()

    def stored(self, run):
        """Parameters as the function makes them, by name; after python.prepare those of the model."""
        model = self._loaded[1]
        if run["dtype"] not in ("float32", "float64") and not run["prepare"]:
            model = self._made(self.plain)[0]
        return dict(model.named_parameters())

    @functools.cached_property
    def facts(self):
        """What is said of the model, before any run changes it."""
        model = self.prepared(self.plain)
        tables = [module.num_embeddings for module in model.modules() if isinstance(module, torch.nn.Embedding)]
        lists = [len(module) for module in model.modules() if isinstance(module, torch.nn.ModuleList)]
        return {"family": "factory", "layers": max(lists, default=0), "vocabulary": tables[0] if tables else 0, "positions": 0,
                "parameters": sum(parameter.numel() for parameter in model.parameters()), "class": type(model).__name__}

    def loss(self, tokens):
        loss = self._loaded[2](tokens.to(device_of(self._loaded[1])))
        if not (isinstance(loss, torch.Tensor) and loss.numel() == 1):
            raise Refused("invalid argument", "model.factory: the function of the loss must return a tensor of one element")
        return loss.reshape(())

    def any_loss(self, model, tokens):
        return self.loss(tokens)
