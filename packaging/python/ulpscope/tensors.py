"""Tensors that runs kept: of a study in tensors.h5, of a comparison in the dumps that it names."""
from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import typing

from . import safetensors_file
from .elements import Elements
from .errors import BadInput, CorruptData, NotFound, Unsupported, optional

_ROLES = {"[input]": "input", "[output gradient]": "output_gradient"}
_OF_PASS = {"forward": "output", "backward": "input_gradient", "parameter_gradient": "parameter_gradient"}


@dataclasses.dataclass(frozen=True)
class StoredTensor:
    """What is kept of a tensor. `stride`, in elements, where it is a subsample, else 1; `shape` is the tensor's."""

    name: str
    module: str
    layer: int
    pass_: str
    dtype: str
    shape: tuple[int, ...]
    stride: int


class StoredTensors:
    """Finds tensors of a report's runs."""

    def __init__(self, folder: pathlib.Path, content: dict[str, typing.Any]):
        self._folder, self._content = folder, content
        self._studies: dict[pathlib.Path, StudyTensors] = {}

    def _study(self, folder: pathlib.Path) -> StudyTensors:
        return self._studies.setdefault(folder, StudyTensors(folder))

    def elements(self, run: str, name: str, pass_: str) -> Elements:
        """Finds a tensor by its row."""
        if run not in self._content.get("runs", {}):
            raise NotFound(f"no run '{run}'; runs are: {', '.join(self._content.get('runs', {}))}")
        dumps = self._content.get("dumps")
        if dumps:
            side = dumps["baseline" if run == self._content.get("reference") else "candidate"]
            path = pathlib.Path(side["path"])
            if side.get("run") or (path / "precision_report.json").is_file():
                return self._study(path).elements(side.get("run") or run, name, pass_)
            return _of_dump(path, run, name, pass_)
        return self._study(self._folder).elements(run, name, pass_)

    def list(self, run: str) -> list[StoredTensor]:
        """Lists what a run of a study kept."""
        if self._content.get("dumps"):
            raise Unsupported("tensors() lists those of a study; of a comparison rows() names them")
        return self._study(self._folder).list(run)


