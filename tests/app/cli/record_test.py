"""`ulpscope-cli record` with programs that nobody edits.

record_test.py ULPSCOPE_CLI"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "resources"))
from recorder_test import Dump, same

import torch
from ulpscope_recorder import Recorder

CLI = sys.argv.pop(1)
NET = """
import sys, torch
torch.manual_seed(0)
torch.set_num_threads(1)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(4, 8), torch.nn.Linear(8, 4)
    def forward(self, x):
        return x + self.down(torch.nn.functional.silu(self.up(x)))
model, criterion = Net(), torch.nn.MSELoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=.1)
def batches():
    for step in range(3):
        yield torch.linspace(-1, 1, 8).reshape(2, 4) * (step + 1)
"""
STEP = "    loss = criterion(model(x), x * 2)\n    loss.backward()\n    optimizer.step()\n    optimizer.zero_grad()\n"
TRAIN = NET + "for x in batches():\n" + STEP + "print('trained')\n"
GENERATE = """
import torch, transformers
torch.manual_seed(0)
torch.set_num_threads(1)
model = transformers.LlamaForCausalLM(transformers.LlamaConfig(
    hidden_size=16, intermediate_size=24, num_hidden_layers=2, vocab_size=32, num_attention_heads=4,
    num_key_value_heads=2)).eval()
print(model.generate(torch.arange(5)[None], max_new_tokens=6, do_sample=False, pad_token_id=0, eos_token_id=None).tolist())
"""
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}


class RecordTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.place = pathlib.Path(temporary.name)
        self.dump = self.place / "dump"

    def program(self, text):
        (self.place / "program.py").write_text(text)
        return self.place / "program.py"

    def record(self, *options, command=None, code=0, program=None, **environment):
        command = command or [sys.executable, self.program(program)]
        run = subprocess.run([CLI, "record", "--out", self.dump, *options, "--", *command], capture_output=True, text=True,
                             check=False, timeout=120, env={**ENVIRONMENT, **environment})
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def lines(self, folder, step=0, rank=0):
        head, *rest = (folder / f"step{step}" / f"rank{rank}" / "index.jsonl").read_text().splitlines()
        return [{key: value for key, value in json.loads(head).items() if key != "started"}, *map(json.loads, rest)]

    def test_a_training_is_recorded_as_by_the_recorder_in_it(self):
        for options, level in (([], "L0"), (["--level", "mix", "--stack"], "mix")):
            with self.subTest(level=level):
                self.dump = self.place / level
                run = self.record(*options, program=TRAIN)
                self.assertEqual(run.stdout, "trained\n")
                self.assertIn("recorded 3 steps: ", run.stderr)
                self.assertIn(f"ulpscope-cli compare {self.dump} OTHER", run.stderr)
                names = {}
                exec(compile(NET, self.place / "program.py", "exec"), names)
                names["recorder"] = Recorder({"": names["model"], "criterion": names["criterion"]}, self.place / "ours",
                                             level=level)
                loop = "for x in batches():\n    recorder.start()\n" + STEP.replace(
                    "    optimizer.zero_grad()", "    recorder.stop(); optimizer.zero_grad(); recorder.step()")
                exec(loop + "recorder.close()\n", names)
                for step in range(3):
                    theirs, ours = Dump(self.dump, step), Dump(self.place / "ours", step)
                    self.assertEqual(theirs.tensors.keys(), ours.tensors.keys())
                    for key, tensor in ours.tensors.items():
                        self.assertTrue(same(theirs.tensors[key], tensor), key)
                    if level == "L0":
                        self.assertEqual(self.lines(self.dump, step), self.lines(self.place / "ours", step))
                    else:
                        self.assertTrue(any("program.py" in frame for frame in theirs.entry("up")["stack"]))
                for file in (self.place / "ours").glob("*/*/*"):
                    file.unlink()
                subprocess.run(["rm", "-r", self.place / "ours"], check=True)

    def test_a_step_that_a_gradient_scaler_leaves_out_is_one(self):
        """Else what follows it would be compared with the batch before."""
        self.record(program=NET + "scaler = torch.amp.GradScaler('cpu', init_scale=4.)\n" + textwrap.dedent("""
            for step, x in enumerate(batches()):
                loss = criterion(model(x), x * 2)
                scaler.scale(loss * (torch.inf if step == 1 else 1)).backward()
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
            """))
        self.assertEqual(sorted(folder.name for folder in self.dump.iterdir()), ["step0", "step1", "step2"])
        names = {}
        exec(compile(NET, self.place / "program.py", "exec"), names)
        for step, x in enumerate(names["batches"]()):
            dump = Dump(self.dump, step)
            self.assertTrue(same(dump.tensor("up", "forward", "input"), x))
            gradient = dump.tensor("up", "parameter_gradient", "parameter_gradient", "weight")
            self.assertEqual(bool(gradient.isfinite().all()), step != 1)

    def test_activation_checkpointing_changes_no_name(self):
        """Parts that run again inside of backward are called by no other module."""
        self.record("--level", "mix", program=NET.replace("model, criterion = Net()", """
