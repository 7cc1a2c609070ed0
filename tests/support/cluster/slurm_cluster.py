"""A Slurm cluster of one node, this machine, with Debian's slurm-wlm and a configuration, ports and folders of its own.

    with SlurmCluster(folder) as cluster:
        subprocess.run(["sbatch", ...], env=cluster.environment)
"""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "scancel")
CONFIGURATION = """\
ClusterName=ulpscope
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
# Nobody else reaches the ports: no munge.
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
# Without cgroups and systemd, as in a container.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
PriorityType=priority/basic
KillWait=5
MinJobAge=300
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=60 State=UP
"""


def missing() -> list[str]:
    """Programs of Slurm that this machine lacks."""
    return [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]


def search_path() -> str:
    return os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    def __init__(self, folder: pathlib.Path, cpus: int = 2):
        self.folder = folder
        self.cpus = cpus
        self.daemons: list[subprocess.Popen] = []
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf"), "PATH": search_path()}

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        controller_port, node_port = free_ports(2)
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, controller_port=controller_port, node_port=node_port, folder=self.folder, cpus=self.cpus,
            user=pwd.getpwuid(os.getuid()).pw_name))
        try:
            for words in (["slurmctld", "-D", "-c"], ["slurmd", "-D", "-N", host]):
                with open(self.folder / f"{words[0]}.out", "wb") as output:
                    self.daemons.append(subprocess.Popen(
                        words, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                        start_new_session=True))
            self.wait_for_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def run(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60)

    def wait_for_node(self) -> None:
        end = time.monotonic() + 30
        state = ""
        while time.monotonic() < end:
            if any(daemon.poll() is not None for daemon in self.daemons):
                break
            state = self.run("sinfo", "-h", "-o", "%T").stdout.strip()
            if state == "idle":
                return
            time.sleep(0.1)
        raise RuntimeError(f"the cluster does not start: node {state!r}\n" + self.logs())

    def logs(self) -> str:
        return "\n".join(f"--- {file.name}\n{file.read_text(errors='replace')[-4000:]}"
                         for file in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")))

    def __exit__(self, *unused) -> None:
        if self.daemons:
            self.run("scancel", "--full", "--quiet", "--user", pwd.getpwuid(os.getuid()).pw_name)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
