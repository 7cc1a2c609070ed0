"""What Ulpscope and this process tell each other, and the memory that they share."""
import collections
import contextlib
import ctypes
import json
import mmap
import os
import select
import socket
import threading

from .copying import Gpus

SMALL_BYTES = 1 << 20  # copied by one thread: to wake torch's others takes longer
PIECE_BYTES = 1 << 26  # of memory that is page-locked for several tensors
AHEAD_BYTES = 1 << 27  # of tensors that Ulpscope has not looked at yet; the model waits beyond it


class Channel:
    """Lines of JSON in both directions."""

    def __init__(self):
        self._socket = socket.socket(fileno=3)
        self._received, self._sending = b"", threading.Lock()

    def send(self, **message):
        with self._sending:
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, waits=True):
        """The next message; without waiting None where there is none yet."""
        while b"\n" not in self._received:
            if not waits and not select.select([self._socket], [], [], 0)[0]:
                return None
            part = self._socket.recv(1 << 16)
            if not part:
                os._exit(0)  # nobody is left who would want an answer
            self._received += part
        line, self._received = self._received.split(b"\n", 1)
        return json.loads(line)


def lies_plain(tensor):
    """Whether the elements lie in this process's memory as they are, one behind the other."""
    import torch  # there once a model is

    return (type(tensor) is torch.Tensor and tensor.is_cpu and tensor.layout is torch.strided and tensor.is_contiguous()
            and not (tensor.is_neg() or tensor.is_conj()))


class Places:
    """Which parts of the memory are taken."""

    def __init__(self):
        self.end = 0
        self.free = {}  # by size
        self.locked = {}  # likewise, of page-locked ones
        self.sizes = {}
        self.pieces = {}  # of page-locked places: (begin, end) of what was locked as one
        self.piece, self.filled = (0, 0), 0  # the last one for several places, and how far they reach
        self.unseen, self.ahead = collections.deque(), 0


def up_to(multiple, size):
    return -(-size // multiple) * multiple


class SharedMemory:
    """Places for tensors. Ulpscope says which of them it has let go of."""

    _ALIGNMENT = 64

    def __init__(self, outbox, gpus=None):
        self.outbox, self.notes = outbox, []
        self._gpus = gpus or Gpus()
        self._memory = mmap.mmap(4, os.fstat(4).st_size)
        self._locked, self._is_refused = set(), False  # pieces that this process has page-locked; whether one could not be
        self.places = Places()

    def put(self, tensor):
        """Gives the place of a tensor, to which it is copied until the outbox tells of it. The place is free again when Ulpscope
        says so."""
        with self.outbox.guard:
            self._make_room()
            offset = self.place_for(tensor)
            try:
                copy = self._copied(offset, tensor)
            except BaseException:
                self.free(offset)
                raise
            self.places.unseen.append(self.places.sizes[offset])
            self.places.ahead += self.places.sizes[offset]
            self.outbox.put(offset, copy)
            return offset

    def _make_room(self):
        while True:
            is_full = self.places.ahead > AHEAD_BYTES
            message = self.outbox.receive(waits=is_full and not self.outbox.holds_back())
            if message is not None:
                self.take(message)
            elif not is_full:
                return
            else:
                self.outbox.advance()

    def _copied(self, offset, tensor):
        """A copy that was started, None where it is done."""
        if self.places.pieces.get(offset) in self._locked and self._gpus.takes(tensor):
            return self._gpus.start(self.view(offset, tensor), tensor)
        if tensor.nbytes <= SMALL_BYTES and lies_plain(tensor):
            self._memory[offset:offset + tensor.nbytes] = (ctypes.c_char * tensor.nbytes).from_address(tensor.data_ptr())
        elif tensor.numel():
            with self.outbox.waiting():
                self._gpus.finish(tensor)
            self.view(offset, tensor).copy_(tensor)
        return None

    def place_for(self, tensor):
        taken = up_to(self._ALIGNMENT, max(tensor.numel() * tensor.element_size(), 1))
        offset = self._locked_place(taken) if self._gpus.takes(tensor) else None
        if offset is None:
            offset = self._place(taken)
        self.places.sizes[offset] = taken
        return offset

    def _place(self, taken):
        places = self.places.free.get(taken) or self.places.locked.get(taken)
        if places:
            return places.pop()
        offset, self.places.end = self.places.end, self.places.end + taken
        return offset

    def _locked_place(self, taken):
        """None: the system page-locks no memory."""
        places = self.places
        if free := places.locked.get(taken):
            return free.pop() if self._lock(places.pieces[free[-1]]) else None
        is_small = taken <= PIECE_BYTES // 4
        piece, offset = places.piece, places.filled
        if not is_small or offset + taken > piece[1]:
            # CUDA copies to one piece at a time.
            offset = up_to(mmap.PAGESIZE, places.end)
            piece = offset, offset + (PIECE_BYTES if is_small else up_to(mmap.PAGESIZE, taken))
        if not self._lock(piece):
            return None
        if is_small:
            places.piece, places.filled = piece, offset + taken
        places.end = max(places.end, piece[1])
        places.pieces[offset] = piece
        return offset

    def _lock(self, piece):
        """Whether a piece is page-locked now; what another process locked before this one, this one has to lock again."""
        if piece not in self._locked and not self._is_refused:
            begin, end = piece
            refusal = self._gpus.lock(ctypes.addressof(ctypes.c_char.from_buffer(self._memory)) + begin, end - begin)
            if refusal:
                self._is_refused = True
                self.notes.append(f"the model waits for each copy of a tensor from the GPU, since memory cannot be page-locked: {refusal}; "
                                  "a container or `ulimit -l` may limit it")
            else:
                self._locked.add(piece)
        return piece in self._locked

    def view(self, offset, like):
        """What lies at a place, of the type and shape of another tensor."""
        import torch  # there once a model is

        size = like.numel() * like.element_size()
        raw = torch.frombuffer(self._memory, dtype=torch.uint8, count=size, offset=offset)
        return raw.view(like.dtype).view(like.shape)

    def free(self, offset):
        free = self.places.locked if offset in self.places.pieces else self.places.free
        free.setdefault(self.places.sizes.pop(offset), []).append(offset)

    def take(self, message):
        """{"seen": how many tensors were looked at, "free": places that nobody reads any more}."""
        for _ in range(message["seen"]):
            self.places.ahead -= self.places.unseen.popleft()
        for offset in message["free"]:
            self.free(offset)

    @contextlib.contextmanager
    def settled(self):
        """Where something fails, tells what was made before it, and takes places back of which Ulpscope will not hear."""
        try:
            yield
        except Exception:
            for offset in self.outbox.settle():
                self.places.unseen.remove(self.places.sizes[offset])
                self.places.ahead -= self.places.sizes[offset]
                self.free(offset)
            raise
