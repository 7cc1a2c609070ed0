"""Records a program that nobody edits: finds its models as they are called and its steps as they end, and drives the
recorder. `ulpscope-cli record` hands over what to record in ULPSCOPE_RECORD and reads the file of events beside it."""
import atexit
import collections
import itertools
import json
import os
import re
import sys
import threading
import time
import types

import torch
from _ulpscope_recorder import _MOST_BATCHES, Recorder, _finder, _leaves, _Loaders, _options_of, _range_of, _SkippedSteps
from torch.nn.modules.module import register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook

_MOST_MODELS = 10000  # of a program that makes some for each call
_TICK = 0.3  # seconds between two lines about progress


class _Events:
    """Lines that ulpscope-cli reads; all processes of the program add to one file."""

    def __init__(self, path):
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)

    def say(self, event, **more):
        line = json.dumps({"event": event, "pid": os.getpid(), **more}) + "\n"
        try:
            os.write(self._file, line.encode())
        except OSError:
            pass  # nobody reads any more


def _wrong_pattern(options):
    """What is wrong with the first pattern that is none; None: all are."""
    for option in ("modules", "list", "tensor_list"):
        given = options.get(option)
        try:
            if option == "modules":
                re.compile(given or "")
            elif any(text.startswith("name-regex(") and not text.endswith(")") for text in given or ()):
                raise re.error("name-regex(…) is not closed")
            else:
                _finder(option, given)
        except re.error as error:
            return f"--{option.replace('_', '-')} {given!r} is no regular expression: {error}"
    return None


