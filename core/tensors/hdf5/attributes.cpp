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

}  // namespace ulp::tensors
