#include "core/tensors/hdf5/types.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <H5Tpublic.h>

#include "core/numerics/scalar_formats.h"

namespace ulp::tensors {
namespace {

/// A little-endian type with the sign in the highest bit, then exponent, then mantissa.
UniqueHid makeFloat(const numerics::ScalarFormat& format) {
  UniqueHid type(H5Tcopy(H5T_IEEE_F32LE));
  const auto exponentBits = static_cast<std::size_t>(format.exponentBits);
  const auto mantissaBits = static_cast<std::size_t>(format.mantissaBits);
  const std::size_t sign = exponentBits + mantissaBits;
  // The fields must lie within the size at every step, so they shrink before it does.
  const bool made =
      type && H5Tset_fields(type.get(), sign, mantissaBits, exponentBits, 0, mantissaBits) >= 0 &&
      H5Tset_size(type.get(), (sign + 1) / 8) >= 0 &&
      H5Tset_ebias(type.get(), static_cast<std::size_t>(format.bias())) >= 0;
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
      return makeFloat(numerics::kFloat16);
    case DType::BFloat16:
      return makeFloat(numerics::kBFloat16);
    case DType::Float8E4M3FN:
      return makeFloat(numerics::kFloat8E4M3FN);
    case DType::Float8E5M2:
      return makeFloat(numerics::kFloat8E5M2);
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
