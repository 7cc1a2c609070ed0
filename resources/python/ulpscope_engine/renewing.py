"""A process in which python.prepare has changed what it likes – classes, functions of torch, settings – makes no other model: another
process takes its place. All are forks of one that has loaded the libraries and computes nothing, so that nothing is loaded again."""
import ctypes
import gc
import importlib
import os
import pickle
import signal
import sys
import traceback

NVML_ALONE = "PYTORCH_NVML_BASED_CUDA_CHECK"
is_used = False  # code of python.prepare has run here


class Renewal(BaseException):
    """A run needs a model that this process would make otherwise than one where no code of a study has run."""


def check_unused():
    if is_used:
        raise Renewal()


def keep_serving(serve, kept):
    """Has forks of this process call serve(kept) one after the other. Each hands the next one a dictionary by raising a Renewal
    with it; where one ends otherwise, this process ends as it did."""
    handed = pickle.dumps(kept)
    while True:
        place = os.memfd_create("handed over")
        gc.freeze()  # no collection, of which each run has some, goes through all that is loaded
        process = os.fork()
        if process == 0:
            hand_over(place, serve, handed)
        _, status = os.waitpid(process, 0)
        with open(place, "rb") as file:
            file.seek(0)  # the fork wrote with the same position
            content = file.read()
        if not content:
            end_as(status)
        modules, handed = pickle.loads(content)
        load(modules)


def hand_over(place, serve, handed):
    status = 1
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: where that one is killed, this one is
    try:
        serve(pickle.loads(handed))
    except Renewal as renewal:
        modules = [name for name in sys.modules if name.startswith("transformers.")]
        content = pickle.dumps((modules, pickle.dumps(renewal.args[0])))
        with open(place, "wb") as file:
            file.write(content)
        status = 0
    except BaseException:
        traceback.print_exc()
    os._exit(status)


def load(modules):
    """What the next fork will need, which takes seconds; what cannot be loaded without a model is left to it."""
    # Some modules ask whether there is a GPU, for which CUDA would begin here, and then work in no fork.
    asked = os.environ.setdefault(NVML_ALONE, "")
    os.environ[NVML_ALONE] = "1"
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:
            pass
    os.environ[NVML_ALONE] = asked


def end_as(status):
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(abs(code))
