#include "core/tensors/hdf5/attributes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <H5Apublic.h>
#include <H5Dpublic.h>
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

/// Texts of `size` bytes, padded with zeros.
UniqueHid textType(std::size_t size) {
  UniqueHid type(H5Tcopy(H5T_C_S1));
  const bool made = type && H5Tset_size(type.get(), size) >= 0 &&
                    H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0 &&
                    H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0;
  return made ? std::move(type) : UniqueHid();
}

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

}  // namespace

bool writeText(hid_t object, const char* name, std::string_view text) {
  const UniqueHid space(H5Screate(H5S_SCALAR));
  // A type without bytes does not exist, so that an empty text is one padding byte.
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  const UniqueHid type = textType(padded.size());
  return space && type && writeAttribute(object, name, type.get(), space, padded.data());
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
  const OpenAttribute text(object, name);
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

std::optional<std::vector<std::int64_t>> readIntegers(hid_t object, const char* name) {
  const OpenAttribute integers(object, name);
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

bool writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) {
    width = std::max(width, text.size());
  }
  std::string cells;
  for (const std::string& text : texts) {
    cells += text + std::string(width - text.size(), '\0');
  }
  const UniqueHid type = textType(width);
  const hsize_t count = texts.size();
  const UniqueHid space(H5Screate_simple(1, &count, nullptr));
  if (!type || !space) {
    return false;
  }
  const UniqueHid dataset(
      H5Dcreate2(group, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return dataset &&
         H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()) >= 0;
}

std::optional<std::vector<std::string>> readTexts(hid_t group, const char* name) {
  const UniqueHid dataset(H5Dopen2(group, name, H5P_DEFAULT));
  const UniqueHid type(dataset ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
  const UniqueHid space(dataset ? H5Dget_space(dataset.get()) : H5I_INVALID_HID);
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) != 0) {
    return std::nullopt;
  }
  const std::size_t width = H5Tget_size(type.get());
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
  std::string cells(width * count, '\0');
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, cells.data()) < 0) {
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string cell = cells.substr(i * width, width);
    texts.push_back(cell.substr(0, cell.find('\0')));
  }
  return texts;
}

}  // namespace ulp::tensors
