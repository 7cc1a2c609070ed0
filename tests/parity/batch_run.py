"""The sequences of a run in company: among others, padded, piece by piece with a cache.

As transformers' users do it: attention_mask and position_ids as generate() makes them, DynamicCache.
What the engine shows is cut out of what the model computed.
"""

import torch
import transformers_run
from cases import plan
from transformers import DynamicCache

# name: fields of engine::BatchPlan
BATCHES = {
    "among": dict(among=5, place=2, seed=3),
    "left": dict(padding=4, side="left"),
    "right": dict(padding=4, side="right"),
    "left_among": dict(among=4, place=1, seed=5, padding=6, side="left"),
    "right_among": dict(among=4, seed=5, padding=6, side="right"),
    "chunks": dict(chunk_length=5),
    "tokens": dict(chunk_length=1),
    "left_chunks": dict(padding=7, side="left", chunk_length=4),
    "right_chunks": dict(padding=7, side="right", chunk_length=4),
    "all": dict(among=3, place=1, seed=7, padding=3, side="left", chunk_length=6),
}
PLANS = [
    plan(compute, attention=attention)
    for compute in ("float32", "bfloat16", "float16")
    for attention in ("eager", "sdpa")
]


def runs():
    return [each | dict(batch_plan=batch) for batch in BATCHES.values() for each in PLANS]


class Company:
    """What goes through the model, and where the compared sequences lie in it."""

    def __init__(self, ids, batch, config):
        own, length = ids.shape
        padding = batch.get("padding", 0)
        others = max(batch.get("among", 0) - own, 0)
        self.rows = slice(batch.get("place", 0), batch.get("place", 0) + own)
        first = padding if batch.get("side") == "left" else 0
        self.positions = (first, first + length)
        width = length + padding
        generator = torch.Generator().manual_seed(batch.get("seed", 0))
        drawn = torch.randint(0, config.vocab_size, (others, width), generator=generator)
        padded = torch.full((own, width), config.pad_token_id or 0)
        padded[:, first : first + length] = ids.cpu()
        place = self.rows.start
        self.ids = torch.cat([drawn[:place], padded, drawn[place:]]).to(ids.device)
        self.mask, self.position_ids = None, torch.arange(width)[None].to(ids.device)
        if padding:
            self.mask = torch.ones_like(self.ids)
            self.mask[self.rows] = 0
            self.mask[self.rows, first : first + length] = 1
            counted = self.mask.long().cumsum(-1) - 1
            self.position_ids = counted.masked_fill(self.mask == 0, 0)
        step = batch.get("chunk_length") or width
        self.is_cached = "chunk_length" in batch
        self.pieces = [(begin, min(begin + step, width)) for begin in range(0, width, step)]

    def arguments(self, begin, end):
        found = dict(position_ids=self.position_ids[:, begin:end])
        if self.mask is not None:
            found["attention_mask"] = self.mask[:, :end]
        return found

    def cut(self, key, tensor):
        """[sequences, positions, …] of all to those that are compared."""
        first, end = self.positions
        is_table = key[0].startswith("model.rotary_emb")
        if is_table:
            rows = tensor[self.rows.start : self.rows.start + 1] if len(tensor) > 1 else tensor
        else:
            rows = tensor[self.rows]
        return rows[:, first:end]


def reference(folder, run, device="cpu"):
    model = transformers_run.load(folder, run).to(device)
    tokens = torch.tensor(run["tokens"], device=device).view(run["batch"], run["length"] + 1)
    company = Company(tokens[:, :-1], run["batch_plan"], model.config)
    cache = DynamicCache() if company.is_cached else None
    observers, parts = [], []
    for begin, end in company.pieces:
        observer = transformers_run.Observer(model)
        output = model(
            input_ids=company.ids[:, begin:end],
            past_key_values=cache,
            use_cache=company.is_cached,
            **company.arguments(begin, end),
        )
        for handle in observer.handles:
            handle.remove()
        observers.append(observer)
        parts.append(output.logits)
    logits = company.cut(("logits", "forward"), torch.cat(parts, 1))
    loss = torch.nn.functional.cross_entropy(
        logits.float().reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1)
    )
    loss.backward()
    values = {}
    for key in observers[0].values:
        whole = torch.cat([observer.values[key] for observer in observers], 1)
        values[key] = company.cut(key, whole)
    values["loss", "forward"] = loss.detach()
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            values[name, "parameter_gradient"] = parameter.grad
    return values
