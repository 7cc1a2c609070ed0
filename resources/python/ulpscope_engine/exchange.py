"""What Ulpscope and this process tell each other, and the memory that they share."""
import collections
import ctypes
import json
import mmap
import os
import select
import socket
import threading

SMALL_BYTES = 1 << 20  # copied by one thread: to wake torch's others takes longer
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
        self.sizes = {}
        self.unseen, self.ahead = collections.deque(), 0


class SharedMemory:
    """Places for tensors. Ulpscope says which of them it has let go of."""

    _ALIGNMENT = 64

    def __init__(self, channel):
        self._channel = channel
        self._memory = mmap.mmap(4, os.fstat(4).st_size)
        self.places = Places()

    def put(self, tensor):
        """Copies a tensor and gives its place, which is free again when Ulpscope says so."""
        while (message := self._channel.receive(waits=self.places.ahead > AHEAD_BYTES)) is not None:
            self.take(message)
        offset = self.place_for(tensor)
        self.places.unseen.append(self.places.sizes[offset])
        self.places.ahead += self.places.sizes[offset]
        if tensor.nbytes <= SMALL_BYTES and lies_plain(tensor):
            self._memory[offset:offset + tensor.nbytes] = (ctypes.c_char * tensor.nbytes).from_address(tensor.data_ptr())
        elif tensor.numel():
            self.view(offset, tensor).copy_(tensor)
        return offset

    def place_for(self, tensor):
        taken = -(-max(tensor.numel() * tensor.element_size(), 1) // self._ALIGNMENT) * self._ALIGNMENT
        places = self.places.free.get(taken)
        if places:
            offset = places.pop()
        else:
            offset, self.places.end = self.places.end, self.places.end + taken
        self.places.sizes[offset] = taken
        return offset

    def view(self, offset, like):
        """What lies at a place, of the type and shape of another tensor."""
        import torch  # there once a model is

        size = like.numel() * like.element_size()
        raw = torch.frombuffer(self._memory, dtype=torch.uint8, count=size, offset=offset)
        return raw.view(like.dtype).view(like.shape)

    def free(self, offset):
        self.places.free.setdefault(self.places.sizes.pop(offset), []).append(offset)

    def take(self, message):
        """{"seen": how many tensors were looked at, "free": places that nobody reads any more}."""
        for _ in range(message["seen"]):
            self.places.ahead -= self.places.unseen.popleft()
        for offset in message["free"]:
            self.free(offset)
