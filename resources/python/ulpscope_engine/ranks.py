"""Runs of several ranks, as rank 0 sees them, which is the process that answers Ulpscope. A launcher starts the others; they
connect to this process, get the same requests, and end when the connection does."""
import collections
import contextlib
import datetime
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

import torch
import torch.distributed as dist

from .dividing import layouts_of, sequences_of, trial_of
from .reduce import reducing
from .refused import Refused, refuse
from .renewing import check_unused
from .sharding import part_of

PATIENCE = 600.0  # seconds in which a launcher has all ranks there
LAST_WORDS = 2000
# Who of the launcher's processes a process is. The first leaves its place to this process.
RANK_IN = {"torchrun": ["RANK"], "srun": ["SLURM_PROCID"]}
RANK_OF_OTHERS = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "RANK", "SLURM_PROCID"]
NEVER = datetime.timedelta(days=365)  # a rank may wait for Ulpscope; of one that is gone the connection tells

# With -c Python looks for modules in the working folder first: whatever lies there would run.
ELSEWHERE = "import sys\nif sys.path and not sys.path[0]: del sys.path[0]\n"
# What the launcher starts: connects twice, for messages and for what it writes, and imports the modules that it is sent.
BEGIN = ELSEWHERE + """
import json, os, socket, sys
given = json.loads(os.environ["ULPSCOPE_RANKS"])
rank = next((int(os.environ[name]) for name in given["rank_in"] if name in os.environ), None)
if rank == 0:
    sys.exit(0)
def connect(kind):
    for host in given["hosts"]:
        try:
            link = socket.create_connection((host, given["port"]), 60)
        except OSError as error:
            why = error
            continue
        link.settimeout(None)
        hello = {"token": given["token"], "kind": kind, "rank": rank, "host": socket.gethostname(), "process": os.getpid()}
        link.sendall(json.dumps(hello).encode() + b"\\n")
        return link
    sys.exit(f"rank {rank} on {socket.gethostname()} cannot reach {given['hosts']} port {given['port']}: {why}")
words = connect("words")
messages = connect("messages")
os.dup2(words.fileno(), 1)
os.dup2(words.fileno(), 2)
lines = messages.makefile("r", encoding="utf-8")
texts = json.loads(lines.readline())
exec(texts["ulpscope_engine.modules"])
sys.meta_path.insert(0, Modules(texts))
from ulpscope_engine.following import main
main(messages, lines)
"""

