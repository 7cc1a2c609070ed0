"""Tries how the operations of a model lie in batches, and whether its cache carries all that it needs."""
import torch
from torch.utils._python_dispatch import _disable_current_modes

from .placing import AMONG, POSITIONS, SEQUENCES, Look, Parts, Placed, orders_of
from .running import PLAIN_PLAN, Nobody, Run


def kind_of(plan):
    """What plans have in common whose operations are placed alike."""
    return bool(plan["padding"]), plan["padded_left"], bool(plan["chunk_length"]), bool(plan["prompt"])


def trial_plan(kind):
    is_padded, is_left, is_chunked, has_prompt = kind
    return {"among": AMONG, "place": 1, "seed": 1, "padding": 4 if is_padded else 0, "padded_left": is_left,
            "chunk_length": 7 if is_chunked else 0, "prompt": 8 if has_prompt else 0, "cache_dtype": ""}


def tolerance_of(request):
    """How far what is the same may be off by rounding, in parts of its norm."""
    is_exact = request["dtype"] in ("float32", "float64") and not (request["autocast"] or request["rules"] or request["quantization"])
    return 1e-3 if is_exact else 0.05


class Trial(Run):
    """A few tokens that go through the reference, alone or in a batch; `seen(key, tensor, piece)` is called with its operations.
    The gradient of the logits is the same each time."""

    def __init__(self, model, listing, parameters, plan, seen, seed=1, sequences=SEQUENCES, part=None):
        vocabulary = max(1, model.facts["vocabulary"])
        ids = torch.randint(vocabulary, (sequences, POSITIONS + 1), generator=torch.Generator().manual_seed(seed))
        batch = {"ids": ids.flatten().tolist(), "batch": sequences, "length": POSITIONS, "positions": [], "padding": 0}
        super().__init__(Nobody(), None, model,
                         listing | {"wants": [], "batches": [batch], "batch": plan, "cache": "", "graph": False}, [], parameters, part)
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
        if not self._request["backward"]:
            return
        with _disable_current_modes():
            whole = self._part.all(logits.detach())
            drawn = None
            if whole is not None:
                drawn = torch.randn(whole.shape, generator=torch.Generator().manual_seed(2)).to(logits.device, logits.dtype)
            drawn = self._part.handed(drawn, logits)
        self._go_back(logits, drawn)


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


class Shapes(Trial):
    """Tells all rows, not operations alone."""

    def _wants(self, site):
        return True

    def _show(self, site, tensor, keys=None):
        if keys is None:
            self._seen((site["name"], site["pass"]), tensor, None)


def rows_of_sequences(model, request, parameters):
    """[row, pass, whether its first dimension is made of the sequences], without rows that have these elsewhere. A few tokens tell
    it, in batches of two sizes: what grows as they do is of sequences, what stays is not."""
    alone = request | {"kernels": False} | ({"ranks": 1, "device": model.plain["device"]} if request["ranks"] > 1 else {})
    few, many = {}, {}
    try:
        for shapes, sequences in ((few, SEQUENCES), (many, AMONG)):
            Shapes(model, alone, parameters, PLAIN_PLAN, lambda key, tensor, _, shapes=shapes: shapes.__setitem__(key, list(tensor.shape)),
                   sequences=sequences)()
    except Exception:  # a model of one's own need not take these
        return []
    grown = {key: [shape[0] * AMONG // SEQUENCES, *shape[1:]] for key, shape in few.items() if shape and shape[0] % SEQUENCES == 0}
    return [[*key, shape != few[key]] for key, shape in many.items() if key in few and shape in (few[key], grown.get(key))]


class Placing:
    """Finds out how the operations of a listing lie in batches."""

    def __init__(self, model, listing, parameters):
        self.model, self.listing, self._parameters = model, listing, parameters
        self._alone, self._known, self._tolerance = {}, {}, tolerance_of(listing)

    def places(self, plan):
        """{(row, pass): Placed} of runs with such a plan."""
        kind = kind_of(plan)
        if kind not in self._known:
            self._known[kind] = self._places(trial_plan(kind))
        return self._known[kind]

    def looks(self, sequences=SEQUENCES):
        """{(row, pass): Look} of that many sequences alone, but of operations whose shape depends on the tokens, as within experts."""
        if sequences not in self._alone:
            looks, shapes = {}, {}
            self._try(lambda key, tensor, _: looks.__setitem__(key, Look(tensor)), sequences=sequences)
            self._try(lambda key, tensor, _: shapes.__setitem__(key, tensor.shape), sequences=sequences, seed=3)
            self._alone[sequences] = {key: look for key, look in looks.items() if shapes.get(key) == look.shape}
        return self._alone[sequences]

    def _try(self, seen, **named):
        Trial(self.model, self.listing, self._parameters, PLAIN_PLAN, seen, **named)()

    def _places(self, plan):
        found, looks = {}, self.looks()

        def seen(key, tensor, piece):
            alone = looks.get(key)
            if piece is None or alone is None:
                return
            parts = trial.parts
            made = parts.add(key, piece, tensor if tensor.shape != alone.shape else Look(tensor))
            if made is not None and (placed := self._placed(parts, alone, made)) is not None:
                found[key] = placed

        trial = Trial(self.model, self.listing, self._parameters, plan, seen)
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
