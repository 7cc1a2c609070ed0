#include "core/tensors/hdf5/texts.h"

#include <algorithm>
#include <cstddef>

#include <H5Dpublic.h>
#include <H5Ppublic.h>
#include <H5Spublic.h>
#include <H5Tpublic.h>

namespace ulp::tensors {

bool writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) {
    width = std::max(width, text.size());
  }
  std::string cells;
  for (const std::string& text : texts) {
    cells += text + std::string(width - text.size(), '\0');
  }
  const UniqueHid type(H5Tcopy(H5T_C_S1));
  const hsize_t count = texts.size();
  const UniqueHid space(H5Screate_simple(1, &count, nullptr));
  if (!type || !space || H5Tset_size(type.get(), width) < 0 ||
      H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0 ||
      H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0) {
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
