"""A step of a model, and what is wanted of it."""
import contextlib
import itertools
import time

import torch
from torch.utils._python_dispatch import _disable_current_modes

from .batches import ComparedRows, EmptyPadding, WideBatch, axes_of, chosen_tokens, pieces_through
from .formats import autocast_to, head_in, settings_of
from .functions import seed
from .kernels import kernels_seen
from .levers import begin_measuring, begin_step, compiled_anew, device_of, gpus_of, peak_bytes
from .operations import Operations
from .optimizing import optimizer_sites, step_of
from .placing import Rows
from .recomputing import activations_kept
from .refused import Refused
from .sharding import Alone
from .watching import Names, Observation, as_elements, dense, parameter_site

DRY_RUN_SHAPE = 2, 19  # unlike the extents of models, so that tensors show which dimensions are sequences and positions
PLAIN_PLAN = dict.fromkeys(("among", "place", "seed", "padding", "chunk_length", "prompt"), 0) | {
    "padded_left": True, "cache_dtype": ""}
LOSS = {"name": "loss", "module": "", "layer": -1, "level": "layer", "pass": "forward"}


def sites_of(model):
    """Every tensor that a run can show, in the order of a pass over a few tokens; and those of parameters."""
    module, sites = model.prepared(model.plain), []
    names = Names(module)
    # What a function of a user's own makes of several sequences is not known.
    sequences, length = (1, DRY_RUN_SHAPE[1]) if model.has_own_loss else DRY_RUN_SHAPE
    observation = Observation(module, names, lambda site: True, lambda site, tensor, *_: sites.append(
        site | {"axes": axes_of(tensor.shape, sequences, length), "shape": list(tensor.shape)}), True)
    try:
        with activations_kept():
            loss = model.any_loss(module, tokens_of((sequences, length), model))
            sites.append(LOSS)
            loss.backward()
        observation.end()
    finally:
        observation.close()
        module.zero_grad(set_to_none=True)
    parameters = [parameter_site(names, name) for name, _ in module.named_parameters()]
    return listed_once(sites), parameters + [site for each in parameters for site in optimizer_sites(each)]


def notes_of_calls(rows):
    """What is told of rows that have no place in the listing."""
    if not rows:
        return []
    named = ", ".join(f"{name} ({which})" for name, which in rows[:3]) + (", …" if rows[3:] else "")
    calls = "1 call of a module has" if len(rows) == 1 else f"{len(rows)} calls of modules have"
    return [f"{calls} no row, since {DRY_RUN_SHAPE[1]} tokens in the reference do not make as many: {named}"]


def tokens_of(shape, model):
    """Of a pass that only shows which tensors there are."""
    sequences, length = shape
    return torch.arange(sequences * (length + 1)).view(sequences, -1) % max(1, model.facts["vocabulary"])


def listed_once(sites):
    """Without those that were shown again later."""
    return list(reversed({(site["name"], site["pass"]): site for site in reversed(sites)}.values()))