import torch.utils.checkpoint
class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Net(), Net()
    def forward(self, x):
        x = torch.utils.checkpoint.checkpoint(self.first, x, use_reentrant=False)
        return torch.utils.checkpoint.checkpoint(self.second, x, use_reentrant=True)
model, criterion = Outer()""") + "for x in batches():\n" + STEP)
        dumps = Dump(self.dump, 0), Dump(self.dump, 2)
        first, last = [[(entry["name"], entry["pass"], entry.get("recomputed")) for entry in dump.entries] for dump in dumps]
        self.assertEqual({each for each in first if each[0][0].islower()}, {each for each in last if each[0][0].islower()})
        self.assertLessEqual({("first.up", "forward", True), ("second.up", "forward", True)}, set(first))
        self.assertEqual({name for name, *_ in first if name[0].islower()},
                         {f"{block}{part}" for block in ("first", "second") for part in ("", ".up", ".down")} | {"criterion"})

    def test_models_that_an_object_holds_have_the_names_of_its_attributes(self):
        self.record(program=NET + """
class Worker: pass
worker = Worker()
worker.actor, worker.critic = Net(), Net()
for x in batches():
    worker.actor(x).sum().backward(); worker.critic(x).sum().backward()
    worker.critic.up(x)
    optimizer.step()
""")
        names = {entry["name"] for entry in Dump(self.dump, 1).entries}
        self.assertLessEqual({"up", "down", "critic", "critic.up"}, names)
        self.assertFalse([name for name in names if name.startswith(("Linear", "Net", "up_"))], names)

    def test_steps_lists_and_checksums_are_chosen(self):
        run = self.record("--steps", "1-2", "--level", "L1", "--list", "linear", "--task", "checksum", "--data-mode",
                          "forward", program=TRAIN)
        self.assertIn("recorded 2 steps: ", run.stderr)
        self.assertEqual(sorted(os.listdir(self.dump)), ["step1", "step2"])
        dump = Dump(self.dump, 1)
        self.assertEqual({(entry["name"], entry["pass"]) for entry in dump.entries}, {("Functional.linear", "forward")})
        self.assertEqual(len(dump.row("Functional.linear", "forward", "output")["checksum"]), 8)

    def test_a_configuration_of_msprobe_is_understood(self):
        config = self.place / "config.json"
        config.write_text(json.dumps({"task": "tensor", "level": "L0", "dump_path": "nowhere", "step": [2],
                                      "tensor": {"list": ["up"]}}))
        self.record("--config", config, program=TRAIN)
        self.assertEqual(os.listdir(self.dump), ["step2"])
        self.assertEqual({entry["name"] for entry in Dump(self.dump, 2).entries if entry["pass"] == "forward"}, {"up"})

    def test_tokens_of_a_model_that_generates(self):
        run = self.record("--tokens", "1:3", program=GENERATE)
        self.assertIn("recorded 6 steps: ", run.stderr)
        names = {}
        exec(GENERATE.replace("print(model.generate(", "outputs = ((model.generate(").replace(
            "eos_token_id=None).tolist())", "eos_token_id=None, output_logits=True, return_dict_in_generate=True)))"), names)
        expected = names["outputs"].logits
        for token in range(6):
            dump = Dump(self.dump, token)
            self.assertEqual(dump.lines[0]["token"], token)
            got = dump.tensor("logits", "forward", "output", "next_token_logits")
            self.assertTrue(same(got, expected[token]), token)
            self.assertEqual("model.layers.1.mlp" in {entry["name"] for entry in dump.entries}, token in (1, 2))
        compared = subprocess.run([CLI, "compare", self.dump, self.dump, "--quiet"], capture_output=True, text=True,
                                  check=True)
        self.assertIn("6 of 6 tokens choose the same", compared.stdout)
        self.assertIn("rank 0, token 5", compared.stdout)

    def test_ranks_of_torchrun_write_a_part_each(self):
        program = self.program(NET.replace("model, criterion", """torch.distributed.init_process_group("gloo")
