#include "core/tensors/hdf5/element_type.h"

#include <cstddef>
#include <cstdint>

#include <H5Tpublic.h>

namespace ulp::tensors {
namespace {

struct FloatLayout {
  std::size_t bytes;
  std::size_t exponentBits;
  std::size_t mantissaBits;
  std::size_t bias;
};

/// A little-endian type with the sign in the highest bit, then exponent, then mantissa.
UniqueHid makeFloat(const FloatLayout& layout) {
  UniqueHid type(H5Tcopy(H5T_IEEE_F32LE));
  const std::size_t sign = layout.bytes * 8 - 1;
  // The fields must lie within the size at every step, so they shrink before it does.
  const bool made =
      type &&
      H5Tset_fields(
          type.get(), sign, layout.mantissaBits, layout.exponentBits, 0, layout.mantissaBits) >=
          0 &&
      H5Tset_size(type.get(), layout.bytes) >= 0 && H5Tset_ebias(type.get(), layout.bias) >= 0;
  return made ? std::move(type) : UniqueHid();
}

UniqueHid makeBool() {
  UniqueHid type(H5Tenum_create(H5T_STD_I8LE));
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  const bool made = type && H5Tenum_insert(type.get(), "FALSE", &no) >= 0 &&
                    H5Tenum_insert(type.get(), "TRUE", &yes) >= 0;
  return made ? std::move(type) : UniqueHid();
}

}  // namespace

UniqueHid makeElementType(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return UniqueHid(H5Tcopy(H5T_IEEE_F64LE));
    case DType::Float32:
      return UniqueHid(H5Tcopy(H5T_IEEE_F32LE));
    case DType::Float16:
      return makeFloat({2, 5, 10, 15});
    case DType::BFloat16:
      return makeFloat({2, 8, 7, 127});
    case DType::Float8E4M3FN:
      return makeFloat({1, 4, 3, 7});
    case DType::Float8E5M2:
      return makeFloat({1, 5, 2, 15});
    case DType::Int64:
      return UniqueHid(H5Tcopy(H5T_STD_I64LE));
    case DType::Int32:
      return UniqueHid(H5Tcopy(H5T_STD_I32LE));
    case DType::Int16:
      return UniqueHid(H5Tcopy(H5T_STD_I16LE));
    case DType::Int8:
      return UniqueHid(H5Tcopy(H5T_STD_I8LE));
    case DType::UInt8:
      return UniqueHid(H5Tcopy(H5T_STD_U8LE));
    case DType::Bool:
      return makeBool();
  }
  return {};
}

}  // namespace ulp::tensors