class Run:
    """One step: its micro-batches forward and backward, and what is wanted of it."""

    def __init__(self, channel, memory, model, request, sites, parameters, part=None, places=None):
        """`part`: of the other ranks, none without it. `places`: {(row, pass): Placed} of operations, where a batch is not plain."""
        self._part = part or Alone()
        self._channel, self._memory, self._model, self._request = channel, memory, model, request
        everything = sites + parameters
        self._numbers = {(everything[n]["name"], everything[n]["pass"]): n for n in request["wants"]}
        self._parameters = {site["name"] for site in parameters if (site["name"], "parameter_gradient") in self._numbers}
        self._optimized = {name.rpartition(".")[0] for name, which in self._numbers if which == "optimizer"}
        self._told = {(site["name"], site["pass"]) for site in sites}
        self._levels = {everything[n]["level"] for n in request["wants"]} - {"op"}
        self._beyond = {}  # rows of modules that the listing does not have
        self._operations, self._kernels = None, None
        self._needs_parameters = request["operations"] and request["parameter_gradients"]  # so that operations stay the same
        self._expected = {(everything[n]["name"], everything[n]["pass"]) for n in request["wants"]
                          if everything[n]["level"] == "op"}
        self._missing, self._unlisted, self._unplaced = {}, {}, {}
        self._operation_rows = Rows(places or {})
        self._notes = []  # of what was done otherwise than asked
        self._shown = 0.0  # seconds in which tensors were handed over
        self._rows = ComparedRows({(site["name"], site["pass"]): site.get("axes") for site in everything}, self._show,
                                  self._chose)

    def _wants(self, site):
        key = site["name"], site["pass"]
        if key not in self._told and site.get("level") in self._levels:
            self._beyond[key] = None
        return key in self._numbers

    def _show(self, site, tensor, keys=None):
        begin = time.perf_counter()
        if self._operations is not None:
            self._operations.note(site, tensor)
        with _disable_current_modes():
            whole = self._part.whole(site, tensor, keys)
        self._shown += time.perf_counter() - begin
        if whole is not None:  # else rank 0 shows it
            self._show_whole(site, whole, keys)

    def _show_whole(self, site, tensor, keys=None):
        begin = time.perf_counter()
        with _disable_current_modes():
            of_keys = {} if keys is None else {"keys": self._placed(keys)}
            self._channel.send(capture=self._numbers[site["name"], site["pass"]], **self._placed(tensor), **of_keys)
        self._shown += time.perf_counter() - begin

    def _chose(self, router, row, chosen, scores):
        begin = time.perf_counter()
        with _disable_current_modes():
            chosen, scores = self._part.choices(chosen, scores)
            self._channel.send(choice=router, block=row, chosen=self._placed(chosen), scores=self._placed(scores))
        self._shown += time.perf_counter() - begin

    def _show_operation(self, site, tensor, piece):
        key = site["name"], site["pass"]
        if key not in self._told:
            self._unlisted[key] = None
        if not self._wants(site):
            return
        begin = time.perf_counter()
        with _disable_current_modes():
            is_known, whole = self._part.operation(key, tensor)
        self._shown += time.perf_counter() - begin
        if whole is not None:
            is_known, whole = self._operation_rows.whole(key, whole, piece)
        if not is_known:
            self._unplaced[key] = None
        if whole is not None:
            self._show_whole(site, whole)
        if whole is not None or not is_known:
            self._due.discard(key)

    def _show_compared(self, site, tensor, piece, keys=None):
        with self._apart():
            self._rows(site, tensor, piece, keys)

    def _placed(self, tensor):
        return {"offset": self._memory.put(tensor), "dtype": str(tensor.dtype).removeprefix("torch."),
                "shape": list(tensor.shape)}

    def __call__(self):
        request = self._request
        with settings_of(request):
            model = self._model.prepared(request)
            seed(self._model.seed)  # of what a changed model draws
            self._part.learn(self._model, model, tokens_of(DRY_RUN_SHAPE, self._model))
            names = Names(model)
            for name, parameter in model.named_parameters():
                # Gradients of activations begin at the embeddings, where these are known, else at the parameters.
                is_needed = (name in self._parameters | self._optimized or names.embeddings is None or names.compiled == "model"
                             or self._needs_parameters)
                if name in model.ulpscope_trained:
                    parameter.requires_grad_(request["backward"] and is_needed)
            head = getattr(torch, request["lm_head"]) if request["lm_head"] else None
            embedding = EmptyPadding(names)  # before hooks that look at the embeddings
            observation = Observation(model, names, self._wants, self._show_compared, request["backward"], self._rows.chose)
            try:
                self._kernels = kernels_seen(model, names) if request["kernels"] else None
                seen = self._kernels.watching() if self._kernels is not None else contextlib.nullcontext()
                with head_in(model, head), torch.set_grad_enabled(request["backward"]), seen, \
                        compiled_anew(model, request, self._notes), activations_kept(self._notes), \
                        self._watched(model, names, observation):
                    done = self._steps(model, observation, embedding)
                self._notes += notes_of_calls(list(self._beyond))
                notes = getattr(model, "ulpscope_notes", []) + self._notes + getattr(self._memory, "notes", [])
                return done | ({"notes": notes} if notes else {})
            finally:
                embedding.close()
                observation.close()
                model.zero_grad(set_to_none=True)

    @contextlib.contextmanager
    def _watched(self, model, names, observation):
        """Sees operations where these are wanted."""
        if not self._request["operations"]:
            yield
            return
        self._operations = Operations(model, names, self._show_operation, self._request["graph"])
        observation.adding = self._apart
        try:
            with self._operations:
                yield
        finally:
            self._operations.close()

    def _apart(self):
        """What is computed within is none of the model's."""
        return self._operations.apart() if self._operations is not None else contextlib.nullcontext()

    def _begin(self, observation):
        observation.begin()
        if self._kernels is not None:
            self._kernels.begin()
        self._due = set(self._expected)
        if self._operations is not None:
            self._operations.begin()

    def _go_back(self, root, gradient=None):
        with self._operations.backward(root) if self._operations is not None else contextlib.nullcontext():
            root.backward(gradient)

    def _steps(self, model, observation, embedding):
        batches = [Batch(batch) for batch in self._part.batches(self._request["batches"])]
        total = sum(batch.inputs.numel() for batch in batches)
        own = []  # losses of a model that computes them itself
        device = device_of(model)
        gpus = gpus_of(model)
        begin_measuring(gpus)
        begin, waited = time.perf_counter(), self._channel.waited
        for number, batch in enumerate(batches):
            self._channel.send(micro_batch=number)
            begin_step(self._request)
            self._rows.begin(None)
            self._operation_rows.begin(None)
            self._begin(observation)
            embedding.begin(batch.present)
            if self._model.has_own_loss:
                with autocast_to(self._request["autocast"], device):
                    loss = self._model.loss(batch.tokens)
                with self._apart():
                    # Their mean is over the tokens of the whole step.
                    loss = loss if len(batches) == 1 else loss * (batch.inputs.numel() / total)
                    own.append(loss.detach())
                    self._show_own_loss(own, number + 1 == len(batches))
                if self._request["backward"]:
                    self._go_back(loss)
            else:
                self._evaluate(self._logits(model, batch, observation))
            with _disable_current_modes():
                observation.end()
            self._missing.update(dict.fromkeys(sorted(self._due)))
        peak = peak_bytes(gpus)
        done = {"seconds": time.perf_counter() - begin - self._shown + self._channel.waited - waited, "peak_bytes": peak}
        for name, parameter in model.named_parameters():
            gradient = parameter.grad
            if gradient is None and observation.routers.is_of_expert(name):
                with _disable_current_modes():
                    gradient = torch.zeros_like(parameter)  # no token has chosen it
            if gradient is not None and name in self._parameters:
                with _disable_current_modes():
                    gradient = as_elements(gradient)
                self._show({"name": name, "pass": "parameter_gradient"}, gradient)
        if self._optimized:
            with _disable_current_modes():
                self._optimize(model)
        if self._operations is not None:
            done["operations"] = {"missing": [key for key in self._missing if key not in self._unplaced],
                                  "unlisted": list(self._unlisted), "unplaced": list(self._unplaced),
                                  "graph": [[*row, *made] for row, made in self._operations.graph.items()]}
        if self._kernels is not None:
            done["kernels"] = self._kernels.record()
        with _disable_current_modes():
            return done | (self._placed(sum(own).double()) if own else {})

    def _logits(self, model, batch, observation):
        """Of the sequences of the micro-batch, whatever goes through the model with them."""
        def begin(piece):
            observation.begin(piece)
            if self._operations is not None:
                self._operations.begin_piece(piece)
            if self._kernels is not None:
                self._kernels.begin(is_first_piece=piece is None or piece.index == 0)

        forward = self._forward(model, begin)
        if is_plain(self._request["batch"]):
            return forward(None, batch.arguments() | {"use_cache": False})
        wide = self._wide(batch)
        self._rows.begin(wide)
        self._operation_rows.begin(wide)
        parts = [logits for _, logits in pieces_through(model, wide, forward, self._apart)]
        with self._apart():
            return torch.cat(parts, 1)

    def _wide(self, batch):
        facts = self._model.facts
        return WideBatch(batch, self._request["batch"], facts["vocabulary"], facts["padding_token"], self._request["cache"])

    def _forward(self, model, begin):
        def forward(piece, arguments):
            begin(piece)
            with autocast_to(self._request["autocast"], device_of(model)):
                return model(**self._model.arguments(model, arguments)).logits
        return forward

    def choose(self, count):
        """Greedily, `count` tokens and one at the end behind the prompts of the batches; gives all ids of each."""
        request, chosen, told = self._request, [], itertools.count(1)
        head = getattr(torch, request["lm_head"]) if request["lm_head"] else None
        with settings_of(request):
            model = self._model.prepared(request)
            forward = self._forward(model, lambda _: None)
            with head_in(model, head), torch.no_grad(), compiled_anew(model, request, self._notes):
                for message in request["batches"]:
                    batch = Batch(message)
                    prompts = batch.inputs
                    batch.inputs = torch.nn.functional.pad(prompts, (0, count))
                    tokens = chosen_tokens(model, self._wide(batch), forward,
                                           lambda: self._channel.send(chosen=next(told)))
                    chosen.append(torch.cat([prompts, tokens.to(prompts.device)], 1).flatten().tolist())
        return chosen

    def _optimize(self, model):
        """Takes the step of an optimizer on a copy of each parameter."""
        stored, is_double = self._model.stored(self._request), self._request["dtype"] == "float64"
        for name, parameter in model.named_parameters():
            if name in self._optimized and parameter.grad is not None:
                for part, tensor in step_of(self._request["optimizer"], stored[name], dense(parameter.grad), is_double).items():
                    site = {"name": f"{name}.{part}", "pass": "optimizer"}
                    if self._wants(site):
                        self._show(site, tensor)

    def _show_own_loss(self, own, is_last):
        if is_last and self._wants(LOSS):
            self._show(LOSS, sum(own))

    def _evaluate(self, logits):
        """Has Ulpscope compute the loss and its gradient, and goes back through the model from there."""
        begin = time.perf_counter()
        with _disable_current_modes():
            whole = self._part.all(logits.detach())
            place = self._memory.place_for(whole) if self._request["backward"] else -1
            self._channel.send(loss_of=True, gradient=place, **self._placed(whole))
            while "evaluated" not in (message := self._channel.receive()):
                self._memory.take(message)
            gradient = self._memory.view(place, whole).to(logits.device) if self._request["backward"] else None
            gradient = gradient if gradient is None else self._part.handed(gradient, logits)
        self._shown += time.perf_counter() - begin
        if gradient is not None:
            if self._operations is not None:
                self._operations.made(gradient, [("logits", "forward")])
            try:
                self._go_back(logits, gradient)
            except RuntimeError as error:
                raise refusal_of(error, self._request["batch"]) from error
            self._memory.free(place)