class Driver:
    """Sees every call of a module that no other one makes: those are the models.

    A step of a training ends with the step of its optimizers; what follows is the next one. Elsewhere a step is a call
    of the first model, with what is called before and after it."""

    def __init__(self, options):
        self._events = _Events(options.pop("events"))
        self._by = options.pop("by", "auto")
        self._tokens = options.pop("tokens", None)
        config = options.pop("config", None)
        if config is not None:
            options = {**_options_of(config), **options}
        if wrong := _wrong_pattern(options):
            self._events.say("failed", message=wrong)
            sys.exit(2)  # before the program has worked for a recording that cannot be
        for key in ("steps", "ranks"):
            if isinstance(options.get(key), list):
                options[key] = set(itertools.chain.from_iterable(map(_range_of, options[key])))
        if self._tokens is not None:
            self._by = "call"
            self._tokens = range(self._tokens[0], sys.maxsize if self._tokens[1] is None else self._tokens[1])
        self._loads = options.pop("batches", True)
        self._batches = collections.deque(maxlen=_MOST_BATCHES)  # before the first model is called
        self._options, self._recorder, self._main, self._why_not = options, None, None, None
        self._is_found = self._by != "auto"
        self._names, self._seen, self._hooked, self._trained = {}, {}, set(), set()
        self._local, self._lock, self._is_off, self._is_due = threading.local(), threading.RLock(), False, False
        self._evaluations, self._done, self._is_recorded, self._said = 0, 0, False, None
        self._called = set()  # models and parts of them, in the step that runs

    def install(self):
        self._handles = [register_module_forward_pre_hook(self._calls),
                         register_optimizer_step_post_hook(lambda optimizer, args, kwargs: self._guard(self._stepped)),
                         _SkippedSteps(lambda optimizer: self._guard(self._stepped))]
        if self._loads:
            self._handles.append(_Loaders(lambda batch: self._guard(self._loaded, batch)))
        atexit.register(self._ends)
        os.register_at_fork(after_in_child=self._turn_off)
        self._events.say("torch", version=torch.__version__)
        threading.Thread(target=self._tell, name="ulpscope_record", daemon=True).start()

    def _turn_off(self):
        """What a forked process calls is none of the program's model: it loads data."""
        self._is_off = True
        atexit.unregister(self._ends)
        if self._recorder is not None:
            atexit.unregister(self._recorder.close)
            self._recorder._step = self._recorder._open = None

    def _guard(self, act, *args):
        """A defect ends the recording, and never the program."""
        if self._is_off:
            return
        try:
            act(*args)
        except FileExistsError as error:
            self._is_off = True
            self._events.say("failed", message=f"process {os.getpid()} calls a model, too, and is left out: {error}")
        except Exception as error:
            self._is_off = True
            self._events.say("failed", message=f"{error}" if isinstance(error, OSError) else f"{error!r}")
            if self._recorder is not None:
                self._recorder._step = None

    # Models

    def _calls(self, module, args):
        # Inside of backward, activation checkpointing runs parts of the models again.
        is_again = torch._C._current_graph_task_id() != -1
        if getattr(self._local, "root", None) is None and not (is_again or self._is_off or torch.compiler.is_compiling()):
            self._local.root = module
            with self._lock:
                if module not in self._hooked:
                    self._hooked.add(module)
                    module.register_forward_hook(self._returns, always_call=True)
                self._guard(self._begins, module, args, sys._getframe(1))

    def _begins(self, module, args, frame):
        is_new = module not in self._seen
        if is_new and len(self._seen) >= _MOST_MODELS:
            self._local.is_left_out = True
            return
        if is_new:
            self._add(module, frame)
        is_of_main = self._main is not None and self._seen[module] is self._main
        is_trained = torch.is_grad_enabled() and module.training
        if self._by == "auto" and is_of_main and is_trained:
            self._is_found = True
        self._local.is_left_out = self._is_evaluation(module)
        if self._recorder is None:
            return
        if self._local.is_left_out:
            self._evaluations += 1
            if self._recorder._is_manual:
                self._recorder.stop()
                self._recorder._batches.clear()
            return
        if is_trained:
            self._trained.add(self._seen[module])
        is_again = not self._is_training and is_of_main and (module in self._called or self._main in self._called)
        if self._is_due or is_again:
            self._next_step()
        self._called.add(module)
        self._go_on()
        if is_new and module in self._recorder._modules:
            self._recorder._before(module, args, frame.f_locals.get("kwargs", {}))

    @property
    def _is_training(self):
        return self._by == "optimizer" or (self._by == "auto" and self._is_found)

    def _is_evaluation(self, module):
        """Of a model that is trained: no part of a step."""
        return (self._is_training and self._seen[module] in self._trained and not module.training and
                not torch.is_grad_enabled())

    def _add(self, module, frame):
        known = set(self._seen.values())
        owner = _owner_of(module, frame)
        if owner not in known:  # a part that the program calls by itself is named as in its model
            owner = next((model for model in known if any(part is owner for part in model.modules())), owner)
        if owner in known:
            self._seen[module] = owner
            return
        self._seen[module] = self._seen[owner] = owner
        has_parts = next(owner.children(), None) is not None
        if self._main is None and has_parts:
            self._main = owner
            name = ""
        else:
            name = _variable_of(owner, frame) or type(owner).__name__
            # Losses that are made where they are called are one, whatever their number.
            is_made_there = not has_parts and next(owner.parameters(), None) is None
            name = name if is_made_there else self._free_name(name)
        self._names[owner] = name
        if self._recorder is not None:
            self._recorder.add(owner, name)
        else:
            self._begin()

    def _free_name(self, name):
        taken = set(self._names.values())
        return next(each for each in itertools.chain([name], (f"{name}_{i}" for i in itertools.count(1)))
                    if each not in taken)

    def _begin(self):
        models = {name: model for model, name in self._names.items()}
        try:
            self._recorder = Recorder(models, batches=False, **self._options)
            self._recorder._batches.extend(self._batches)
            self._batches.clear()
        except ValueError as error:  # modules= fits none; perhaps of a model that is called later
            self._why_not = str(error)
            if self._main is not None and self._options.get("modules") is None:
                raise
            return
        self._why_not = None
        recorder = self._recorder
        if recorder._is_idle:
            self._is_off = True
            self._events.say("idle", rank=recorder._rank)
            return
        self._events.say("begun", rank=recorder._rank, world=recorder._world, folder=recorder.folder)

    def _returns(self, module, args, output):
        if getattr(self._local, "root", None) is not module:
            return
        self._local.root = None
        self._guard(self._returned, module, output)

    def _returned(self, module, output):
        if self._tokens is not None and self._recorder is not None and self._seen[module] is self._main:
            if module is self._main or hasattr(output, "logits"):
                self._keep_logits(output)

    # Steps

    def _loaded(self, batch):
        if self._recorder is None:
            self._batches.append(batch)
            return
        if self._is_due or (not self._is_training and self._main in self._called):
            self._next_step()
        self._recorder._batch_comes(batch)

    def _go_on(self):
        recorder = self._recorder
        if self._tokens is None:
            recorder.start()
            self._is_recorded = recorder._open is not None
            return
        # Every token has a unit, for its logits; modules are recorded of those that are picked.
        if recorder._open is None:
            recorder.start()
            step = recorder._open
            if step is not None:
                step.head["token"] = step.head["step"]
        if recorder._next not in self._tokens:
            recorder.stop()
        elif recorder._step is None:
            recorder.start()
        self._is_recorded = recorder._open is not None

    def _stepped(self):
        if self._by == "call" or self._recorder is None:
            return
        self._is_found = self._is_due = True
        self._recorder.stop()

    def _next_step(self):
        self._is_due = False
        self._called.clear()
        self._count_step()
        self._recorder.step()

    def _count_step(self):
        self._done += self._is_recorded
        self._is_recorded = False

    def _keep_logits(self, output):
        """Of the last position."""
        recorder = self._recorder
        logits = output if isinstance(output, torch.Tensor) else next(
            (leaf for path, leaf in _leaves(output) if path in ("logits", "0") and isinstance(leaf, torch.Tensor)), None)
        step = recorder._open
        if step is None or logits is None or logits.dim() < 2:
            return
        with recorder._guarded():
            last = logits[:, -1] if logits.dim() > 2 else logits[-1:]
            rows = step.rows("logits.forward.0", "output", [("next_token_logits", last)], recorder._task == "tensor")
            step.write({"id": next(step.ids), "order": next(step.order), "name": "logits",
                        "class": type(output).__name__, "pass": "forward", "call": 0, "parent": None, "tensors": rows})

    # What is told

    def _state(self):
        recorder = self._recorder
        if recorder is None or recorder._writer is None:
            return None
        return {"rank": recorder._rank, "step": recorder._next, "done": self._done,  # of those that are recorded
                "tensors": recorder.tensors, "bytes": recorder.bytes}

    def _tell(self):
        while not self._is_off:
            time.sleep(_TICK)
            self._say_state()

    def _say_state(self):
        state = self._state()
        if state is not None and state != self._said:
            self._said = state
            self._events.say("progress", **state)
        error = state and self._recorder._writer.error
        if error is not None and not self._is_off:
            self._is_off = True
            self._events.say("failed", message=str(error) if isinstance(error, OSError) else repr(error))

    def _ends(self):
        if self._recorder is not None and self._recorder._writer is not None:
            self._count_step()
            self._recorder.close(False)
            self._say_state()
            self._events.say("ended", rank=self._recorder._rank, calls=self._recorder._entries,
                             evaluations=self._evaluations)
        elif not self._is_off:
            self._events.say("nothing", message=self._why_not)


