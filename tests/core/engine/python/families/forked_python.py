"""A Python that has loaded torch and transformers before it is started: programs that it runs begin in a few milliseconds.

`program` stands for `python -u -c TEXT` with descriptors 1 to 5, which is how Ulpscope starts Python. It hands both to a
process that waits with the libraries loaded, and whose fork goes on as that program.
"""
import os
import signal
import socket
import sys

DESCRIPTORS = [1, 2, 3, 4, 5]
PROGRAM = """#!{python} -IS
import socket, sys
with socket.socket(socket.AF_UNIX) as waiting:
    waiting.connect({place!r})
    socket.send_fds(waiting, [sys.argv[3].encode()], {descriptors})
    waiting.recv(1)
"""


class ForkedPython:
    def __init__(self, folder, threads):
        self.program = os.path.join(folder, "python")
        place = os.path.join(folder, "waiting")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(python=sys.executable, place=place, descriptors=DESCRIPTORS))
        os.chmod(self.program, 0o755)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(place)
        self._socket.listen()
        self._process = os.fork()
        if self._process == 0:
            self._wait(threads)

    def close(self):
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._socket.close()

    def _wait(self, threads):
        import torch
        import transformers

        torch.set_num_threads(threads)  # a fork has none of the threads that others left behind
        transformers.AutoModelForCausalLM, transformers.AutoModelForSeq2SeqLM, transformers.modeling_utils  # loads them
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            connection, _ = self._socket.accept()
            text, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, len(DESCRIPTORS))
            if os.fork() == 0:
                self._become(connection, text.decode(), descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()

    def _become(self, connection, text, descriptors):
        high = [os.dup2(descriptor, 100 + number) for number, descriptor in enumerate(descriptors)]
        kept = connection.detach()
        os.dup2(kept, 99)
        os.closerange(3, 99)
        for number, descriptor in zip(DESCRIPTORS, high):
            os.dup2(descriptor, number)
        os.closerange(100, 200)
        try:
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
            os._exit(1)
        os._exit(0)
