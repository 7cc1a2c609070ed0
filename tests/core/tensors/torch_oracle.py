"""Compares our reading of .pt and .pth files with torch: files of every kind that torch.save writes, and those
of the fixtures. Usage: torch_oracle.py TOOL FIXTURES"""
import collections
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import torch
from safetensors.torch import load_file

WIDENED = {torch.uint16: torch.int32, torch.uint32: torch.int64, torch.uint64: torch.int64,
           torch.float8_e8m0fnu: torch.float32}
UNREAD = {torch.float8_e4m3fnuz, torch.float8_e5m2fnuz}
COMPLEX = {torch.complex32, torch.complex64, torch.complex128}
TYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2,
         torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, *WIDENED, *COMPLEX, *UNREAD]


def random(dtype, *shape):
    """Every bit pattern may occur; of uint64 those that int64 holds."""
    size = torch.empty(0, dtype=dtype).element_size()
    if dtype == torch.bool:
        return torch.rand(*shape) > 0.5
    count = torch.Size(shape).numel()
    raw = torch.randint(0, 256, (count, size), dtype=torch.uint8)
    if dtype == torch.uint64:
        raw[:, -1] &= 0x7F
    return raw.view(dtype).reshape(shape)


def views():
    base = torch.randn(6, 5, 4)
    wide = torch.randn(4, 8).to(torch.bfloat16)
    return {
        "transposed": base.permute(2, 0, 1), "sliced": base[1:5:2, ::3], "offset": base[3], "row": base[:, 2],
        "expanded": base[:1].expand(7, 5, 4), "scalar": base[1, 2, 3], "empty": base[:, :0], "shared": base,
        "widened view": random(torch.uint16, 6, 8)[1::2, ::3], "half": wide[:, 3:5],
        "one": torch.ones(1, 3, 1)[:, 1:2].expand(1, 4, 1), "diagonal": torch.randn(5, 5).diagonal(),
        "float8 view": random(torch.float8_e4m3fn, 4, 6).t()}




def contents():
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    tagged = torch.randn(3)
    tagged.note = "attributes make torch write _rebuild_from_type_v2"
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.randn(5, 3)).sum().backward()
    optimizer.step()
    shared = torch.randn(2, 2)
    return {
        "tensor": torch.randn(3, 4), "scalar": torch.tensor(1.5), "empty": torch.empty(0, 4), "views": views(),
        "types": {str(dtype): random(dtype, 3, 5) for dtype in TYPES},
        "type views": {str(dtype): random(dtype, 4, 6)[1:, ::2] for dtype in TYPES},
        "state": model.state_dict(), "parameter": torch.nn.Parameter(torch.randn(3)), "tagged": [tagged],
        "tagged parameter": {"p": torch.nn.Parameter(torch.randn(2), requires_grad=False)},
        "optimizer": optimizer.state_dict(),
        "nested": {"steps": [{"logits": torch.randn(2)}, (torch.randn(1), [torch.randn(1)])], 3: torch.randn(1),
                   "n": 3, "big": 1 << 80, "f": 2.5, "none": None, "s": "größe", "b": b"\x00\xff", "set": {1, 2},
                   "size": torch.Size([2, 3]), "dtype": torch.float16, "device": torch.device("cpu"), "c": 1j,
                   "default": collections.defaultdict(list, {"x": torch.randn(2)}), "true": True,
                   "counter": collections.Counter("aab"), "long": list(range(3000)), "deque": collections.deque([1])},
        "twice": {"a": shared, "b": shared, "c": shared[0], "a (2)": shared, "list": [shared, shared]},
        "names": {"a.b": torch.randn(1), "a": {"b": torch.randn(2)}},
        "many": {f"layers.{i}.weight": torch.randn(i % 7, 3) for i in range(3000)},
        "large": torch.randn(1000, 1000), "int keys": {0: torch.randn(1), -1: torch.randn(1)},
    }


def flatten(value, name=""):
    if isinstance(value, torch.Tensor):
        yield name, value
        return
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, (list, tuple, collections.deque)):
        members = enumerate(value)
    else:
        return
    for key, member in members:
        yield from flatten(member, f"{name}.{key}" if name else str(key))


def expected_of(value):
    """Names as Ulpscope gives them; the second of a name has (2) behind it."""
    expected = {}
    for name, tensor in flatten(value):
        unique, again = name, 2
        while unique in expected:
            unique, again = f"{name} ({again})", again + 1
        expected[unique] = tensor.detach()
    return {name: (torch.view_as_real(tensor) if tensor.is_complex()
                   else tensor.to(WIDENED.get(tensor.dtype, tensor.dtype))).contiguous()
            for name, tensor in expected.items() if tensor.dtype not in UNREAD}


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(
        a.reshape(-1).view(torch.uint8), b.reshape(-1).view(torch.uint8))


def write_files(folder):
    files = {}

    def add(name, value, **options):
        path = folder / f"{len(files)}.{'pth' if len(files) % 2 else 'pt'}"
        torch.save(value, path, **options)
        files[path] = (name, expected_of(value))
        return path

    for name, value in contents().items():
        add(name, value)
        for protocol in (3, 4, 5):
            add(f"{name}, protocol {protocol}", value, pickle_protocol=protocol)
    source = add("before deflate", contents()["nested"])
    packed = folder / "deflated.pt"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            new.writestr(member, old.read(member))
    files[packed] = ("deflated", files[source][1])
    return files


def fixture_files(root):
    paths = sorted(p for p in pathlib.Path(root).rglob("*.pt*") if p.suffix in (".pt", ".pth"))
    return {path: (str(path.relative_to(root)), expected_of(torch.load(path, weights_only=True))) for path in paths}


def check(tool, folder, files):
    (folder / "list").write_text("".join(f"{path}\n" for path in files))
    subprocess.run([tool, "files", folder / "list", folder / "out.safetensors"], check=True)
    got = load_file(folder / "out.safetensors")
    wrong, count = [], 0
    for line, (name, expected) in enumerate(files.values()):
        for tensor in expected:
            count += 1
            read = got.pop(f"{line}/{tensor}", None)
            if read is None or not same_bits(read, expected[tensor]):
                wrong.append((name, tensor, read))
    wrong += [("too many", name) for name in got]
    print(f"{len(files)} files, {count} tensors, wrong: {wrong[:10]}")
    return bool(wrong) or count == 0


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        failed = check(sys.argv[1], folder, write_files(folder))
        failed |= check(sys.argv[1], folder, fixture_files(sys.argv[2]))
    return failed


if __name__ == "__main__":
    sys.exit(main())
