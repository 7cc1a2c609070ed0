"""A host for tests: an sshd of its own on a free port of this machine, with its own keys, home and configuration.
Its connections can be cut, and it can be stopped and started again."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time


def program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not found:
        raise RuntimeError(f"{name} is missing; make setup-test installs openssh-server and openssh-client")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SshHost:
    """`name` is what --on gets; `environment` is what a client needs to reach it."""

    name = "gpubox"

    def __init__(self, place: pathlib.Path, environment: dict[str, str]):
        self.place = place
        self.home = place / "home"
        self.home.mkdir(parents=True)
        self.port = free_port()
        self.server = None
        for key in ("host_key", "user_key"):
            subprocess.run(
                [program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(place / key)], check=True)
        shutil.copy(place / "user_key.pub", place / "authorized_keys")
        (place / "known_hosts").write_text(
            f"[127.0.0.1]:{self.port} " + (place / "host_key.pub").read_text())
        self.environment_of_host = {"HOME": str(self.home), **environment}
        self.write_server_configuration()
        (place / "ssh_config").write_text(f"""
Host {self.name}
  HostName 127.0.0.1
  Port {self.port}
  User {pwd.getpwuid(os.getuid()).pw_name}
  IdentityFile {place}/user_key
  IdentitiesOnly yes
  UserKnownHostsFile {place}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  LogLevel ERROR
Host nowhere
  HostName 127.0.0.1
  Port 1
""")
        ssh = place / "ssh"
        ssh.write_text(f'#!/bin/sh\nexec {program("ssh")} -F {place}/ssh_config "$@"\n')
        ssh.chmod(0o755)
        self.client = {"ULP_SSH": str(ssh)}
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        self.start()

    def write_server_configuration(self):
        variables = " ".join(f'"{name}={value}"' for name, value in self.environment_of_host.items())
        (self.place / "sshd_config").write_text(f"""
Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.place}/host_key
PidFile {self.place}/sshd.pid
AuthorizedKeysFile {self.place}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
PrintMotd no
SetEnv {variables}
""")

    def start(self):
        self.server = subprocess.Popen(
            [program("sshd"), "-D", "-f", str(self.place / "sshd_config"), "-E", str(self.place / "log")],
            stdin=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > end or self.server.poll() is not None:
                    raise RuntimeError("sshd does not start: " + (self.place / "log").read_text())
                time.sleep(.05)

    def sessions(self):
        """Processes of sshd that serve a connection."""
        found, waiting = [], [self.server.pid] if self.server else []
        while waiting:
            parent = waiting.pop()
            for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
                try:
                    text = stat.read_text()
                except OSError:
                    continue
                name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
                if int(rest[1]) == parent and name.startswith("sshd"):
                    pid = int(stat.parent.name)
                    found.append(pid)
                    waiting.append(pid)
        return found

    def cut(self):
        """Ends every connection, as a network does that goes away."""
        sessions = self.sessions()
        for pid in sessions:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return len(sessions)

    def stop(self):
        sessions = self.sessions()
        if self.server:
            self.server.terminate()
            self.server.wait(20)
            self.server = None
        for pid in sessions:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def jobs(self):
        return sorted((self.home / ".local/share/ulpscope/jobs").glob("*"))
