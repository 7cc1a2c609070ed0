"""Tries how the operations of a model lie in batches, and whether its cache carries all that it needs."""
import torch

from .placing import AMONG, POSITIONS, SEQUENCES, Look, Parts, Placed, orders_of
from .running import PLAIN_PLAN, Nobody, Run


def kind_of(plan):
    """What plans have in common whose operations are placed alike."""
    return bool(plan["padding"]), plan["padded_left"], bool(plan["chunk_length"]), bool(plan["prompt"])


def trial_plan(kind):
    is_padded, is_left, is_chunked, has_prompt = kind
    return {"among": AMONG, "place": 1, "seed": 1, "padding": 4 if is_padded else 0, "padded_left": is_left,
            "chunk_length": 7 if is_chunked else 0, "prompt": 8 if has_prompt else 0, "cache_dtype": ""}


class Trial(Run):
    """A few tokens that go through the reference, alone or in a batch; `seen(key, tensor, piece)` is called with its operations.
    The gradient of the logits is the same each time."""

    def __init__(self, model, listing, parameters, plan, seen, seed=1):
        vocabulary = max(1, model.facts["vocabulary"])
        ids = torch.randint(vocabulary, (SEQUENCES, POSITIONS + 1), generator=torch.Generator().manual_seed(seed))
        batch = {"ids": ids.flatten().tolist(), "batch": SEQUENCES, "length": POSITIONS, "positions": [], "padding": 0}
        super().__init__(Nobody(), None, model,
                         listing | {"wants": [], "batches": [batch], "batch": plan, "cache": "", "graph": False}, [], parameters)
        self._seen = seen

    @property
    def parts(self):
        return self._operation_rows.parts

    def _wants(self, site):
        return False

    def _chose(self, router, row, chosen, scores):
        pass

    def _show(self, site, tensor, keys=None):
        pass

    def _show_operation(self, site, tensor, piece):
        self._seen((site["name"], site["pass"]), tensor, piece)

    def _evaluate(self, logits):
        if self._request["backward"]:
            drawn = torch.randn(logits.shape, generator=torch.Generator().manual_seed(2))
            self._go_back(logits, drawn.to(logits.device, logits.dtype))


class Logits(Trial):
    """Those of a pass."""

    def __call__(self):
        super().__call__()
        return self._logits_seen

    def _evaluate(self, logits):
        self._logits_seen = logits.detach().double()


def error_in_pieces(model, request, parameters):
    """How far the logits of a few tokens are off in pieces beside those of one pass: RMS by RMS."""
    asked = request["batch"]
    tried = trial_plan(kind_of(asked))
    pieces = {key: min(asked[key], tried[key]) for key in ("chunk_length", "prompt")}
    plain = request | {"operations": False, "backward": False, "parameter_gradients": False, "kernels": False}
    whole, other = (Logits(model, plain, parameters, plan, None)()
                    for plan in (PLAIN_PLAN, PLAIN_PLAN | pieces))
    return ((other - whole).square().mean() / whole.square().mean()).sqrt().item()


class Placing:
    """Finds out how the operations of a listing lie in batches."""

    def __init__(self, model, listing, parameters):
        self._model, self._listing, self._parameters = model, listing, parameters
        self._alone, self._known = None, {}
        is_exact = listing["dtype"] in ("float32", "float64") and not (
            listing["autocast"] or listing["rules"] or listing["quantization"])
        self._tolerance = 1e-3 if is_exact else 0.05

    def places(self, plan):
        """{(row, pass): Placed} of runs with such a plan."""
        kind = kind_of(plan)
        if kind not in self._known:
            if self._alone is None:
                self._alone = self._looks_alone()
            self._known[kind] = self._places(trial_plan(kind))
        return self._known[kind]

    def _looks_alone(self):
        """{(row, pass): Look}, but of operations whose shape depends on the tokens, as within experts."""
        looks, shapes = {}, {}
        self._try(PLAIN_PLAN, lambda key, tensor, _: looks.__setitem__(key, Look(tensor)))
        self._try(PLAIN_PLAN, lambda key, tensor, _: shapes.__setitem__(key, tensor.shape), seed=3)
        return {key: look for key, look in looks.items() if shapes.get(key) == look.shape}

    def _try(self, plan, seen, **named):
        Trial(self._model, self._listing, self._parameters, plan, seen, **named)()

    def _places(self, plan):
        found = {}

        def seen(key, tensor, piece):
            alone = self._alone.get(key)
            if piece is None or alone is None:
                return
            parts = trial.parts
            made = parts.add(key, piece, tensor if tensor.shape != alone.shape else Look(tensor))
            if made is not None and (placed := self._placed(parts, alone, made)) is not None:
                found[key] = placed

        trial = Trial(self._model, self._listing, self._parameters, plan, seen)
        trial()
        return found

    def _placed(self, parts, alone, made):
        if all(isinstance(part, Look) for _, part in made):  # the same whatever the batch
            return Placed(["k"] * len(alone.shape)) if made[-1][1].is_like(alone, self._tolerance) else None
        if any(isinstance(part, Look) for _, part in made):
            return None
        for placed in orders_of(alone.shape, [(part.shape, piece) for piece, part in made]):
            cut = [parts.cut(placed, piece, part) for piece, part in made]
            if all(part is not None for part in cut) and Look(placed.put_together(cut)).is_like(alone, self._tolerance):
                return placed
        return None
