#include "core/tensors/formats/hdf5/program/open_objects.h"

#include <exception>

#include <H5Dpublic.h>
#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Lpublic.h>
#include <H5Ppublic.h>

namespace ulp::tensors {
namespace {

herr_t keepName(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  try {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

bool keepsOrder(hid_t group) {
  const UniqueHid properties(H5Gget_create_plist(group));
  unsigned flags = 0;
  return properties && H5Pget_link_creation_order(properties.get(), &flags) >= 0 &&
         (flags & H5P_CRT_ORDER_INDEXED) != 0;
}

}  // namespace

UniqueHid openHdf5(const std::filesystem::path& path) {
  const UniqueHid access(H5Pcreate(H5P_FILE_ACCESS));
  // Shared file systems refuse locks.
  const bool isReady = access && H5Pset_file_locking(access.get(), false, true) >= 0 &&
                       H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) >= 0;
  return isReady ? UniqueHid(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get())) : UniqueHid();
}

UniqueHid openGroup(hid_t parent, const std::string& name) {
  return UniqueHid(H5Gopen2(parent, name.c_str(), H5P_DEFAULT));
}

UniqueHid openDataset(hid_t parent, const std::string& name) {
  return UniqueHid(H5Dopen2(parent, name.c_str(), H5P_DEFAULT));
}

std::optional<std::vector<std::string>> linkNames(hid_t group) {
  std::vector<std::string> names;
  const H5_index_t order = keepsOrder(group) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  if (H5Literate(group, order, H5_ITER_INC, nullptr, keepName, &names) < 0) {
    return std::nullopt;
  }
  return names;
}

}  // namespace ulp::tensors
