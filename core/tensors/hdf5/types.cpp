#include "core/tensors/hdf5/types.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <H5Dpublic.h>
#include <H5Spublic.h>
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

std::string_view nameOf(H5T_class_t kind) {
  switch (kind) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "record";
    case H5T_REFERENCE:
      return "reference";
    case H5T_ENUM:
      return "enumeration";
    case H5T_VLEN:
      return "list of variable length";
    case H5T_ARRAY:
      return "array";
    case H5T_OPAQUE:
      return "opaque bytes";
    default:
      return "unknown type";
  }
}

std::string withOrder(hid_t type, std::string name) {
  return H5Tget_order(type) == H5T_ORDER_BE ? "big-endian " + std::move(name) : std::move(name);
}

/// A type of ours that holds every value of the stored one.
NumberType converted(std::string storedAs, DType dtype) {
  return {std::move(storedAs), dtype, makeElementType(dtype), false, false, ulp::itemSize(dtype)};
}

NumberType floatOf(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  std::string name = withOrder(type, "float" + std::to_string(8 * size));
  if (size > sizeof(double)) {
    return {.storedAs = std::move(name)};
  }
  return converted(std::move(name), size > sizeof(float) ? DType::Float64 : DType::Float32);
}

NumberType integerOf(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  const bool isSigned = H5Tget_sign(type) != H5T_SGN_NONE;
  std::string name = withOrder(type, (isSigned ? "int" : "uint") + std::to_string(8 * size));
  if (size == 1) {
    return converted(std::move(name), isSigned ? DType::Int8 : DType::UInt8);
  }
  if (size == 2) {
    return converted(std::move(name), isSigned ? DType::Int16 : DType::Int32);
  }
  if (size <= 4) {
    return converted(std::move(name), isSigned ? DType::Int32 : DType::Int64);
  }
  if (size > 8) {
    return {.storedAs = std::move(name)};
  }
  NumberType number = converted(std::move(name), DType::Int64);
  if (!isSigned) {
    number.memory = UniqueHid(H5Tcopy(H5T_STD_U64LE));
    number.isWidened = true;
  }
  return number;
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

NumberType numberTypeOf(hid_t type) {
  for (int number = 0; number <= static_cast<int>(DType::Bool); ++number) {
    const auto dtype = static_cast<DType>(number);
    UniqueHid ours = makeElementType(dtype);
    if (ours && H5Tequal(type, ours.get()) > 0) {
      return {
          std::string(toString(dtype)), dtype, std::move(ours), true, false, ulp::itemSize(dtype)};
    }
  }
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT) {
    return floatOf(type);
  }
  return kind == H5T_INTEGER ? integerOf(type) : NumberType{.storedAs = std::string(nameOf(kind))};
}

std::optional<std::vector<std::int64_t>> datasetShape(hid_t dataset) {
  const UniqueHid space(H5Dget_space(dataset));
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    return std::nullopt;
  }
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) < 0) {
    return std::nullopt;
  }
  return std::vector<std::int64_t>(dimensions.begin(), dimensions.end());
}

}  // namespace ulp::tensors
