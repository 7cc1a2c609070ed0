"""A Python that has loaded torch and transformers before it is started: programs that it runs begin in a few milliseconds.

`program` stands for `python -u -c TEXT` with descriptors 1 to 5, which is how Ulpscope starts Python, and for `python -c TEXT
ARGUMENTS`, which is how that starts torchrun. It hands all to a process that waits with the libraries loaded, and whose fork goes
on as that program.

forked_python.py FOLDER: makes FOLDER/python, says that it is ready, and waits until its standard input ends.
"""
import json
import os
import signal
import socket
import sys

DESCRIPTORS = [1, 2, 3, 4, 5]
PROGRAM = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as waiting:
    waiting.connect({place!r})
    kept = [n for n in {descriptors} if os.path.exists(f"/proc/self/fd/{{n}}") and n != waiting.fileno()]
    sent = json.dumps([sys.argv[1:], dict(os.environ), kept]).encode()
    socket.send_fds(waiting, [len(sent).to_bytes(4, "big")], kept)
    waiting.sendall(sent)
    sys.exit(int(waiting.recv(1) or b"1"))
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
        parent = os.getpid()
        self._process = os.fork()
        if self._process == 0:
            self._wait(threads, parent)

    def close(self):
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._socket.close()

    def _wait(self, threads, parent):
        import torch
        import transformers

        torch.set_num_threads(threads)  # a fork has none of the threads that others left behind
        # Loads them; the families are those of most tests.
        transformers.AutoModelForCausalLM, transformers.AutoModelForSeq2SeqLM, transformers.modeling_utils
        transformers.LlamaForCausalLM, transformers.Qwen3ForCausalLM
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self._socket.settimeout(1)
        while os.getppid() == parent:  # nobody waits any more where it was killed
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            size, descriptors, _, _ = socket.recv_fds(connection, 4, len(DESCRIPTORS))
            with connection.makefile("rb") as sent:
                arguments, environment, numbers = json.loads(sent.read(int.from_bytes(size, "big")))
            if os.fork() == 0:
                self._become(connection, arguments, environment, dict(zip(numbers, descriptors)))
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()
        os._exit(0)

    def _become(self, connection, arguments, environment, descriptors):
        high = {number: os.dup2(descriptor, 100 + number) for number, descriptor in descriptors.items()}
        kept = connection.detach()
        os.dup2(kept, 99)
        os.closerange(3, 99)
        for number, descriptor in high.items():
            os.dup2(descriptor, number)
        os.closerange(100, 200)
        os.environ.clear()
        os.environ.update(environment)
        sys.executable = self.program  # what this program starts is forked, too
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        status = 0
        try:
            text = arguments.index("-c") + 1
            sys.argv = ["-c", *arguments[text + 1:]]
            exec(compile(arguments[text], "<string>", "exec"), {"__name__": "__main__"})
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
            status = 1
        os.write(99, str(min(status, 9)).encode())
        os._exit(status)


if __name__ == "__main__":
    waiting = ForkedPython(sys.argv[1], threads=1)
    print("ready", flush=True)
    sys.stdin.read()
    waiting.close()
