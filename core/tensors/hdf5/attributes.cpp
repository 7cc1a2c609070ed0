#include "core/tensors/hdf5/attributes.h"

#include <algorithm>
#include <cstddef>

#include <H5Apublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

namespace ulp::tensors {
namespace {

/// Attributes are short; a longer one is not ours.
constexpr std::size_t kLongest = std::size_t{1} << 20U;

bool writeAttribute(
    hid_t object, const char* name, hid_t type, const UniqueHid& space, const void* values) {
  const UniqueHid attribute(H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.get(), type, values) >= 0;
}

}  // namespace

bool writeText(hid_t object, const char* name, std::string_view text) {
  const UniqueHid space(H5Screate(H5S_SCALAR));
  const UniqueHid type(H5Tcopy(H5T_C_S1));
  // A type without bytes does not exist, so that an empty text is one padding byte.
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  return space && type && H5Tset_size(type.get(), padded.size()) >= 0 &&
         H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0 &&
         H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0 &&
         writeAttribute(object, name, type.get(), space, padded.data());
}

bool writeInteger(hid_t object, const char* name, std::int64_t value) {
  const UniqueHid space(H5Screate(H5S_SCALAR));
  return space && writeAttribute(object, name, H5T_STD_I64LE, space, &value);
}

bool writeIntegers(hid_t object, const char* name, std::span<const std::int64_t> values) {
  const hsize_t count = values.size();
  const UniqueHid space(H5Screate_simple(1, &count, nullptr));
  return space && writeAttribute(object, name, H5T_STD_I64LE, space, values.data());
}

std::optional<std::string> readText(hid_t object, const char* name) {
  const UniqueHid attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) {
    return std::nullopt;
  }
  const UniqueHid type(H5Aget_type(attribute.get()));
  const UniqueHid space(H5Aget_space(attribute.get()));
  const std::size_t size = H5Tget_size(type.get());
  const bool text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0 &&
                    size <= kLongest && H5Sget_simple_extent_npoints(space.get()) == 1;
  if (!text) {
    return std::nullopt;
  }
  std::string value(size, '\0');
  if (H5Aread(attribute.get(), type.get(), value.data()) < 0) {
    return std::nullopt;
  }
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

std::optional<std::vector<std::int64_t>> readIntegers(hid_t object, const char* name) {
  const UniqueHid attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) {
    return std::nullopt;
  }
  const UniqueHid type(H5Aget_type(attribute.get()));
  const UniqueHid space(H5Aget_space(attribute.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const bool integers = H5Tget_class(type.get()) == H5T_INTEGER && count >= 0 &&
                        static_cast<std::size_t>(count) <= kLongest / sizeof(std::int64_t);
  if (!integers) {
    return std::nullopt;
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  if (!values.empty() && H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()) < 0) {
    return std::nullopt;
  }
  return values;
}

}  // namespace ulp::tensors
