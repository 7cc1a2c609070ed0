"""Studies that run on another machine, by ssh: an sshd of the test's own, whose connections break.

remote_test.py ULPSCOPE_CLI FAKE_ENGINE_LIBRARY"""
import json
import os
import pathlib
import pty
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from ssh_host import SshHost

FAKE = sys.argv.pop(2)
CLI = sys.argv.pop(1)
STUDY = """
model: {path: model}
input: {sequence_length: 8}
capture: {tensors: full}
device: cpu
variants:
  bf16: {precision.compute_dtype: bfloat16}
  fp16: {precision.compute_dtype: float16}
"""
SAME_EVERY_TIME = ("time", "seconds", "output_dir", "path", "report", "peak_bytes", "eta_seconds", "run_eta_seconds")


def waited(condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(.02)
    return False


def comparable(report):
    """What of a report does not depend on when and where it was made."""
    for name in ("provenance", "study", "effective"):
        report.pop(name, None)
    for run in report["runs"].values():
        for name in ("seconds", "peak_bytes"):
            run.pop(name, None)
    return report


class RemoteTest(unittest.TestCase):
    delay = 0

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.place = pathlib.Path(temporary.name)
        self.host = self.start_host()
        self.addCleanup(self.end_everything)
        (self.host.home / "model").mkdir()
        (self.host.home / "model/config.json").write_text("{}")
        self.study = self.place / "local/study.yaml"
        self.study.parent.mkdir()
        self.study.write_text(STUDY)
        self.out = self.place / "local/out"

    def install_program(self):
        """As a user does who has a folder of programs: where a connection looks."""
        place = self.host.home / ".local/bin"
        place.mkdir(parents=True)
        (place / "ulpscope-cli").symlink_to(CLI)

    def command(self, *words, code=0):
        done = subprocess.run([CLI, *map(str, words)], capture_output=True, text=True, env=self.environment(), timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def start_host(self, **environment):
        return SshHost(self.place / "host", {
            "ULP_ENGINE_LIBRARY": FAKE, "ULP_FAKE_DELAY_US": str(self.delay), "ULP_FAKE_HIDDEN": "16", **environment})

    def end_everything(self):
        for job in self.host.jobs():
            for file in job.glob("*/processes.json"):
                for process in json.loads(file.read_text()).values():
                    try:
                        started = pathlib.Path(f"/proc/{process['pid']}/stat").read_text().rpartition(")")[2].split()[19]
                        if int(started) == process["started"]:
                            os.kill(process["pid"], signal.SIGKILL)
                    except (OSError, IndexError):
                        pass
        self.host.stop()

    def environment(self):
        return {**os.environ, **self.host.client, "HOME": str(self.place / "local")}

    def words(self, *options, host=None):
        return [CLI, "run", str(self.study), "--on", host or self.host.name, "--host-program", CLI,
                "--output", str(self.out), *options]

    def start(self, *options):
        self.log = open(self.place / "err", "w+")
        self.events_file = open(self.place / "events", "w+")
        child = subprocess.Popen(
            self.words("--progress", "jsonl", *options), stdin=subprocess.PIPE, stdout=self.events_file, stderr=self.log,
            env=self.environment())
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def run_to_end(self, *options, code=0, **more):
        done = subprocess.run(self.words(*options, **more), capture_output=True, text=True, env=self.environment(), timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def events(self):
        return [json.loads(line) for line in (self.place / "events").read_text().splitlines()]

    def said(self, kind, **fields):
        return [event for event in self.events()
                if event["event"] == kind and all(event.get(name) == value for name, value in fields.items())]

    def said_text(self, text):
        return any(text in event["text"] for event in self.said("message"))

    def local_report(self):
        out = self.place / "same"
        subprocess.run(
            [CLI, "run", str(self.study), "--output", str(out), "--set", f"model.path={self.host.home}/model"],
            check=True, capture_output=True, env={**os.environ, "ULP_ENGINE_LIBRARY": FAKE, "ULP_FAKE_HIDDEN": "16"})
        return comparable(json.loads((out / "precision_report.json").read_text()))

    def assert_whole(self):
        """The folder here is that of the host, but for the tensors, and the report that of a study of this machine."""
        job, = self.host.jobs()
        there = job / "run"
        for name in ("precision_report.json", "events.jsonl", "run.log", "study.yaml"):
            self.assertEqual((self.out / name).read_bytes(), (there / name).read_bytes(), name)
        self.assertTrue((there / "tensors.h5").exists())
        self.assertFalse((self.out / "tensors.h5").exists())
        self.assertEqual(comparable(json.loads((self.out / "precision_report.json").read_text())), self.local_report())
        self.assertFalse(list(self.out.glob("*.ulp-part")) + list(self.out.glob(".*")), "nothing half-written")


class QuickTest(RemoteTest):
    def test_a_study_runs_on_the_host_and_all_but_its_tensors_comes_back(self):
        done = self.run_to_end("--progress", "plain")
        self.assertIn(str(self.out / "precision_report.json"), done.stdout)
        self.assertIn("bf16", done.stdout)
        self.assertIn("runs on gpubox", done.stderr)
        self.assert_whole()
        kept = json.loads((self.out / "remote.json").read_text())
        self.assertEqual((kept["host"], kept["attempt"]), ("gpubox", 1))
        self.assertEqual(kept["folder"], str(self.host.jobs()[0] / "run"))
        again = self.run_to_end(code=2)
        self.assertIn("holds results already", again.stderr)
        # All is there: another attempt has nothing to do, and says so as a study of this machine does.
        resumed = self.run_to_end("--resume")
        self.assertIn("bf16", resumed.stdout)
        self.run_to_end("--overwrite")
        self.assertEqual(len(self.host.jobs()), 1, "what was replaced here is removed there")

    def test_code_and_data_beside_the_study_are_sent_and_what_lies_elsewhere_is_refused(self):
        self.study.write_text(STUDY + "python.prepare: code/prepare.py:change\n")
        refused = self.run_to_end(code=2)
        self.assertIn("code/prepare.py", refused.stderr)
        self.assertIn("sent to the host", refused.stderr)
        self.assertFalse(self.host.jobs())
        self.study.write_text(STUDY + "python.prepare: ../prepare.py:change\n")
        self.assertIn("outside of the study's folder", self.run_to_end(code=2).stderr)
        (self.study.parent / "code").mkdir()
        (self.study.parent / "code/prepare.py").write_text("def change(model):\n    return model\n")
        (self.study.parent / "code/other.py").write_text("")
        self.study.write_text(STUDY + "python.prepare: code/prepare.py:change\n")
        self.run_to_end("--send", "code", code=2)  # the fake engine runs no Python
        job, = self.host.jobs()
        self.assertEqual(sorted(str(file.relative_to(job / "study")) for file in (job / "study").rglob("*") if file.is_file()),
                         ["code/other.py", "code/prepare.py", "study.yaml"])

    def test_what_keeps_ssh_from_connecting_is_said_with_its_remedy(self):
        for host, words in (("-oProxyCommand=touch /tmp/ulpscope-owned", "dash"), ("two words", "no name of a machine"),
                            ("user@-oProxyCommand=x", "dash"), ("nowhere", "nothing answers")):
            with self.subTest(host):
                done = subprocess.run([CLI, "run", str(self.study), f"--on={host}", "--output", str(self.out)],
                                      capture_output=True, text=True, env=self.environment())
                self.assertIn(words, done.stderr)
                self.assertNotEqual(done.returncode, 0)
        self.assertFalse(pathlib.Path("/tmp/ulpscope-owned").exists())
        (self.host.place / "known_hosts").write_text("")
        self.assertIn("compare the key", self.run_to_end(code=2).stderr)
        (self.host.place / "known_hosts").write_text(
            f"[127.0.0.1]:{self.host.port} " + (self.host.place / "host_key.pub").read_text())
        missing = subprocess.run(
            [CLI, "run", str(self.study), "--on", "gpubox", "--host-program", "/nowhere/ulpscope-cli", "--output",
             str(self.out)], capture_output=True, text=True, env=self.environment())
        self.assertIn("there is no Ulpscope", missing.stderr)
        self.assertIn("--install", missing.stderr)
        (self.host.place / "authorized_keys").write_text("")
        self.assertIn("ssh-add", self.run_to_end(code=3).stderr)
        self.assertFalse(self.out.exists(), "nothing was left behind")

    def asked_by_ssh(self):
        """A key with a passphrase, and a host that nobody has seen yet."""
        subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "open sesame", "-f", str(self.host.place / "user_key")],
                       check=True, capture_output=True)
        (self.host.place / "known_hosts").write_text("")
        config = self.host.place / "ssh_config"
        config.write_text(config.read_text().replace("StrictHostKeyChecking yes", "StrictHostKeyChecking ask"))
        self.install_program()
        return [CLI, "jobs", self.host.name]

    def test_ssh_asks_by_the_program_that_is_named_and_at_the_terminal(self):
        words = self.asked_by_ssh()
        answers = self.place / "answers"
        answers.write_text(f"""#!/bin/sh
echo "$ULP_ASKING $1" >>{self.place}/asked
case $1 in *passphrase*) echo "open sesame";; *yes/no*) echo yes;; *) exit 1;; esac
""")
        answers.chmod(0o755)
        environment = {name: value for name, value in self.environment().items() if not name.startswith("SSH_A")}
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**environment, "ULP_ASKPASS": str(answers)})
        self.assertEqual((done.returncode, done.stdout), (0, "gpubox: keeps no studies\n"), done.stderr)
        asked = (self.place / "asked").read_text()
        self.assertIn("can't be established", asked)
        self.assertIn("1 Enter passphrase", asked)
        self.assertTrue((self.host.place / "known_hosts").read_text(), "the host is known from then on")
        # Who does not know it is told what helps.
        answers.write_text("#!/bin/sh\nexit 1\n")
        refused = subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                                 env={**environment, "ULP_ASKPASS": str(answers)})
        self.assertEqual(refused.returncode, 3)
        self.assertIn("ssh-add", refused.stderr)

        self.ask_at_the_terminal(words)

    def ask_at_the_terminal(self, words):
        (self.host.place / "known_hosts").write_text("")
        environment = {name: value for name, value in self.environment().items()
                       if not name.startswith("SSH_A") and name not in ("ULP_ASKPASS", "DISPLAY")}
        child, terminal = pty.fork()
        if child == 0:
            os.execve(words[0], words, environment)
        text = b""
        end = time.monotonic() + 60
        pending = [(b"passphrase", b"open sesame\n"), (b"yes/no", b"yes\n")]
        while time.monotonic() < end:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            text += piece
            for each in list(pending):
                if each[0] in text:
                    pending.remove(each)
                    os.write(terminal, each[1])
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0, text)
        self.assertIn(b"keeps no studies", text)
        os.close(terminal)

    def test_a_study_that_the_host_refuses_ends_as_here(self):
        self.study.write_text(STUDY.replace("{path: model}", "{path: other}"))
        done = self.run_to_end(code=2)
        self.assertIn("other", done.stderr)

    def test_what_a_shell_writes_first_is_passed_over(self):
        # A profile that talks, as a wrong one does.
        noisy = self.place / "noisy"
        noisy.write_text(f"#!/bin/sh\necho Welcome; echo to this machine\nexec {CLI} \"$@\"\n")
        noisy.chmod(0o755)
        words = self.words()
        words[words.index(CLI, 1)] = str(noisy)
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)


