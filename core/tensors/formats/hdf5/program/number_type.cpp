#include "core/tensors/formats/hdf5/program/number_type.h"

#include <utility>

#include <H5Dpublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

#include "core/tensors/hdf5/types.h"

namespace ulp::tensors {
namespace {

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

/// Texts of fixed length are read as the bytes that they are.
NumberType textTypeOf(hid_t type) {
  NumberType text{.storedAs = std::string(nameOf(H5T_STRING))};
  if (H5Tis_variable_str(type) == 0) {
    text.memory = UniqueHid(H5Tcopy(type));
    text.itemSize = H5Tget_size(type);
    text.isText = true;
  }
  return text;
}

}  // namespace

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
  if (kind == H5T_STRING) {
    return textTypeOf(type);
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