def texts_of_package():
    """{module: its text}, wherever this package comes from."""
    known = next((finder.texts for finder in sys.meta_path if hasattr(finder, "texts")), None)
    if known is not None:
        return known
    folder, texts = os.path.dirname(os.path.abspath(__file__)), {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts["ulpscope_engine" if name == "__init__.py" else f"ulpscope_engine.{name[:-3]}"] = file.read()
    return texts


# Before anything runs.

def check_ranks(model, run):
    """Refuses what transformers, the model or the machine cannot divide."""
    ranks = run.get("ranks", 1)
    if ranks == 1:
        return
    if not dist.is_available():
        refuse("python.ranks", ranks, f"torch {torch.__version__} of {sys.executable} is built without torch.distributed")
    try:
        from transformers.distributed import DistributedConfig
        DistributedConfig(tp_size=1, fsdp_size=1)
    except (ImportError, TypeError):
        import transformers
        refuse("python.ranks", ranks, f"transformers {transformers.__version__} does not divide models by a DistributedConfig",
               "transformers>=5.23")
    command_of(run)
    device = torch.device(run["device"])
    if device.type == "cpu" and torch.accelerator.is_available():
        refuse("python.ranks", ranks, "transformers divides models over the GPUs that it finds; say `python.device: cuda`, or hide them "
                                      "with CUDA_VISIBLE_DEVICES=")
    if device.index:
        refuse("python.device", run["device"], "each of python.ranks has a device of its own; leave the number out")
    if run["parallel"] == "tensor":
        check_heads(model, ranks)


def check_heads(model, ranks):
    config = model.configuration.get_text_config()
    with torch.device("meta"):
        empty = model.kind.from_config(type(model.configuration).from_dict(model.configuration.to_dict()))
    plan = empty.tp_plan
    if not plan:
        refuse("python.ranks", ranks, f"transformers has no plan by which it divides a {type(empty).__name__} (base_model_tp_plan)")
    if any(style == "colwise" and re.search(r"\b(q|k|qkv|query)\w*$", name)
           for name, style in plan.items()):
        for key in ("num_attention_heads", "num_key_value_heads"):
            heads = getattr(config, key, None)
            if isinstance(heads, int) and heads % ranks:
                refuse("python.ranks", ranks, f"does not divide the model's {heads} {key.removeprefix('num_').replace('_', ' ')}")


def command_of(run):
    """What starts the processes."""
    launcher, ranks = run["launcher"], run["ranks"]
    started = [sys.executable, "-u", "-c", BEGIN]
    if launcher == "torchrun":
        return [sys.executable, "-c", ELSEWHERE + "from torch.distributed.run import main; main()", "--standalone", "--nnodes=1",
                f"--nproc-per-node={ranks}", "--no-python", *started]
    if launcher == "srun":
        if not shutil.which("srun"):
            refuse("python.launcher", launcher, "is not there; Slurm's programs must be in $PATH")
        if "SLURM_JOB_ID" not in os.environ:
            refuse("python.launcher", launcher, "starts ranks on the nodes of a Slurm job, and this process is in none; `ulpscope-cli submit` "
                                                "or `salloc` make one")
        # A step does not inherit how many processors the job has for each task (since Slurm 22.05).
        cpus = os.environ.get("SLURM_CPUS_PER_TASK")
        return ["srun", f"--ntasks={ranks}", *([f"--cpus-per-task={cpus}"] if cpus else []), "--overlap", "--kill-on-bad-exit=1",
                "--unbuffered", *started]
    words = [word.replace("{ranks}", str(ranks)) for word in shlex.split(launcher)]
    place = words.index("{command}") if "{command}" in words else len(words)
    command = words[:place] + started + words[place + 1:]
    if not shutil.which(command[0]):
        refuse("python.launcher", launcher, f"{command[0]} is not there")
    return command


class Member:
    """Another rank."""

    def __init__(self, rank, host, process):
        self.rank, self.host, self.process, self.local = rank, host, process, 0
        self.messages, self.words = None, None
        self._said = collections.deque(maxlen=LAST_WORDS)
        self._is_silent = threading.Event()

    def __str__(self):
        return f"rank {self.rank} (process {self.process} on {self.host})"

    def send(self, message):
        with contextlib.suppress(OSError):  # who is gone is noticed by the one that listens
            self.messages.sendall(json.dumps(message).encode() + b"\n")

    def listen(self, tell):
        """Reads what it says until it says no more."""
        threading.Thread(target=self._hear_words, daemon=True).start()
        threading.Thread(target=self._hear_messages, args=(tell,), daemon=True).start()

    def _hear_words(self):
        with contextlib.suppress(OSError):
            while part := self.words.recv(1 << 16):
                self._said.extend(part)
        self._is_silent.set()

    def _hear_messages(self, tell):
        with contextlib.suppress(OSError, ValueError):
            for line in self.messages.makefile("r", encoding="utf-8"):
                tell(self, json.loads(line))
        self._is_silent.wait(1)
        tell(self, None)

    def last_words(self):
        return bytes(self._said).decode(errors="replace").strip()


class Group:
    """Processes that a launcher started, as many as ranks are wanted beside this one."""

    def __init__(self, run, opened):
        self._ranks, self._launcher, self._opened = run["ranks"], run["launcher"], opened
        self._log = tempfile.TemporaryFile()
        self.layouts = {}  # of operations, by what was tried
        self._has_ended, self.failure, self._failed = False, None, threading.Event()
        self.members = []
        is_here = self._launcher == "torchrun"
        with socket.create_server(("127.0.0.1" if is_here else "", 0), backlog=2 * self._ranks) as door:
            token = secrets.token_hex(16)
            hosts = ["127.0.0.1"] if is_here else hosts_of_this()
            given = {"hosts": hosts, "port": door.getsockname()[1], "token": token,
                     "rank_in": given_by(self._launcher)}
            self._host = hosts[0]
            environment = {"OMP_NUM_THREADS": str(opened["opened"]["threads"])}
            environment |= {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE", "LOCAL_RANK")}
            self._process = subprocess.Popen(command_of(run), stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
                                             env=environment | {"ULPSCOPE_RANKS": json.dumps(given)})
            try:
                self._admit(door, token)
            except BaseException:
                self.end()
                raise

    def _admit(self, door, token):
        """Until all ranks are there."""
        members, until = {}, time.monotonic() + PATIENCE
        door.settimeout(0.2)
        while sum(member.messages is not None for member in members.values()) < self._ranks - 1:
            try:
                link, _ = door.accept()
            except TimeoutError:
                self._check_launcher(until, len(members))
                continue
            link.settimeout(10)
            hello = first_line(link)
            if not secrets.compare_digest(str(hello.get("token", "")), token):
                link.close()
                continue
            link.settimeout(None)
            rank = hello["rank"]
            if rank is None or not 0 < rank < self._ranks:
                which = f"is rank {rank}" if rank is not None else f"knows no rank by {', '.join(given_by(self._launcher))}"
                raise Refused("invalid argument", f"python.launcher: {self._launcher}: a process that it started {which}; "
                                                  f"it must start {self._ranks} of torch.distributed, of MPI or of Slurm")
            member = members.setdefault(rank, Member(rank, hello["host"], hello["process"]))
            setattr(member, hello["kind"], link)
        self.members = [members[rank] for rank in sorted(members)]
        there = [socket.gethostname()]
        for member in self.members:
            member.local = there.count(member.host)
            there.append(member.host)
            member.listen(self._heard)
            member.send(texts_of_package())
            member.send({"do": "open", **self._opened, "rank": member.rank, "local": member.local})

    def _check_launcher(self, until, count):
        status = self._process.poll()
        if status is not None or time.monotonic() > until:
            how = f"ended with exit status {status}" if status is not None else f"did not start all within {PATIENCE:.0f} s"
            raise Refused("unsupported", f"python.launcher: {self._launcher}: {how}; {count} of the other {self._ranks - 1} ranks came"
                                         f"{self._launcher_said()}")

    def _launcher_said(self):
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - LAST_WORDS))
        said = self._log.read().decode(errors="replace").strip()
        return f"; the last that it wrote:\n{said}" if said else ""

    def _heard(self, member, message):
        """Called by the threads that listen. The first that fails is the cause."""
        if self._has_ended or self.failure is not None:
            return
        if message is None:
            said = member.last_words()
            with contextlib.suppress(subprocess.TimeoutExpired):
                said or self._process.wait(2)  # a launcher says by which signal it was killed
            said = f"; the last that it wrote:\n{said}" if said else self._launcher_said()
            self.failure = ("device error", f"python.ranks: {member} of {self._ranks} ended{said}")
        elif "failed" in message:
            self.failure = (message["code"], f"python.ranks: {member} of {self._ranks}: {message['failed']}")
        else:
            return
        self._failed.set()

    def waits_for_failure(self, seconds):
        return self._failed.wait(seconds)

    def send(self, message):
        for member in self.members:
            member.send(message)

    def join(self, device):
        """The processes become the ranks of torch.distributed."""
        store = dist.TCPStore(self._host, 0, self._ranks, is_master=True, wait_for_workers=False, timeout=datetime.timedelta(seconds=PATIENCE))
        self.send({"do": "join", "host": self._host, "port": store.port, "ranks": self._ranks, "device": device})
        become_rank(store, 0, self._ranks, 0, device)

    def leave(self):
        self.send({"do": "leave"})
        leave_ranks()

    def end(self):
        """Closes the connections, at which the others end; a launcher that stays is killed."""
        self._has_ended = True
        for member in self.members:
            for link in (member.messages, member.words):
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
                    link.close()
        try:
            self._process.wait(3 if self.members else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def given_by(launcher):
    """Variables of the environment that tell a rank its number."""
    return RANK_IN.get(launcher, RANK_OF_OTHERS)


def first_line(link):
    received = b""
    with contextlib.suppress(OSError, ValueError):
        while not received.endswith(b"\n") and len(received) < 4096:
            part = link.recv(1)
            if not part:
                break
            received += part
        found = json.loads(received)
        return found if isinstance(found, dict) else {}
    return {}


def hosts_of_this():
    """By which other nodes may reach this one."""
    name = socket.gethostname()
    found = [os.environ["SLURMD_NODENAME"]] if "SLURMD_NODENAME" in os.environ else []
    found += [name]
    with contextlib.suppress(OSError):
        found += [address[4][0] for address in socket.getaddrinfo(name, None, socket.AF_INET)]
    reachable = []
    for host in dict.fromkeys([*found, "127.0.0.1"]):
        with contextlib.suppress(OSError):
            socket.getaddrinfo(host, None)
            reachable.append(host)
    return reachable


def become_rank(store, rank, ranks, local, device):
    os.environ["LOCAL_RANK"] = str(local)
    kind = torch.device(device).type
    if kind == "cuda":
        local = local if torch.cuda.device_count() > 1 else 0  # Slurm may show a process its own GPU alone
        os.environ["LOCAL_RANK"] = str(local)
        torch.cuda.set_device(local)
    backend = "gloo" if kind == "cpu" else {"cuda": "cuda:nccl,cpu:gloo", "xpu": "xpu:xccl,cpu:gloo"}.get(kind)
    dist.init_process_group(backend, store=store, rank=rank, world_size=ranks, timeout=NEVER)


def leave_ranks():
    if dist.is_initialized():
        dist.destroy_process_group()


class Ranks:
    """The groups of a process, of which one at a time is that of torch.distributed; it waits while this process runs alone."""

    def __init__(self, channel, opened):
        self._channel, self._opened = channel, opened
        self._groups, self._current, self._number = {}, None, 0

    @contextlib.contextmanager
    def during(self, request, state):
        """Has the other ranks of a run do what this one does; gives what this one's part is."""
        if request["do"] == "run" and request["operations"]:
            alone = state["placing"].looks(sequences_of(request))
            request["trial"] = trial_of(state["placing"].listing, request)
        group = self._group(request, state)
        is_over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(group, is_over), daemon=True)
        try:
            self._change_to(group, request)
            # A model that this process has to load is loaded by all.
            if not state["model"].holds(request | {"group": self._number}):
                check_unused()
                self._number += 1
            request["group"] = self._number
            group.send(request)
            watch.start()
            part = part_of(request, state["sites"])
            with reducing(request["reduce"]):
                if "trial" in request:
                    part.operations = layouts_of(state["model"], state["parameters"], request, part, group.layouts, alone)
                yield part
            is_over.set()
        except BaseException as error:
            cause = self._cause(group, error)
            is_over.set()
            self._drop(group)
            if cause is None:
                raise
            raise Refused(*cause) from error

    def _group(self, request, state):
        key = request["ranks"], request["launcher"]
        if key in self._groups and self._groups[key].failure is not None:
            self._drop(self._groups[key])
        if key not in self._groups:
            opened = {"opened": self._opened, "facts": state["model"].facts, "sites": state["sites"], "parameters": state["parameters"]}
            self._groups[key] = Group(request, opened)
        return self._groups[key]

    def _change_to(self, group, request):
        if group is not self._current:
            if self._current is not None:
                self._current.leave()
            self._current = None
            group.join(request["device"])
            self._current = group
            self._number += 1

    def _drop(self, group):
        if self._current is group:
            self._current = None
            self._number += 1
        self._groups = {key: each for key, each in self._groups.items() if each is not group}
        group.end()
        with contextlib.suppress(Exception):
            leave_ranks()

    @staticmethod
    def _cause(group, error):
        """What another rank failed at, where this one only noticed that it is gone."""
        is_ours = isinstance(error, Refused) or not is_of_connection(error)
        if is_ours or not group.waits_for_failure(5):
            return None
        code, words = group.failure
        return "unsupported" if code == "device error" else code, words

    def _watch(self, group, is_over):
        """Ends this process where another rank is gone and this one would wait for it for ever."""
        while not is_over.is_set():
            if group.waits_for_failure(0.2) and not is_over.wait(10):
                self._channel.send(failed=group.failure[1], code="device error")
                time.sleep(5)
                os._exit(1)


def is_of_connection(error):
    return isinstance(error, (OSError, getattr(dist, "DistError", OSError))) or (
        isinstance(error, RuntimeError) and re.search(r"gloo|nccl|connection|socket|peer|TCPStore|work group", str(error), re.I) is not None)