def refusal_of(error, plan):
    """What to say of a backward pass that ended with an error."""
    if "inplace operation" in str(error) and (plan["chunk_length"] or plan["prompt"]):
        return Refused("unsupported", "the cache of this model is written in place, so that no gradient goes back through its "
                                      "pieces; set `capture.backward: false`")
    return error


class Nobody:
    """Who is told, where nothing is shown."""

    waited = 0.0

    def send(self, **message):
        pass


class Listing(Run):
    """The first micro-batch of a run, which shows nothing and finds out what there is to show."""

    def __init__(self, model, request, parameters):
        plain = {"wants": [], "batches": request["batches"][:1], "batch": PLAIN_PLAN, "graph": False}
        super().__init__(Nobody(), None, model, request | plain, [], parameters)
        self._found = []

    def __call__(self):
        super().__call__()
        return listed_once(self._found)

    def _wants(self, site):
        return site["pass"] != "parameter_gradient"

    def _show(self, site, tensor, keys=None):
        if self._wants(site):
            self._found.append(site)

    def _chose(self, router, row, chosen, scores):
        pass

    def _show_operation(self, site, tensor, piece):
        self._show(site, tensor)

    def _placed(self, tensor):
        return {}

    def _evaluate(self, logits):
        self._show(LOSS, logits)
        if self._request["backward"]:
            self._go_back(logits, torch.ones_like(logits))


class Batch:
    def __init__(self, message):
        self.tokens = torch.tensor(message["ids"]).view(message["batch"], message["length"] + 1)
        self.present = None  # [length], false: padding, which belongs to no document and embeds to zeros
        if message["padding"]:
            width = self.tokens.shape[1]
            self.present = torch.arange(width) < width - message["padding"]
            self.tokens = self.tokens * self.present  # its numbers may lie outside of the vocabulary
            self.present = self.present[:-1]
        self.inputs = self.tokens[:, :-1]
        self.positions = torch.tensor(message["positions"])[None] if message["positions"] else None

    def arguments(self):
        return {"input_ids": self.inputs} | ({"position_ids": self.positions} if self.positions is not None else {})


def is_plain(plan):
    return not (plan["among"] or plan["padding"] or plan["chunk_length"] or plan["prompt"])
