"""Elements of a tensor, of types that NumPy may not have."""
from __future__ import annotations

import math
import os
import typing

import numpy

from .errors import BadInput, CorruptData, Unsupported, optional

# Types that NumPy has not: the type of the same size that carries their bits.
_CARRIERS: dict[str, numpy.dtype[typing.Any]] = {
    "bfloat16": numpy.dtype("<u2"), "float8_e4m3fn": numpy.dtype("u1"), "float8_e5m2": numpy.dtype("u1")}
_OWN: dict[str, numpy.dtype[typing.Any]] = {name: numpy.dtype(name).newbyteorder("<") for name in (
    "float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool")}


def carrier_of(dtype: str, where: str) -> numpy.dtype[typing.Any]:
    """Returns NumPy's type of the elements' bits."""
    found = _OWN.get(dtype) or _CARRIERS.get(dtype)
    if found is None:
        raise Unsupported(f"{where}: elements of {dtype} are not read; known are {', '.join([*_OWN, *_CARRIERS])}")
    return found


class Elements:
    """A type's name, a shape, and a function that gives the bits as NumPy carries them."""

    def __init__(self, dtype: str, shape: tuple[int, ...], bits: typing.Callable[[], numpy.ndarray], where: str = ""):
        self.dtype, self.shape, self.bits = dtype, shape, bits
        self.item_size = carrier_of(dtype, where or "tensor").itemsize
        self.size_in_bytes = self.item_size * math.prod(shape)

    @classmethod
    def map_file(cls, path: str | os.PathLike[str], offset: int, size: int, dtype: str,
                 shape: tuple[int, ...]) -> Elements:
        """Maps a part of a file; nothing is read until it is looked at."""
        carrier = carrier_of(dtype, str(path))
        if size != carrier.itemsize * math.prod(shape) or offset < 0 or offset + size > os.path.getsize(path):
            raise CorruptData(f"{path}: a tensor of {dtype} {list(shape)} does not fit into its {size} bytes at {offset}")

        def bits() -> numpy.ndarray:
            if size == 0:
                return numpy.empty(shape, carrier)
            return numpy.memmap(path, carrier, "r", offset, shape if shape else (1,)).reshape(shape)
        return cls(dtype, shape, bits, str(path))

    @classmethod
    def of(cls, value: typing.Any, where: str) -> Elements:
        """Takes a tensor of torch, or what NumPy makes an array of. Bytes are copied when they are written."""
        if hasattr(value, "detach") and hasattr(value, "untyped_storage"):
            return cls._of_torch(value, where)
        array = numpy.asarray(value)
        if array.dtype.name in _CARRIERS:  # of ml_dtypes
            return cls(array.dtype.name, array.shape, lambda: array.view(_CARRIERS[array.dtype.name]), where)
        if array.dtype.name not in _OWN:
            raise BadInput(f"{where}: holds {array.dtype}, which is no tensor of numbers; convert it first")
        return cls(array.dtype.name, array.shape, lambda: array.astype(_OWN[array.dtype.name], copy=False), where)

    @classmethod
    def _of_torch(cls, tensor: typing.Any, where: str) -> Elements:
        dtype = str(tensor.dtype).removeprefix("torch.")
        if hasattr(tensor, "full_tensor"):
            tensor = tensor.full_tensor()  # a DTensor's
        if tensor.device.type == "meta":
            raise BadInput(f"{where}: has no elements (device meta); materialise it first")
        if tensor.layout is not optional("torch", "a tensor of torch").strided or tensor.is_quantized:
            raise BadInput(f"{where}: is sparse or quantised; convert it first: tensor.to_dense(), tensor.dequantize()")
        carrier = carrier_of(dtype, where)

        def bits() -> numpy.ndarray:
            import torch
            flat = tensor.detach().cpu().resolve_neg().contiguous()
            # Of dimensions of size 1 torch takes any stride for contiguous, and view() does not.
            return flat.as_strided((tensor.numel(),), (1,)).view(torch.uint8).numpy().view(carrier).reshape(tuple(tensor.shape))
        return cls(dtype, tuple(tensor.shape), bits, where)

    def numbers(self) -> numpy.ndarray:
        """Returns the bits where NumPy has the type, without a copy, else the numbers as float32."""
        bits = self.bits()
        if self.dtype == "bfloat16":
            return (bits.astype(numpy.uint32) << 16).view(numpy.float32)
        if self.dtype in _CARRIERS:
            return _float8_numbers(self.dtype)[bits]
        return bits

    def to_torch(self) -> typing.Any:
        """Returns a tensor of torch of the elements' own type, of the same memory where torch takes it."""
        import warnings
        torch = optional("torch", "a tensor of torch")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The given NumPy array is not writ")
            flat = torch.from_numpy(self.bits().reshape(-1).view(numpy.uint8))
        return flat.view(getattr(torch, self.dtype)).reshape(self.shape)


def _float8_numbers(dtype: str) -> numpy.ndarray:
    """Lists the numbers of all 256 bit patterns."""
    mantissa_bits, bias = (3, 7) if dtype == "float8_e4m3fn" else (2, 15)
    numbers = []
    for pattern in range(256):
        exponent, mantissa = (pattern & 127) >> mantissa_bits, pattern & ((1 << mantissa_bits) - 1)
        if dtype == "float8_e4m3fn" and pattern & 127 == 127:
            size = math.nan
        elif dtype == "float8_e5m2" and exponent == 31:
            size = math.nan if mantissa else math.inf
        else:
            fraction = mantissa / (1 << mantissa_bits) + (1 if exponent else 0)
            size = math.ldexp(fraction, max(exponent, 1) - bias)
        numbers.append(-size if pattern & 128 else size)
    return numpy.array(numbers, numpy.float32)