class SourcesTest(RemoteTest):
    def setUp(self):
        super().setUp()
        self.install_program()
        self.run_to_end()
        self.there = self.host.jobs()[0] / "run"
        self.url = f"ssh://{self.host.name}{self.there}"

    def kept_tensors(self):
        """Those of which elements came."""
        return list((self.place / "local/.cache/ulpscope/hosts/.tensors").glob("*.tensor"))

    def test_numbers_of_tensors_are_computed_on_the_host_and_elements_come_when_they_are_needed(self):
        listed = self.command("inspect", self.out)
        self.assertEqual(listed.stdout, self.command("inspect", self.there).stdout)
        self.assertFalse(self.kept_tensors(), "a list needs no tensor")
        rules = self.place / "rules.yaml"
        rules.write_text("rules: [{metric: allclose, rtol: 1.0e-2, atol: 1.0e-3}]")
        one = ("logits", "--run", "bf16", "--pass", "forward")
        for words in (("inspect", "@", *one, "--slice", "0,::-2,1:9:3"), ("inspect", "@", *one, "--worst", "3", "--histogram"),
                      ("inspect", "@/tensors.h5", *one), ("logprobs", "@"), ("check", "@", "--rules", rules),
                      ("compare", "@#reference", "@#bf16", "--format", "json", "--rules", rules)):
            here, there = (
                subprocess.run([CLI, *(str(word).replace("@", str(place)) for word in words)],
                               capture_output=True, text=True, env=self.environment()) for place in (self.there, self.url))
            self.assertEqual((there.stdout, there.returncode), (here.stdout, here.returncode), there.stderr)
            self.assertTrue(here.stdout, here.stderr)
            if words[0] != "compare":  # where it follows a token, the elements of that come
                self.assertEqual(self.kept_tensors(), [], words)
        self.assertIn("identical", self.command("compare", f"{self.url}#bf16", f"{self.there}#bf16").stdout)
        self.assertTrue(self.kept_tensors(), "one of the two is here")
        # Without the host there is an error, and no number.
        self.host.stop()
        lost = self.command("inspect", self.out, "loss", "--run", "bf16", code=3)
        self.assertIn("nothing answers", lost.stderr)
        self.assertEqual(lost.stdout, "")

    def test_a_report_on_a_host_is_read_by_its_address(self):
        for url in (self.url, self.url + "/precision_report.json"):
            self.assertEqual(self.command("report", url).stdout, self.command("report", self.there).stdout)
        one = ("norm", "--run", "fp16", "--pass", "forward")
        self.assertEqual(self.command("inspect", self.url, *one).stdout, self.command("inspect", self.there, *one).stdout)
        # Names begin in the home, too.
        short = f"ssh://{self.host.name}/~/{self.there.relative_to(self.host.home)}"
        self.assertEqual(self.command("report", short).stdout, self.command("report", self.there).stdout)
        self.assertIn("no such file", self.command("report", f"ssh://{self.host.name}/nowhere", code=2).stderr)
        self.assertIn("dash", self.command("report", "ssh://-oProxyCommand=x/y", code=2).stderr)

    def look_at_what_the_host_keeps(self):
        """Studies that a host keeps are listed and removed."""
        job, = self.host.jobs()
        listed = self.command("jobs", self.host.name).stdout
        for text in (job.name, "done", "study.yaml", str(self.there)):
            self.assertIn(text, listed)
        one, = json.loads(self.command("jobs", self.host.name, "--format", "json").stdout)
        self.assertEqual((one["job"], one["phase"], one["exit_code"], one["results_here"]), (job.name, "over", 0, True))
        self.assertGreater(one["bytes"], (self.there / "tensors.h5").stat().st_size)
        self.assertIn("has no study", self.command("jobs", self.host.name, "--remove", "other", code=2).stderr)
        self.assertEqual(self.command("jobs", self.host.name, "--remove-older", "1").stdout, "")
        self.assertEqual(self.command("jobs", self.host.name, "--remove", job.name).stdout, f"removed {job.name}\n")
        self.assertEqual(self.host.jobs(), [])
        self.assertIn("keeps no studies", self.command("jobs", self.host.name).stdout)

    def test_a_dump_on_a_host_is_compared_by_its_lists_and_tensors_and_studies_there_are_removed(self):
        def write(file, values):
            head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
            head += " " * (117 - len(head)) + "\n"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                             struct.pack(f"<{len(values)}f", *values))
        for name, off in (("a", 0), ("b", 1)):
            write(self.host.home / name / "x.npy", [1, 2, 3, float("nan")])
            write(self.host.home / name / "deep/y.npy", [4, 5, 6 + off])
        compared = self.command("compare", self.host.home / "a", self.host.home / "b").stdout
        place = f"ssh://{self.host.name}{self.host.home}"
        self.assertIn("y", compared)
        there = self.command("compare", f"{place}/a", f"{place}/b").stdout
        cached = self.place / "local/.cache/ulpscope/hosts/gpubox" / str(self.host.home)[1:]
        self.assertEqual(there.replace(str(cached), str(self.host.home)), compared)
        self.assertEqual([path.name for path in (cached / "a").rglob("*")], ["remote_dump.json"], "nothing is copied")
        # One is looked at in the same way: its list, and of a slice these elements. So is a file of it.
        for words in (("inspect", "a"), ("inspect", "a", "deep/y", "--slice", "::-2"), ("inspect", "b/x.npy"),
                      ("report", "a", "--summary"), ("diverge", "a")):
            here, local = (subprocess.run([CLI, words[0], f"{where}/{words[1]}", *words[2:]], capture_output=True, text=True,
                                          env=self.environment()).stdout for where in (place, self.host.home))
            self.assertEqual(here.replace(str(cached), str(self.host.home)), local)
        self.assertEqual(self.kept_tensors(), [])
        for name in ("a", "b/x.npy"):
            self.assertEqual([path.name for path in (cached / name).rglob("*")], ["remote_dump.json"], "nothing is copied")
        # What is a dump to one command is a file to another.
        self.command("compare", f"{place}/b/x.npy", f"{place}/a", "--as", "msit", "-o", self.place / "msit", code=2)
        self.assertEqual((cached / "b/x.npy").read_bytes(), (self.host.home / "b/x.npy").read_bytes())
        for words in (("report", "a", "-o", f"{place}/new"), ("compare", "a", "b", f"--report={place}/new"),
                      ("export", "a", f"{place}/new", "--to", "npy")):
            self.assertIn("written on this machine", self.command(*words, code=2).stderr)
        self.assertFalse((cached / "new").exists())
        # A tensor that changes there is read anew.
        write(self.host.home / "b/deep/y.npy", [4, 5, 6])
        self.assertIn("identical", self.command("compare", f"{place}/a", f"{place}/b").stdout)
        # A mark that somebody else wrote leads nowhere.
        (cached / "a/remote_dump.json").write_text(json.dumps(
            {"schema": "ulpscope.remote/1", "id": "0" * 24, "host": "evil", "folder": "/", "attempt": 0}))
        self.assertIn("did not write it", self.command("compare", cached / "a", self.host.home / "b", code=2).stderr)
        self.look_at_what_the_host_keeps()

    def test_files_and_folders_on_a_host_are_copied_as_a_whole_and_only_once(self):
        dump = self.host.home / "dump"
        (dump / "deep").mkdir(parents=True)
        source = self.there / "precision_report.json"
        (dump / "deep/a b.json").write_bytes(source.read_bytes())
        (dump / "empty").write_bytes(b"")
        self.command("report", f"ssh://{self.host.name}{dump}", code=2)  # no dump that anything knows
        cached = self.place / "local/.cache/ulpscope/hosts/gpubox" / str(dump)[1:]
        self.assertEqual((cached / "deep/a b.json").read_bytes(), source.read_bytes())
        self.assertEqual((cached / "empty").read_bytes(), b"")
        before = (cached / "deep/a b.json").stat().st_ino
        self.command("report", f"ssh://{self.host.name}{dump}/deep/a b.json")
        self.assertEqual((cached / "deep/a b.json").stat().st_ino, before, "it has not changed there")
        time.sleep(.01)
        (dump / "deep/a b.json").write_bytes(source.read_bytes() + b"\n")
        self.command("report", f"ssh://{self.host.name}{dump}/deep/a b.json")
        self.assertEqual((cached / "deep/a b.json").read_bytes(), source.read_bytes() + b"\n")


