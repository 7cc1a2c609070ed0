#include "core/tensors/formats/hdf5/program/attribute_reading.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <H5Apublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

namespace ulp::tensors {
namespace {

/// Attributes are short; a longer one is not ours.
constexpr std::size_t kLongest = std::size_t{1} << 20U;

/// An attribute that is there, with its type and the number of its elements.
struct OpenAttribute {
  explicit OpenAttribute(hid_t object, const char* name)
      : attribute(H5Aopen(object, name, H5P_DEFAULT)),
        type(H5Aget_type(attribute.get())),
        count(H5Sget_simple_extent_npoints(UniqueHid(H5Aget_space(attribute.get())).get())) {}

  UniqueHid attribute;
  UniqueHid type;
  hssize_t count;
};

std::optional<std::string> textValueOf(const OpenAttribute& text) {
  const std::size_t size = H5Tget_size(text.type.get());
  if (text.count != 1 || size > kLongest || H5Tget_class(text.type.get()) != H5T_STRING ||
      H5Tis_variable_str(text.type.get()) != 0) {
    return std::nullopt;
  }
  std::string value(size, '\0');
  if (H5Aread(text.attribute.get(), text.type.get(), value.data()) < 0) {
    return std::nullopt;
  }
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

std::optional<std::vector<std::int64_t>> integerValuesOf(const OpenAttribute& integers) {
  if (H5Tget_class(integers.type.get()) != H5T_INTEGER || integers.count < 0 ||
      static_cast<std::size_t>(integers.count) > kLongest / sizeof(std::int64_t)) {
    return std::nullopt;
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(integers.count));
  if (!values.empty() && H5Aread(integers.attribute.get(), H5T_NATIVE_INT64, values.data()) < 0) {
    return std::nullopt;
  }
  return values;
}

}  // namespace

Hdf5Attributes readAttributes(hid_t object, const std::vector<std::string>& names) {
  Hdf5Attributes attributes;
  for (const std::string& name : names) {
    if (H5Aexists(object, name.c_str()) <= 0) {
      continue;
    }
    const OpenAttribute attribute(object, name.c_str());
    if (auto text = textValueOf(attribute)) {
      attributes.push_back({name, std::move(*text)});
    } else if (auto integers = integerValuesOf(attribute)) {
      attributes.push_back({name, std::move(*integers)});
    }
  }
  return attributes;
}

}  // namespace ulp::tensors
