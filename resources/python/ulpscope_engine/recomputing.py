"""Activation checkpointing, which runs parts of a model again in the backward pass."""
import contextlib
import sys

import torch
import torch.utils.checkpoint

# What torch.utils.checkpoint.checkpoint goes through, and who has it by the same name.
WAYS = "CheckpointFunction", "_checkpoint_without_reentrant_generator"
PLACES = "torch.utils.checkpoint", "torch.distributed._composable.checkpoint_activation"


@contextlib.contextmanager
def activations_kept(notes=None):
    """Parts that would run again run once: each of their rows would be seen twice, and the second time makes the same numbers.
    What that does to a run is added to `notes`."""
    asked = []

    class Called:
        """With a graph only where an argument has one, and with gradients of each argument added up before they leave."""

        @staticmethod
        def apply(function, _, *arguments):
            asked.append("reentrant")
            has_graph = torch.is_grad_enabled() and any(isinstance(each, torch.Tensor) and each.requires_grad for each in arguments)
            with torch.set_grad_enabled(has_graph):
                return function(*(each.view_as(each) if isinstance(each, torch.Tensor) else each for each in arguments))

    def around(_function, _preserves, contexts, *_, **_named):
        asked.append("other")
        with contexts()[0]:
            yield

    places = [sys.modules[name] for name in PLACES if name in sys.modules]
    before = [(place, way, getattr(place, way)) for place in places for way in WAYS if hasattr(place, way)]
    for place, way, _ in before:
        setattr(place, way, Called if way == WAYS[0] else around)
    try:
        yield
    finally:
        for place, way, own in before:
            setattr(place, way, own)
    if asked and notes is not None:
        # There autocast keeps the cast of an argument for all who read it.
        but = ", but for last bits of gradients under autocast" if "reentrant" in asked else ""
        notes.append("torch.utils.checkpoint: the run keeps the activations that the model asks to compute twice; its numbers are the "
                     f"same{but}, and it takes more memory")
