"""A step of a model, and what is wanted of it."""
import time

import torch

from .formats import PLAIN, autocast_to, head_in, settings_of
from .watching import Names, Observation, parameter_site

DRY_RUN_TOKENS = 16


def sites_of(model):
    """Every tensor that a run can show, in the order of a pass over a few tokens; and those of parameters."""
    module, sites = model.prepared(PLAIN), []
    names = Names(module)
    observation = Observation(module, names, lambda site: True, lambda site, tensor: sites.append(site), True)
    try:
        tokens = torch.arange(DRY_RUN_TOKENS + 1)[None] % max(1, model.describe()["vocabulary"])
        loss = model.any_loss(module, tokens)
        sites.append({"name": "loss", "module": "", "layer": -1, "level": "layer", "pass": "forward"})
        loss.backward()
    finally:
        observation.close()
        module.zero_grad(set_to_none=True)
    listed = {(site["name"], site["pass"]): site for site in reversed(sites)}
    return list(reversed(listed.values())), [parameter_site(names, name) for name, _ in module.named_parameters()]


class Run:
    """One step: its micro-batches forward and backward, and what is wanted of it."""

    def __init__(self, channel, memory, model, request, sites, parameters):
        self._channel, self._memory, self._model, self._request = channel, memory, model, request
        everything = sites + parameters
        self._numbers = {(everything[n]["name"], everything[n]["pass"]): n for n in request["wants"]}
        self._parameters = {site["name"] for site in parameters if (site["name"], "parameter_gradient") in self._numbers}
        self._shown = 0.0  # seconds in which tensors were handed over

    def _wants(self, site):
        return (site["name"], site["pass"]) in self._numbers

    def _show(self, site, tensor):
        begin = time.perf_counter()
        self._channel.send(capture=self._numbers[site["name"], site["pass"]], **self._placed(tensor))
        self._shown += time.perf_counter() - begin

    def _placed(self, tensor):
        return {"offset": self._memory.put(tensor), "dtype": str(tensor.dtype).removeprefix("torch."),
                "shape": list(tensor.shape)}

    def __call__(self):
        request = self._request
        with settings_of(request):
            model = self._model.prepared(request)
            names = Names(model)
            for name, parameter in model.named_parameters():
                # Gradients of activations begin at the embeddings, where these are known, else at the parameters.
                is_needed = name in self._parameters or names.embeddings is None
                parameter.requires_grad_(request["backward"] and is_needed)
            head = getattr(torch, request["lm_head"]) if request["lm_head"] else None
            observation = Observation(model, names, self._wants, self._show, request["backward"])
            try:
                with head_in(model, head), torch.set_grad_enabled(request["backward"]):
                    return self._steps(model, observation)
            finally:
                observation.close()
                model.zero_grad(set_to_none=True)

    def _steps(self, model, observation):
        batches = [Batch(batch) for batch in self._request["batches"]]
        total = sum(batch.inputs.numel() for batch in batches)
        own = []  # losses of a model that computes them itself
        begin = time.perf_counter()
        for number, batch in enumerate(batches):
            self._channel.send(micro_batch=number)
            observation.begin()
            if self._model.has_own_loss:
                with autocast_to(self._request["autocast"]):
                    loss = self._model.loss(batch.tokens)
                # Their mean is over the tokens of the whole step.
                loss = loss if len(batches) == 1 else loss * (batch.inputs.numel() / total)
                own.append(loss.detach())
                self._show_own_loss(own, number + 1 == len(batches))
                if self._request["backward"]:
                    loss.backward()
            else:
                with autocast_to(self._request["autocast"]):
                    logits = self._model.logits(model, batch.inputs, batch.positions)
                self._evaluate(logits)
        done = {"seconds": time.perf_counter() - begin - self._shown, "peak_bytes": peak_bytes()}
        for name, parameter in model.named_parameters():
            if parameter.grad is not None and name in self._parameters:
                self._show({"name": name, "pass": "parameter_gradient"}, parameter.grad)
        return done | (self._placed(sum(own).double()) if own else {})

    def _show_own_loss(self, own, is_last):
        site = {"name": "loss", "pass": "forward"}
        if is_last and self._wants(site):
            self._show(site, sum(own))

    def _evaluate(self, logits):
        """Has Ulpscope compute the loss and its gradient, and goes back through the model from there."""
        begin = time.perf_counter()
        place = self._memory.place_for(logits) if self._request["backward"] else -1
        self._channel.send(loss_of=True, gradient=place, **self._placed(logits.detach()))
        while "evaluated" not in (message := self._channel.receive()):
            self._memory.take(message)
        self._shown += time.perf_counter() - begin
        if self._request["backward"]:
            logits.backward(self._memory.view(place, logits))
            self._memory.free(place)


class Batch:
    def __init__(self, message):
        self.tokens = torch.tensor(message["ids"]).view(message["batch"], message["length"] + 1)
        self.inputs = self.tokens[:, :-1]
        self.positions = torch.tensor(message["positions"])[None] if message["positions"] else None


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next((int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM")), 0)