model, criterion""") + """
model = torch.nn.parallel.DistributedDataParallel(model)
for x in batches():
    x = x + torch.distributed.get_rank()
""" + STEP + "torch.distributed.destroy_process_group()\n")
        run = self.record(command=[sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
                                   program])
        self.assertIn(" of 2 ranks", run.stderr)
        first, second = [Dump(self.dump, 2, rank) for rank in range(2)]
        self.assertEqual([dump.lines[0]["world"] for dump in (first, second)], [2, 2])
        weight = ("up", "parameter_gradient", "parameter_gradient", "weight")
        self.assertTrue(same(first.tensor(*weight), second.tensor(*weight)))
        self.assertFalse(same(first.tensor("up", "forward", "input"), second.tensor("up", "forward", "input")))
        self.assertTrue(all(dump.lines[-1].get("end") for dump in (first, second)))

    def test_parts_of_a_sharded_model_are_put_together(self):
        # Whole numbers, so that no order of additions matters.
        net = NET.replace("model, criterion", """for_sharding = len(sys.argv) > 1
if for_sharding:
    torch.distributed.init_process_group("gloo")
model, criterion""").replace("AdamW(model.parameters(), lr=.1)", "SGD(model.parameters(), lr=1.)") + """
with torch.no_grad():
    for number, parameter in enumerate(model.parameters()):
        parameter.copy_(torch.arange(parameter.numel()).reshape(parameter.shape) % 5 - number)
model.forward = lambda x: model.down(torch.relu(model.up(x)))
whole = torch.arange(16.).reshape(4, 4) % 7 - 2
if for_sharding:
    from torch.distributed.fsdp import fully_shard
    fully_shard(model)
    model.set_gradient_divide_factor(1.0)
    model.set_force_sum_reduction_for_comms(True)  # the only one on Gloo
    whole = whole.chunk(2)[torch.distributed.get_rank()]
optimizer = torch.optim.SGD(model.parameters(), lr=1.)
model(whole).sum().backward()
optimizer.step()
if for_sharding:
    torch.distributed.destroy_process_group()
"""
        program = self.program(net)
        self.record(command=[sys.executable, program])
        whole, self.dump = self.dump, self.place / "sharded"
        self.record(command=[sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
                             program, "sharded"])
        parts = [Dump(self.dump, 0, rank) for rank in range(2)]
        weight = ("down", "parameter_gradient", "parameter_gradient", "weight")
        self.assertEqual([part.row(*weight)["shape"] for part in parts], [[2, 8], [2, 8]])
        run = subprocess.run([CLI, "compare", whole, self.dump, "--format", "json", "--quiet"], capture_output=True,
                             text=True, check=True)
        (unit,) = json.loads(run.stdout)["units"]
        self.assertEqual(unit["culprits"], [])
        run = subprocess.run([CLI, "compare", whole, self.dump, "--quiet"], capture_output=True, text=True, check=True)
        self.assertIn("identical", run.stdout)

    def test_what_a_failing_program_did_is_kept_and_its_code_passed_on(self):
        run = self.record(program=NET + "for x in batches():\n" + STEP + "    sys.exit(7) if x[1, 3] == 2 else None\n",
                          code=7)
        self.assertIn("recorded 2 steps: ", run.stderr)
        self.assertTrue(Dump(self.dump, 1).lines[-1]["end"])

    def test_programs_without_torch_or_model_are_told(self):
        run = self.record(program="print('no torch')", code=3)
        self.assertEqual(run.stdout, "no torch\n")
        self.assertIn("no Python of it imported torch, so that nothing was recorded", run.stderr)
        run = self.record(program="import torch", code=3)
        self.assertIn("no module of torch was called, so that nothing was recorded", run.stderr)
        run = self.record("--modules", "nosuch", program=TRAIN, code=3)
        self.assertIn("nothing was recorded: modules='nosuch' is found in no name of a module", run.stderr)
        self.assertFalse(self.dump.exists())

    def test_what_is_no_regular_expression_ends_the_program_before_it_works(self):
        for option, text in (("--modules", "("), ("--list", "name-regex(("), ("--list", "name-regex(()")):
            run = self.record(option, text, program="print('begun'); import torch; print('worked')", code=2)
            self.assertEqual(run.stdout, "begun\n")
            self.assertRegex(run.stderr, f"^ulpscope-cli: .*{option} .* is no regular expression: [^\n]*\n$")

    def test_a_sitecustomize_of_the_program_runs(self):
        (self.place / "site").mkdir()
        (self.place / "site/sitecustomize.py").write_text("import builtins\nbuiltins.custom = 'it runs'\n")
        run = self.record(program=TRAIN + "import sitecustomize\nprint(custom, sitecustomize.__file__)\n",
                          PYTHONPATH=str(self.place / "site"))
        self.assertEqual(run.stdout, f"trained\nit runs {self.place}/site/sitecustomize.py\n")
        self.assertIn("recorded 3 steps: ", run.stderr)

    def test_batches_are_recorded_and_evaluation_is_not(self):
        run = self.record(program=NET + """
