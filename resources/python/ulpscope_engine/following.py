"""What a rank beside the first does: each request of rank 0, with nobody to show anything to."""
import datetime
import json
import os
import queue
import sys
import threading
import traceback

from .refused import Refused


def main(messages, lines):
    """`messages`: the connection to rank 0, of which `lines` have come; its end is that of this process."""
    requests = queue.Queue()

    def listen():
        try:
            for line in lines:
                requests.put(json.loads(line))
        finally:
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        follow(requests.get)
    except BaseException as error:
        from .server import code_of, place_of
        code = error.code if isinstance(error, Refused) else code_of(error)
        words = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}{place_of(error)}"
        traceback.print_exc()
        sys.stderr.flush()
        messages.sendall(json.dumps({"failed": words, "code": code}).encode() + b"\n")
        threading.Event().wait(5)  # rank 0 ends this process
        os._exit(1)


def follow(next_request):
    opened = next_request()
    model = opened_model(opened)
    import torch.distributed as dist

    from .dividing import layouts_of
    from .ranks import become_rank, leave_ranks
    from .reduce import reducing
    from .sharding import part_of
    layouts = {}
    while True:
        request = next_request()
        if request["do"] == "join":
            store = dist.TCPStore(request["host"], request["port"], request["ranks"], is_master=False,
                                  timeout=datetime.timedelta(seconds=600))
            become_rank(store, opened["rank"], request["ranks"], opened["local"], request["device"])
        elif request["do"] == "leave":
            model.forget()
            leave_ranks()
        else:
            part = part_of(request, opened["sites"])
            run = following_run()(model, request, opened["sites"], opened["parameters"], part)
            with reducing(request["reduce"]):
                if "trial" in request:
                    part.operations = layouts_of(model, opened["parameters"], request, part, layouts)
                run.choose(request["count"]) if request["do"] == "generate" else run()


def opened_model(message):
    """Without what rank 0 has found out of it."""
    import torch

    from .transformers_model import TransformersModel
    torch.set_num_threads(message["opened"]["threads"])
    model = TransformersModel(message["opened"] | {"is_known": True})
    model.__dict__["facts"] = message["facts"]
    return model


def following_run():
    from .running import Nobody, Run

    class FollowingRun(Run):
        """Shows nothing, and hands rank 0 its parts of tensors."""

        def __init__(self, model, request, sites, parameters, part):
            super().__init__(Nobody(), None, model, request, sites, parameters, part)

        def _chose(self, router, row, chosen, scores):
            self._part.choices(chosen, scores)

        def _placed(self, tensor):
            return {}

        def _evaluate(self, logits):
            self._part.all(logits.detach())
            if self._request["backward"]:
                self._go_back(logits, self._part.handed(None, logits))

    return FollowingRun
