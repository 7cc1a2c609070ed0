"""The recorder in programs of two ranks, on Gloo: DDP, FSDP 1 and 2, DTensor, functions of torch.distributed; of four: FSDP
with replicas, and over a tensor-parallel plan.

One run of torchrun does all cases of as many ranks, each without the recorder and with it, and has to compute the same bits. What it recorded
is what one process with all the data records.

recorder_parallel_test.py ULPSCOPE_CLI"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from recorder_test import MODULE, Dump, same

import torch

CLI = sys.argv.pop(1)
PRELUDE = f"""
import os, sys, warnings
import torch, torch.distributed as dist
sys.path.insert(0, {str(MODULE)!r})
from ulpscope_recorder import Recorder
warnings.filterwarnings("error", module="ulpscope_recorder")
dist.init_process_group("gloo")
part = rank = dist.get_rank()
parts = 2
torch.set_num_threads(1)

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(4, 8), torch.nn.Linear(8, 4, bias=False)

    def forward(self, x):
        return x + self.down(torch.nn.functional.silu(self.up(x)))

def net():
    torch.manual_seed(0)
    return torch.nn.Sequential(Block(), Block())

def trained(model, step=None, shares=True):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for number in range(2):
        x = torch.linspace(-1, 2, 16).reshape(4, 4) * (1 + number)
        x = x.chunk(parts)[part] if shares else x
        with (step() if step else torch.enable_grad()):
            loss = torch.nn.functional.mse_loss(model(x), 2 * x)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses.append(loss.detach())
    whole = [p.full_tensor() if hasattr(p, "full_tensor") else p for p in model.parameters()]
    return losses + [p.detach().clone() for p in whole]

def compare(make, shares=True):
    expected = trained(make(), shares=shares)
    with Recorder(model := make(), folder, level="mix") as recorder:
        got = trained(model, recorder.step, shares)
    assert all(torch.equal(a, b) for a, b in zip(expected, got)), "the numbers changed"
"""


FSDP_1 = """
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
def make():
    model = net()
    for i in range(2):
        model[i] = FSDP(checkpoint_wrapper(model[i]), use_orig_params=True, device_id=torch.device("cpu"))
    return FSDP(model, use_orig_params=True, device_id=torch.device("cpu"))
compare(make)"""
TENSOR_PARALLEL = """
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
def divided(model, mesh):
    return parallelize_module(model, mesh, {f"{i}.{name}": style() for i in range(2) for name, style in
                                            (("up", ColwiseParallel), ("down", RowwiseParallel))})
"""
CASES = {
    "whole": """
if rank == 0:
    compare(net, shares=False)""",
    "ddp": "compare(lambda: torch.nn.parallel.DistributedDataParallel(net()))",
    "fsdp_1": FSDP_1,
    "fsdp_1_flat": FSDP_1.replace("use_orig_params=True", "use_orig_params=False"),
    "fsdp_2": """
from torch.distributed.fsdp import fully_shard
def make():
    model = net()
    for block in model:
        fully_shard(block)
    return fully_shard(model)
compare(make)""",
    "replicate": """
from torch.distributed._composable.replicate_with_fsdp import replicate
def make():
    model = net()
    for block in model:
        replicate(block)
    return replicate(model)
compare(make)""",
    "replicate_by_ddp": """
from torch.distributed._composable.replicate import replicate
compare(lambda: replicate(net()))""",
    "dtensor": TENSOR_PARALLEL + """
mesh = init_device_mesh("cpu", (2,))
compare(lambda: divided(net(), mesh), shares=False)""",
    "functions": """
model = net()
with Recorder(model, folder, level="L1") as recorder:
    for _ in range(2):
        with recorder.step():
            x = torch.full((2,), rank + 1.0)
            dist.all_reduce(x)
            work = dist.all_reduce(x, async_op=True)
            model(torch.ones(1, 4))
            work.wait()
            parts = [torch.zeros(2) for _ in range(2)]
            dist.all_gather(parts, x + rank)
            late = dist.broadcast(x, 0, async_op=True)
late.wait()
assert x.tolist() == [6, 6], x""",
}
CASES_OF_FOUR = {
    "fsdp_1_hybrid": "part, parts = rank, 4" + FSDP_1.replace(
        "use_orig_params=True", "use_orig_params=True, process_group=(mesh['shard'].get_group(), mesh['replicate'].get_group()), "
        "sharding_strategy=ShardingStrategy.HYBRID_SHARD").replace("def make", """
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import ShardingStrategy
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
def make"""),
    "fsdp_2_hybrid": """
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
part, parts = rank, 4
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
def make():
    model = net()
    for block in model:
        fully_shard(block, mesh=mesh)
    return fully_shard(model, mesh=mesh)
compare(make)""",
    "mesh": TENSOR_PARALLEL + """
from torch.distributed.fsdp import fully_shard
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
part, parts = mesh["dp"].get_local_rank(), 2
def make():
    model = divided(net(), mesh["tp"])
    for block in model:
        fully_shard(block, mesh=mesh["dp"])
    return fully_shard(model, mesh=mesh["dp"])