def _owner_of(module, frame):
    """The outermost module in whose methods the call stands, and of which `module` is a part: what
    LlamaForCausalLM.generate() calls is named as in the model."""
    owner = module
    while frame is not None:
        own = frame.f_locals.get("self") if "self" in frame.f_code.co_varnames[:1] else None
        if isinstance(own, torch.nn.Module) and own is not owner and any(each is owner for each in own.modules()):
            owner = own
        frame = frame.f_back
    return owner


def _variable_of(module, frame):
    """What the program calls it where it calls it: "criterion" of self.criterion(x)."""
    here = torch.nn.modules.module.__file__
    while frame is not None and frame.f_code.co_filename in (here, __file__):
        frame = frame.f_back
    if frame is None:
        return None
    own = frame.f_locals.get("self")
    places = [frame.f_locals, getattr(own, "_modules", {}) or {}, getattr(own, "__dict__", {}), frame.f_globals]
    # And the attributes of what the variables hold: "critic" of worker.critic(x).
    holders = (value for place in (frame.f_locals, frame.f_globals) for value in list(place.values())
               if not isinstance(value, (torch.nn.Module, types.ModuleType, type)))
    places = itertools.chain(places, (vars(holder) for holder in holders if hasattr(holder, "__dict__")))
    for name, value in itertools.chain.from_iterable(list(place.items()) for place in places):
        if value is module and name not in ("self", "module", "model") and not name.startswith("_"):
            return name
    return None


def install():
    options = json.loads(os.environ["ULPSCOPE_RECORD"])
    try:
        driver = Driver(options)
    except Exception as error:
        _Events(json.loads(os.environ["ULPSCOPE_RECORD"])["events"]).say("failed", message=str(error))
        return
    driver.install()