from torch.utils.data import DataLoader
data = DataLoader(torch.linspace(-1, 1, 48).reshape(12, 4), batch_size=4, num_workers=1)
for x in data:
""" + STEP + """
    with torch.no_grad():
        model.eval()
        for other in DataLoader(torch.ones(6, 4), batch_size=2):
            model(other)
        model.train()
""")
        self.assertIn("recorded 3 steps: ", run.stderr)
        self.assertIn("9 calls in evaluation", run.stderr)
        rows = torch.linspace(-1, 1, 48).reshape(3, 4, 4)
        for step in range(3):
            dump = Dump(self.dump, step)
            self.assertEqual([entry["call"] for entry in dump.entries if entry["name"] == "data_loader"], [0])
            self.assertTrue(same(dump.tensor("data_loader", "forward", "output"), rows[step]))
            self.assertEqual([entry["call"] for entry in dump.entries if entry["name"] == "up" and
                              entry["pass"] == "forward"], [0])

    def test_a_full_disk_is_told_and_ends_no_program(self):
        run = self.record(command=["bash", "-c", f"ulimit -f 200; exec {sys.executable} {self.program(TRAIN)}"], code=3)
        self.assertEqual(run.stdout, "trained\n")
        self.assertRegex(run.stderr, "the recording is not complete: .*File too large")

    def started(self):
        """A training that never ends, once it has recorded some steps."""
        program = self.program(NET + "import time\nfor number in range(10 ** 6):\n    x = torch.ones(2, 4) * number\n" +
                               STEP + "    time.sleep(0.01)\n")
        process = subprocess.Popen([CLI, "record", "--out", self.dump, "--", sys.executable, program],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(process.stderr.close)
        while not (self.dump / "step5").exists():
            time.sleep(0.05)
            self.assertIsNone(process.poll())
        return process

    def test_ctrl_c_ends_the_program_and_keeps_its_steps(self):
        process = self.started()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        self.assertIn(process.wait(), (1, 130), errors)
        self.assertLess(time.monotonic() - began, 5)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertIn("ulpscope-cli: recorded ", errors)
        self.assertTrue(Dump(self.dump, 4).lines[-1]["end"])

    def test_a_program_that_is_killed_leaves_what_it_recorded(self):
        process = self.started()
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        errors = process.stderr.read()
        self.assertIn(process.wait(), (128 + 9, 128 + 15), errors)
        self.assertTrue(Dump(self.dump, 4).lines[-1]["end"])
        compared = subprocess.run([CLI, "compare", self.dump, self.dump, "--step", "4", "--quiet"], capture_output=True,
                                  text=True, check=True)
        self.assertIn("identical", compared.stdout)


if __name__ == "__main__":
    unittest.main()