compare(make)""",
}


class ParallelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.place = pathlib.Path(temporary.name)
        for ranks, cases in ((2, CASES), (4, CASES_OF_FOUR)):
            program = PRELUDE + f"for name, case in {cases!r}.items():\n"
            program += "    folder = os.path.join(sys.argv[1], name)\n    exec(case)\ndist.destroy_process_group()\n"
            (cls.place / "program.py").write_text(program)
            run = subprocess.run(
                [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks),
                 cls.place / "program.py", cls.place], capture_output=True, text=True, check=False, timeout=120,
                env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""})
            if run.returncode != 0:
                raise RuntimeError(run.stderr[-4000:])

    def dumps(self, case):
        """Of step 1 of both ranks."""
        return [Dump(self.place / case, 1, rank) for rank in range(2)]

    def names(self, dump, which="forward"):
        return {entry["name"] for entry in dump.entries if entry["pass"] == which}

    def test_ddp_has_reduced_gradients_in_plain_names(self):
        first, second = self.dumps("ddp")
        weight = ("0.up", "parameter_gradient", "parameter_gradient", "weight")
        self.assertTrue(same(first.tensor(*weight), second.tensor(*weight)))
        self.assertFalse(same(first.tensor("0.up", "forward", "input"), second.tensor("0.up", "forward", "input")))
        self.assertLessEqual({"0", "0.up", "1.down", "Functional.linear", "Functional.silu"}, self.names(first))
        self.assertEqual((first.lines[0]["world"], first.lines[0]["sharding"]), (2, "data"))
        self.assertEqual([self.dumps(case)[0].lines[0].get("sharding") for case in ("fsdp_1", "fsdp_2", "dtensor", "functions", "mesh")],
                         ["data", "data", "tensor", None, "mesh"])

    def test_fsdp_1_has_plain_names_and_its_collectives(self):
        first, _ = self.dumps("fsdp_1")
        self.assertLessEqual({"0", "0.up", "1.down"}, self.names(first))
        self.assertLessEqual({"0", "0.up", "1.down"}, self.names(first, "backward"))
        self.assertIn("0.up", {entry["name"] for entry in first.entries if entry.get("recomputed")})
        self.assertEqual(first.entry("0")["class"], "Block")
        self.assertEqual(first.entry("Functional.linear", call=1)["module"], "0.down")
        self.assertTrue(any(name.startswith("Distributed.all_gather") for name in self.names(first)), self.names(first))
        reduced = [entry for entry in first.entries if entry["name"].startswith("Distributed.reduce_scatter")]
        self.assertTrue(reduced and not any(entry.get("recomputed") for entry in reduced))

    def test_what_ranks_recorded_is_what_one_process_does(self):
        for case in ("ddp", "replicate", "replicate_by_ddp", "fsdp_1", "fsdp_1_flat", "fsdp_2", "dtensor", "fsdp_1_hybrid",
                     "fsdp_2_hybrid", "mesh"):
            with self.subTest(case=case):
                run = subprocess.run([CLI, "compare", self.place / "whole", self.place / case, "--quiet", "--format", "json"],
                                     capture_output=True, text=True, check=True)
                for unit in json.loads(run.stdout)["units"]:
                    self.assertEqual(unit["culprits"], [])
                    # Of FSDP 1 the optimizer adds to flat parameters.
                    self.assertEqual([row for row in unit["shapes_differ"] if "Tensor.add_" not in row], [])
                    self.assertEqual([row for row in unit["only_in_baseline"] if "Tensor.add_" not in row], [])
                    self.assertGreaterEqual(unit["paired_rows"], 80)

    def test_fsdp_1_says_which_elements_of_parameters_a_rank_has(self):
        for case in ("fsdp_1", "fsdp_1_flat"):
            rows = [dump.row("0.up", "parameter_gradient", "parameter_gradient", "weight") for dump in self.dumps(case)]
            self.assertEqual([row["global_shape"] for row in rows], [[8, 4], [8, 4]])
            self.assertEqual([(row["placements"], row["mesh"], row["coordinate"]) for row in rows],
                             [(["S(0)"], [2], [rank]) for rank in range(2)])
            self.assertEqual(sum(row["shape"][0] for row in rows), 32)

    def test_fsdp_2_tells_how_parameters_are_placed(self):
        first, second = self.dumps("fsdp_2")
        self.assertEqual(first.entry("0")["class"], "Block")
        weight = first.row("0.up", "parameter_gradient", "parameter_gradient", "weight")
        self.assertEqual((weight["placements"], weight["global_shape"], weight["shape"]), (["S(0)"], [8, 4], [4, 4]))
        parts = [dump.tensor("0.up", "parameter_gradient", "parameter_gradient", "weight") for dump in (first, second)]
        self.assertFalse(same(*parts))
        self.assertLessEqual({"0", "0.up", "1.down"}, self.names(first, "backward"))

    def test_dtensors_are_recorded_in_their_local_part(self):
        first, second = self.dumps("dtensor")
        row = first.row("Functional.linear", "forward", "input", "1")
        self.assertEqual((row["placements"], row["global_shape"], row["shape"]), (["S(0)"], [8, 4], [4, 4]))
        weights = [dump.tensor("Functional.linear", "forward", "input", "1") for dump in (first, second)]
        self.assertFalse(same(*weights))
        row = first.row("Functional.linear", "forward", "output", call=1)
        self.assertEqual(row["placements"], ["P(sum)"])

    def test_functions_of_torch_distributed_are_recorded_when_they_are_done(self):
        first, second = self.dumps("functions")
        for rank, dump in enumerate((first, second)):
            self.assertEqual(dump.tensor("Distributed.all_reduce", "forward", "input").tolist(), [rank + 1] * 2)
            self.assertEqual(dump.tensor("Distributed.all_reduce", "forward", "output").tolist(), [3, 3])
            later = dump.entry("Distributed.all_reduce", call=1)
            self.assertEqual(dump.tensor("Distributed.all_reduce", "forward", "output", call=1).tolist(), [6, 6])
            self.assertGreater(later["order"], dump.entry("Functional.linear", call=3)["order"])
            self.assertEqual(dump.tensor("Distributed.all_gather", "forward", "output", "0.1").tolist(), [7, 7])
            self.assertEqual({row["role"] for row in dump.entry("Distributed.broadcast")["tensors"]}, {"input"})


if __name__ == "__main__":
    unittest.main()
