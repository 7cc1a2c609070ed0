#include "core/tensors/hdf5/files.h"

#include <cerrno>
#include <utility>

#include <H5Fpublic.h>
#include <H5Gpublic.h>
#include <H5Ppublic.h>

namespace ulp::tensors {
namespace {

constexpr unsigned kKeepOrder = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

UniqueHid accessProperties() {
  constexpr hsize_t kAlignedFrom = 512;
  constexpr hsize_t kAlignment = 64;
  UniqueHid properties(H5Pcreate(H5P_FILE_ACCESS));
  const bool made =
      properties &&
      H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
      H5Pset_alignment(properties.get(), kAlignedFrom, kAlignment) >= 0 &&
      H5Pset_file_locking(properties.get(), false, true) >= 0 &&
      H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG) >= 0;
  return made ? std::move(properties) : UniqueHid();
}

}  // namespace

UniqueHid createHdf5(const FileWriter& file, WriteHealth& health) {
  if (!hasMemoryForHdf5()) {
    health.error = ENOMEM;
    return {};
  }
  const UniqueHid access = accessProperties();
  const UniqueHid content(H5Pcreate(H5P_FILE_CREATE));
  const bool isReady = access && useWriteDriver(access.get(), file, health) && content &&
                       H5Pset_obj_track_times(content.get(), false) >= 0;
  return isReady
             ? UniqueHid(H5Fcreate(file.path().c_str(), H5F_ACC_TRUNC, content.get(), access.get()))
             : UniqueHid();
}

Result<> replaceHdf5(const std::filesystem::path& path,
                     const std::function<bool(hid_t file)>& fill) {
  auto writer = ULP_TRY(FileWriter::create(path));
  WriteHealth health;
  UniqueHid file = createHdf5(writer, health);
  if (!file || !fill(file.get()) || H5Fclose(file.release()) < 0 || !health.ok()) {
    auto error = writeError(path, "cannot write", health);
    health.abandoned = true;
    file.reset();
    return error;
  }
  return writer.commit();
}

tl::unexpected<Error> writeError(const std::filesystem::path& path,
                                 const std::string& what,
                                 const WriteHealth& health) {
  if (!health.ok()) {
    return fail(systemError(path, what, health.error));
  }
  return Hdf5Session::error(path, what, ErrorCode::Io);
}

UniqueHid contiguousProperties(H5D_fill_time_t fillTime) {
  UniqueHid properties(H5Pcreate(H5P_DATASET_CREATE));
  const bool made = properties && H5Pset_layout(properties.get(), H5D_CONTIGUOUS) >= 0 &&
                    H5Pset_fill_time(properties.get(), fillTime) >= 0 &&
                    H5Pset_obj_track_times(properties.get(), false) >= 0;
  return made ? std::move(properties) : UniqueHid();
}

UniqueHid createGroup(hid_t parent, const std::string& name) {
  const UniqueHid properties(H5Pcreate(H5P_GROUP_CREATE));
  if (!properties || H5Pset_link_creation_order(properties.get(), kKeepOrder) < 0 ||
      H5Pset_obj_track_times(properties.get(), false) < 0) {
    return {};
  }
  return UniqueHid(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT));
}

}  // namespace ulp::tensors
