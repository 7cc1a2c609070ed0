"""Reads and writes safetensors files: a length, a header of JSON, elements without gaps."""
from __future__ import annotations

import json
import os
import typing

import numpy

from .errors import CorruptData
from .elements import Elements

_MOST_HEADER = 100_000_000
NAMES = {  # in a header, and as torch, Ulpscope and this package call them
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U64": "uint64",
    "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool"}
_STORED = {name: stored for stored, name in NAMES.items()}


def read_header(path: str | os.PathLike[str]) -> tuple[dict[str, typing.Any], int]:
    """Returns the header, without its metadata, and where the elements begin."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(_MOST_HEADER, size - 8):
            raise CorruptData(f"{path}: its header of {length} bytes is longer than the file; it is no safetensors file")
        try:
            header = json.loads(file.read(length))
        except ValueError as error:
            raise CorruptData(f"{path}: its header is no JSON: {error}") from error
    if not isinstance(header, dict):
        raise CorruptData(f"{path}: its header is no object")
    header.pop("__metadata__", None)
    return header, 8 + length


def map_tensor(path: str | os.PathLike[str], name: str) -> Elements | None:
    """Maps the elements of a tensor; None where the file has none of that name."""
    header, begin = read_header(path)
    entry = header.get(name)
    if entry is None:
        return None
    try:
        first, last = entry["data_offsets"]
        dtype, shape = NAMES.get(entry["dtype"], ""), tuple(int(extent) for extent in entry["shape"])
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptData(f"{path}: tensor '{name}': its entry is not complete") from error
    return Elements.map_file(path, begin + first, last - first, dtype or entry["dtype"], shape)


def write_tensors(path: str | os.PathLike[str], tensors: typing.Mapping[str, Elements]) -> None:
    """Writes tensors in their order, one after the other: only the header is made beforehand."""
    header: dict[str, typing.Any] = {}
    place = 0
    # Wide elements first, so that each begins at a multiple of its size.
    ordered = sorted(tensors.items(), key=lambda item: -item[1].item_size)
    for name, elements in ordered:
        header[name] = {"dtype": _STORED[elements.dtype], "shape": list(elements.shape),
                        "data_offsets": [place, place + elements.size_in_bytes]}
        place += elements.size_in_bytes
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 64 + 56)  # 8 bytes stand in front
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for _, elements in ordered:
            file.write(numpy.ascontiguousarray(elements.bits()).reshape(-1).view(numpy.uint8).data)
