"""Copies of tensors from GPUs, which go on while the model does, and what is told of them when they are done."""
import collections
import contextlib
import threading
import time

FOR_EVERY_DEVICE = 1  # cudaHostRegisterPortable


class Copy:
    """One that was started on a stream."""

    def __init__(self, event):
        self._event = event

    def is_complete(self):
        import torch  # there once a model is

        # While a stream records a graph no event may be asked.
        return not torch.cuda.is_current_stream_capturing() and self._event.query()

    def wait(self):
        self._event.synchronize()


class Gpus:
    """What CUDA does of it."""

    def takes(self, tensor):
        """Whether its elements are copied by CUDA alone: signs and conjugates that are still to be made are made on the CPU."""
        if not tensor.is_cuda:
            return False
        import torch

        return (type(tensor) is torch.Tensor and tensor.layout is torch.strided and tensor.numel() > 0
                and not (tensor.is_neg() or tensor.is_conj() or torch.cuda.is_current_stream_capturing()))

    def lock(self, address, size):
        """Page-locks memory of this process. Says why it cannot be; empty: it is."""
        import torch

        try:
            torch.cuda.check_error(torch.cuda.cudart().cudaHostRegister(address, size, FOR_EVERY_DEVICE))
        except RuntimeError as error:
            with contextlib.suppress(RuntimeError):
                torch.ones(1, device="cuda")  # CUDA keeps the error, and the next kernel would be blamed for it
            return str(error).partition(" (cudaError")[0]
        return ""

    def start(self, place, tensor):
        """Copies to page-locked memory behind what the current stream has to compute."""
        import torch

        stream = torch.cuda.current_stream(tensor.device)
        place.copy_(tensor, non_blocking=True)
        tensor.record_stream(stream)  # its memory may be another stream's, which would use it again
        event = torch.cuda.Event(blocking=True)
        event.record(stream)
        return Copy(event)

    def finish(self, tensor):
        """Waits for what makes a tensor."""
        import torch

        if tensor.is_cuda and not torch.cuda.is_current_stream_capturing():
            torch.cuda.current_stream(tensor.device).synchronize()


class Outbox:
    """Tells Ulpscope in order: a message when the copies are done that were started before it, and those before it were told."""

    def __init__(self, channel):
        self.guard = threading.RLock()  # autograd has a thread for each device
        self.waited = 0.0  # seconds in which nothing was done but wait for devices
        self._channel = channel
        self._put = []  # since the last message: (place, its copy or None)
        self._held = collections.deque()  # (message, what was put before it)
        self._lost = []  # as `_put`, of which nothing will be told

    def put(self, place, copy):
        self._put.append((place, copy))

    def send(self, **message):
        with self.guard:
            put, self._put = self._put, []
            if self._held or any(copy is not None for _, copy in put):
                self._held.append((message, put))
                self._tell()
            else:
                self._channel.send(**message)

    def receive(self, waits=True):
        """As of a Channel. Nothing is held back while it waits."""
        with self.guard:
            if waits:
                self.finish()
            else:
                self._tell()
            return self._channel.receive(waits)

    def holds_back(self):
        return bool(self._held)

    def advance(self):
        """Waits until the next message can be told; false: none is held back."""
        with self.guard, self._losing():
            if not self._held:
                return False
            with self.waiting():
                for _, copy in self._held[0][1]:
                    if copy is not None:
                        copy.wait()
            self._channel.send(**self._held.popleft()[0])
            return True

    def finish(self):
        while self.advance():
            pass

    def settle(self):
        """After an error: tells what was put before it. Gives the places of which nothing will be told, to which nothing is copied
        any more."""
        with self.guard:
            with contextlib.suppress(Exception):
                self.finish()
            lost, self._lost, self._put = self._lost + self._put, [], []
            for _, copy in lost:
                with contextlib.suppress(Exception):
                    if copy is not None:
                        copy.wait()
            return [place for place, _ in lost]

    @contextlib.contextmanager
    def waiting(self):
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.waited += time.perf_counter() - begin

    def _tell(self):
        """What can be told without waiting."""
        with self._losing():
            while self._held and all(copy is None or copy.is_complete() for _, copy in self._held[0][1]):
                self._channel.send(**self._held.popleft()[0])

    @contextlib.contextmanager
    def _losing(self):
        """Where a copy fails, what is held back is not told."""
        try:
            yield
        except BaseException:
            self._lost += [each for _, put in self._held for each in put]
            self._held.clear()
            raise
