"""Answers Ulpscope."""
import contextlib
import os
import re
import select
import sys
import threading
import traceback

from .copying import Outbox
from .exchange import Channel, SharedMemory
from .refused import Refused, import_or_refuse
from .renewing import Renewal, keep_serving, load

OLDEST_TORCH = (2, 1)


def leave_with_parent():
    """Nothing is left running where Ulpscope was killed while a model computes."""
    connection = select.poll()
    connection.register(3, select.POLLRDHUP)
    connection.poll()
    os._exit(1)


def place_of(error):
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def code_of(error):
    """Out of memory; device error: CUDA cannot be used any more by this process; model: any other error."""
    words = str(error)
    if any(part in words.lower() for part in ("out of memory", "can't allocate memory", "_status_alloc_failed")):
        return "out of memory"
    is_lost = type(error).__name__ == "AcceleratorError" or "CUDA error: " in words
    return "device error" if is_lost and isinstance(error, RuntimeError) else "model"


def release_after(error):
    """The memory of a run that failed, whose frames hold its tensors."""
    while error is not None:
        error.__traceback__, error = None, error.__context__
    from .levers import release_memory
    release_memory()


def opened(request, facts=None):
    """The model, and what is said of it. `facts`: what another process has found out of it."""
    torch = import_or_refuse("torch")
    numbers = re.match(r"(\d+)\.(\d+)", torch.__version__)
    if numbers and tuple(map(int, numbers.groups())) < OLDEST_TORCH:
        raise Refused("unsupported", f"{sys.executable} has torch {torch.__version__}; 2.1 or later is needed: "
                                     f"`{sys.executable} -m pip install -U torch`")
    torch.set_num_threads(request["threads"])
    from . import loaded_code  # notes what is loaded from here on
    from .levers import check_device
    check_device("device", request["device"])
    versions = {"torch": torch.__version__, "transformers": "", "python": sys.version.split()[0]}
    if request["factory"]:
        from .factory_model import FactoryModel
        model = FactoryModel(request)
    else:
        versions["transformers"] = import_or_refuse("transformers").__version__
        from .transformers_model import TransformersModel
        model = TransformersModel(request | {"is_known": facts is not None})
    if facts is not None:
        model.__dict__["facts"] = facts
    return model, model.facts | versions


def part_of_run(channel, state, request):
    """Around a run: what this process does of it."""
    if request.get("ranks", 1) == 1:
        from .sharding import Alone
        return contextlib.nullcontext(Alone())
    if "ranks" not in state:
        from .ranks import Ranks
        state["ranks"] = Ranks(channel, state["opened"])
    return state["ranks"].during(request, state)


def answer(channel, memory, state, request):
    if "facts" in state:
        open_again(state)
    if request["do"] == "open":
        state["model"], description = opened(request)
        state["opened"] = request
        channel.send(opened=description)
    elif request["do"] == "sites":
        from .running import sites_of
        state["sites"], state["parameters"] = sites_of(state["model"])
        channel.send(sites=state["sites"], parameters=state["parameters"])
    elif request["do"] == "check":
        from .levers import check
        check(state["model"], request)
        channel.send(checked=True)
    elif request["do"] == "operations":
        from .running import Listing
        from .trying import Placing
        known = {(site["name"], site["pass"]): site for site in state["sites"]}
        if request["ranks"] > 1:
            request |= {"ranks": 1, "device": state["model"].plain["device"]}
        listed = Listing(state["model"], request, state["parameters"])()
        state["placing"] = Placing(state["model"], request, state["parameters"])
        state["sites"] = [known.get((site["name"], site["pass"]), {}) | site for site in listed]
        channel.send(sites=state["sites"], parameters=state["parameters"])
    elif request["do"] == "pieces":
        from .trying import error_in_pieces
        channel.send(error=error_in_pieces(state["model"], request, state["parameters"]))
    elif request["do"] == "sequences":
        from .trying import rows_of_sequences
        if "of_sequences" not in state:
            state["of_sequences"] = rows_of_sequences(state["model"], request, state["parameters"])
        channel.send(of_sequences=state["of_sequences"])
    elif request["do"] == "digest":
        channel.send(digest=state["model"].digest())
    elif request["do"] in ("generate", "run"):
        from .loaded_code import loaded_code
        from .running import Run, is_plain
        # Before the run prepares the model: what is tried is the reference's.
        is_wide = request["do"] == "run" and request["operations"] and not is_plain(request["batch"])
        places = state["placing"].places(request["batch"]) if is_wide else None
        with part_of_run(channel, state, request) as part:
            run = Run(memory.outbox, memory, state["model"], request, state["sites"], state["parameters"], part, places)
            done = {"generated": run.choose(request["count"])} if request["do"] == "generate" else {"done": run() | {"code": loaded_code()}}
        memory.outbox.send(**done)
        memory.outbox.finish()


def main():
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    channel = Channel()
    memory, request = SharedMemory(Outbox(channel)), channel.receive()
    load(["torch"] if request["factory"] else ["torch", "transformers"])
    keep_serving(lambda kept: serve(channel, memory, kept), {"request": request})


def serve(channel, memory, kept):
    """Answers the request of `kept`, with what another process has found out before it, and those that follow."""
    threading.Thread(target=leave_with_parent, daemon=True).start()
    request, state = kept.pop("request"), kept
    memory.places = state.pop("places", memory.places)
    is_new = "facts" in state
    while True:
        try:
            answer_or_fail(channel, memory, state, request)
        except Renewal:
            if not is_new:
                raise Renewal(handed_over(memory, state, request)) from None
            channel.send(failed="python.prepare: this run and what it is compared with need a process each; take "
                                "capture.level: module", code="unsupported")
        is_new, request = False, channel.receive()
        while "do" not in request:
            memory.take(request)
            request = channel.receive()


def open_again(state):
    """What another process had open."""
    state["model"] = opened(state["opened"], state["facts"])[0]
    del state["facts"]
    if "placing" in state:
        state["placing"].model = state["model"]


def handed_over(memory, state, request):
    kept = {key: state[key] for key in ("opened", "sites", "parameters", "placing", "of_sequences") if key in state}
    if "placing" in kept:
        kept["placing"].model = None
    return kept | {"facts": state["model"].facts, "places": memory.places, "request": request}


def answer_or_fail(channel, memory, state, request):
    try:
        with memory.settled():
            answer(channel, memory, state, request)
    except Refused as error:
        channel.send(failed=str(error), code=error.code)
    except MemoryError as error:
        channel.send(failed=f"memory ran out: {error}", code="out of memory")
    except Exception as error:
        code = code_of(error)
        what = str(error) if code == "out of memory" else f"{type(error).__name__}: {error}{place_of(error)}"
        if code == "out of memory":
            release_after(error)
        channel.send(failed=what, code=code)