class InstallTest(RemoteTest):
    def bundle(self, program):
        folder = self.place / "bundle/ulpscope-headless"
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin/ulpscope-cli").write_text("#!/bin/sh\n" + program)
        (folder / "bin/ulpscope-cli").chmod(0o755)
        archive = self.place / "bundle.tar.xz"
        subprocess.run(["tar", "-C", str(self.place / "bundle"), "-cJf", str(archive), "ulpscope-headless"], check=True)
        return str(archive)

    def run_installing(self, archive, code=0):
        done = subprocess.run(
            [CLI, "run", str(self.study), "--on", "gpubox", "--install-from", archive, "--output", str(self.out)],
            capture_output=True, text=True, env=self.environment(), timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_the_bundle_is_copied_where_it_is_missing_and_used_from_then_on(self):
        place = self.host.home / ".local/share/ulpscope"
        self.assertIn("another version", self.run_installing(self.bundle("echo ulpscope-cli 9.9.9"), code=2))
        self.assertIn("does not run", self.run_installing(self.bundle("echo no such library >&2; exit 1"), code=2))
        self.assertEqual(list(place.glob("[!j]*")) + list(place.glob(".*")), [], "nothing is left behind")
        archive = self.bundle(f'exec {CLI} "$@"\n')
        self.assertIn("copying Ulpscope", self.run_installing(archive))
        version = subprocess.run([CLI, "--version"], capture_output=True, text=True).stdout.split()[1]
        self.assertTrue((place / version / "bin/ulpscope-cli").exists())
        self.assertEqual(list(place.glob(".install*")), [])
        # From here on it is found, and not copied again.
        done = subprocess.run([CLI, "run", str(self.study), "--on", "gpubox", "--install", "--output", str(self.out),
                               "--overwrite"], capture_output=True, text=True, env=self.environment(), timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("copying", done.stderr)


class SlowTest(RemoteTest):
    delay = 20000

    def wait_for(self, kind, **fields):
        self.assertTrue(waited(lambda: self.said(kind, **fields)), (self.place / "err").read_text())

    def test_a_lost_connection_loses_nothing(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        self.assertTrue((self.out / "precision_report.json").exists(), "the report grows here, too")
        self.assertGreater(self.host.cut(), 0)
        self.assertTrue(waited(lambda: self.said_text("connected to gpubox again")), (self.place / "err").read_text())
        # And once more, for so long that the study ends meanwhile.
        self.wait_for("run_started", run="fp16")
        self.host.stop()
        there = self.host.jobs()[0] / "1/end.json"
        self.assertTrue(waited(there.exists), "the study goes on by itself")
        self.host.start()
        self.assertEqual(child.wait(60), 0, (self.place / "err").read_text())
        for kind in ("run_started", "run_finished"):
            self.assertEqual([event["run"] for event in self.said(kind)], ["reference", "bf16", "fp16"], "once each")
        self.assertEqual(len(self.said("study_started")), 1)
        self.assertEqual(self.said("study_finished")[0]["status"], "finished")
        self.assertEqual(self.said("study_finished")[0]["report"], str(self.out / "precision_report.json"))
        fractions = [event["fraction"] for event in self.said("progress")]
        self.assertEqual(fractions, sorted(fractions))
        self.assertTrue(fractions)
        held = self.said("memory")
        self.assertTrue(held, "what the worker holds there")
        self.assertTrue(all(2**20 < event["resident_bytes"] <= event["peak_bytes"] for event in held), held)
        self.assert_whole()

    def test_ctrl_c_cancels_there_and_resume_goes_on(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(60), 130, (self.place / "err").read_text())
        self.assertLess(time.monotonic() - begun, 5)
        job, = self.host.jobs()
        self.assertEqual(json.loads((job / "1/end.json").read_text())["exit_code"], 130)
        self.assertEqual(self.said("run_finished", run="bf16")[0]["status"], "cancelled")
        resumed = self.run_to_end("--resume", "--progress", "plain")
        self.assertIn("[1/3] reference", resumed.stderr)
        self.assertEqual(self.host.jobs(), [job], "the same results")
        self.assertEqual((job / "2/end.json").exists(), True)
        self.assert_whole()

    def test_a_window_that_closes_leaves_the_study_running_and_it_is_taken_up_again(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        child.send_signal(signal.SIGHUP)
        self.assertEqual(child.wait(30), 130)
        self.assertIn("goes on on gpubox", (self.place / "err").read_text())
        job, = self.host.jobs()
        self.assertFalse((job / "1/end.json").exists())
        second = self.start("--resume")
        self.assertTrue(waited(lambda: self.said_text("taking up the study")))
        self.assertEqual(second.wait(60), 0, (self.place / "err").read_text())
        self.assertEqual(sorted(path.name for path in job.glob("[0-9]*")), ["1"], "nothing began anew")
        self.assertEqual([event["run"] for event in self.said("run_finished")], ["reference", "bf16", "fp16"])
        self.assert_whole()

    def test_the_command_that_takes_a_study_up_is_the_one_that_was_left(self):
        child = self.start("--variant", "bf16", "--set", "input={seed: 5}", "--threads", "1")
        self.wait_for("run_started", run="bf16")
        child.send_signal(signal.SIGHUP)
        self.assertEqual(child.wait(30), 130)
        said = (self.place / "err").read_text()
        command = re.search("`(.*)` takes it up", said).group(1)
        self.assertEqual(shlex.split(command), [
            "ulpscope-cli", "run", str(self.study), "--on", "gpubox", "--output", str(self.out), "--set", "input={seed: 5}",
            "--variant", "bf16", "--threads", "1", "--resume"])

    def test_after_the_first_ctrl_c_the_second_does_not_say_that_the_study_goes_on(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        job, = self.host.jobs()
        worker = json.loads((job / "1/processes.json").read_text())["worker"]["pid"]
        os.kill(worker, signal.SIGSTOP)
        self.addCleanup(os.kill, worker, signal.SIGCONT)
        child.send_signal(signal.SIGINT)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(30), 130)
        said = (self.place / "err").read_text()
        self.assertIn("gpubox was told to stop the study; `", said)
        self.assertNotIn("goes on", said)

    def test_what_was_added_to_a_study_is_made_whether_it_runs_yet_or_ended_meanwhile(self):
        child = self.start()
        self.wait_for("run_started", run="reference")
        child.send_signal(signal.SIGHUP)
        self.assertEqual(child.wait(30), 130)
        self.study.write_text(STUDY + "  double: {precision.compute_dtype: float64}\n")
        taken = self.run_to_end("--resume", "--progress", "plain")
        self.assertIn("gpubox runs the study as it was sent", taken.stderr)
        self.assertNotIn("double", taken.stdout)
        self.assertIn("double", self.run_to_end("--resume").stdout)
        # Nobody saw the end.
        child = self.start("--overwrite")
        self.wait_for("run_started", run="reference")
        child.send_signal(signal.SIGHUP)
        self.assertEqual(child.wait(30), 130)
        self.assertTrue(waited((self.host.jobs()[0] / "1/end.json").exists))
        self.study.write_text(self.study.read_text() + "  half: {precision.compute_dtype: float16}\n")
        resumed = self.run_to_end("--resume")
        self.assertIn("half", resumed.stdout)
        self.assert_whole()

    def test_a_command_that_is_killed_takes_nothing_with_it(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        child.kill()
        child.wait()
        job, = self.host.jobs()
        self.assertTrue(waited((job / "1/end.json").exists))
        self.run_to_end("--resume")
        self.assertEqual(sorted(path.name for path in job.glob("[0-9]*")), ["1"])
        self.assert_whole()

    def test_skipping_reaches_the_host(self):
        child = self.start("--control")
        self.wait_for("run_started", run="reference")
        child.stdin.write(b"skip bf16\n")
        child.stdin.flush()
        self.assertEqual(child.wait(60), 0, (self.place / "err").read_text())
        self.assertEqual(self.said("run_finished", run="bf16")[0]["status"], "skipped")

    def test_a_worker_that_is_killed_there_is_told_and_a_used_number_is_not_killed(self):
        child = self.start()
        self.wait_for("run_started", run="bf16")
        job, = self.host.jobs()
        processes = json.loads((job / "1/processes.json").read_text())
        os.kill(processes["worker"]["pid"], signal.SIGKILL)
        self.assertEqual(child.wait(60), 3)
        self.assertIn("signal 9", (self.place / "err").read_text())
        # As after a restart: no end is known, and the number belongs to somebody else.
        bystander = subprocess.Popen(["sleep", "60"])
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        (job / "1/end.json").unlink()
        for process in processes.values():
            process["pid"] = bystander.pid
        (job / "1/processes.json").write_text(json.dumps(processes))
        resumed = self.run_to_end("--resume", "--progress", "plain")
        self.assertIn("bf16", resumed.stdout)
        self.assertIsNone(bystander.poll())
        self.assert_whole()


if __name__ == "__main__":
    unittest.main(verbosity=2)
