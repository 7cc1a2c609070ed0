"""Writes safetensors files: a length, a header of JSON, elements without gaps."""
from __future__ import annotations

import json
import os
import typing

import numpy

from .elements import Elements

# As torch, Ulpscope and this package call types, and as a header does.
_STORED = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint64": "U64",
    "uint32": "U32", "uint16": "U16", "uint8": "U8", "bool": "BOOL"}


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