class StudyTensors:
    """Of a run folder: one HDF5 file a run below `tensors`, which tensors.h5 links to."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        self._places: dict[tuple[pathlib.Path, int], dict[tuple[str, str], str]] = {}  # of a file, as it is written

    def _file(self, run: str) -> typing.Any:
        index = self._folder / "tensors.h5"
        if not index.is_file():
            raise NotFound(f"{index}: no tensors were kept; run the study with capture.tensors: full")
        h5py = optional("h5py", "reading tensors of a study")
        group = run.replace("%", "%25").replace("/", "%2F")
        with h5py.File(index, "r") as file:
            link = file["runs"].get(group, getlink=True)
            if link is None:
                raise NotFound(f"{index}: no tensors of a run '{run}'; it has: {', '.join(file['runs'])}")
            path = index
            if isinstance(link, h5py.ExternalLink):
                # An index may name any file; what belongs to the folder is below `tensors`.
                name = pathlib.PurePosixPath(link.filename)
                if len(name.parts) != 2 or name.parts[0] != "tensors" or name.parts[1] in ("..", "."):
                    raise CorruptData(f"{index}: run '{run}' leads to {link.filename}, outside of the folder tensors")
                path = self._folder / name
        return h5py.File(path, "r"), path, f"runs/{group}"

    def list(self, run: str) -> list[StoredTensor]:
        """Lists the tensors of a run in the order in which it made them."""
        file, _, group = self._file(run)
        with file:
            return [_stored(pass_, dataset) for pass_, found in file[group].items() for dataset in found.values()]

    def elements(self, run: str, name: str, pass_: str) -> Elements:
        """Maps a tensor; one that was packed anew is read."""
        file, path, group = self._file(run)
        with file:
            version = path, path.stat().st_mtime_ns
            if version not in self._places:
                self._places[version] = {(_text(dataset.attrs.get("name")), kept): dataset.name
                                         for kept, datasets in file[group].items() for dataset in datasets.values()}
            place = self._places[version].get((name, pass_))
            if place is not None:
                return _mapped(file[place], path)
        raise NotFound(f"{path}: no tensor '{name}', {pass_}; tensors('{run}') lists them")


def _text(attribute: typing.Any) -> str:
    """Returns an attribute of HDF5, which h5py gives as bytes or as text."""
    return attribute.decode("utf-8", "replace") if isinstance(attribute, bytes) else str(attribute or "")


def _stored(pass_: str, dataset: typing.Any) -> StoredTensor:
    attributes = dataset.attrs
    shape = attributes.get("full_shape")
    return StoredTensor(_text(attributes["name"]), _text(attributes.get("module")), int(attributes.get("layer", -1)),
                        pass_, _text(attributes["dtype"]), tuple(int(e) for e in (dataset.shape if shape is None else shape)),
                        int(attributes.get("sample_stride", 1)))


def _mapped(dataset: typing.Any, path: pathlib.Path) -> Elements:
    dtype, offset = _text(dataset.attrs["dtype"]), dataset.id.get_offset()
    size = dataset.dtype.itemsize * math.prod(dataset.shape)
    is_plain = dataset.chunks is None and dataset.id.get_create_plist().get_external_count() == 0
    if dtype == "float8_e4m3fn" and dataset.id.get_type().get_size() == 2:
        dtype = "float16"  # a magnitude of 256 or more was stored so
    if offset is not None and is_plain and dataset.id.get_type().get_size() * math.prod(dataset.shape) == \
            dataset.id.get_storage_size():
        return Elements.map_file(path, offset, dataset.id.get_storage_size(), dtype, tuple(dataset.shape))
    values = dataset[()]
    return Elements(str(values.dtype), tuple(dataset.shape), lambda: values, f"{path}: {size} bytes")


def _of_dump(path: pathlib.Path, run: str, name: str, pass_: str) -> Elements:
    """Finds a tensor in a file or folder of tensors, or a recording."""
    found = _in_recording(path, run, name, pass_) if path.is_dir() else None
    if found is not None:
        return found
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        found = _in_file(file, path, name, pass_)
        if found is not None:
            return found
    raise NotFound(f"{path}: no tensor '{name}', {pass_}, in a .safetensors or .npy file; "
                   f"make such files first: ulpscope-cli export {path} FOLDER --to safetensors")


def _in_file(file: pathlib.Path, root: pathlib.Path, name: str, pass_: str) -> Elements | None:
    names = [name] if pass_ == "forward" else [name, f"{name}.{pass_}"]
    stem = "" if file == root else file.relative_to(root).with_suffix("").as_posix()
    if file.suffix == ".safetensors":
        for wanted in names:  # of several files each stands in front of its tensors
            found = safetensors_file.map_tensor(file, wanted.removeprefix(stem + "/") if stem else wanted)
            if found is not None:
                return found
    if file.suffix == ".npy" and (file == root or stem in names):
        numpy = optional("numpy", "reading .npy")
        array = numpy.load(file, mmap_mode="r", allow_pickle=False)
        return Elements(array.dtype.name, array.shape, lambda: array, str(file))
    return None


def _in_recording(path: pathlib.Path, run: str, name: str, pass_: str) -> Elements | None:
    """Looks into index.jsonl of a recording (docs/recording.md); None where the folder is none."""
    folders = sorted({index.parent for index in path.rglob("index.jsonl")})
    if not folders:
        return None
    numbers = [int(part.split()[-1]) for part in run.split(", ") if part.split()[-1].isdigit()]
    if len(folders) > 1 and len(numbers) == 2:
        folders = [folder for folder in folders if folder.parts[-2:] == (f"step{numbers[0]}", f"rank{numbers[1]}")]
    if len(folders) != 1:
        raise BadInput(f"{path}: holds several steps or ranks; open one of them")
    role, module = _OF_PASS.get(pass_, ""), name
    for ending, of in _ROLES.items():
        if name.endswith(ending):
            role, module = of, name.removesuffix(ending)
    found = [row for entry in _entries(folders[0]) for row in entry["tensors"]
             if entry["pass"] == pass_ and row["role"] == role and module == _name_of(entry, row)]
    if len(found) != 1 or "file" not in found[0]:
        raise NotFound(f"{folders[0]}: {len(found)} tensors are '{name}', {pass_}, with elements; "
                       f"ulpscope-cli export {path} FOLDER --to safetensors names each")
    mapped = safetensors_file.map_tensor(folders[0] / found[0]["file"], found[0]["key"])
    if mapped is None:
        raise CorruptData(f"{folders[0] / found[0]['file']}: no tensor '{found[0]['key']}'")
    return mapped


def _name_of(entry: dict[str, typing.Any], row: dict[str, typing.Any]) -> str:
    """Names a row without its role: a parameter's by module and parameter, others by the module."""
    return f"{entry['name']}.{row['path']}".strip(".") if entry["pass"] == "parameter_gradient" else entry["name"]


def _entries(folder: pathlib.Path) -> typing.Iterator[dict[str, typing.Any]]:
    with (folder / "index.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if "tensors" in entry:
                yield entry
