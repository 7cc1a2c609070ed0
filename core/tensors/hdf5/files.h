#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <H5Dpublic.h>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"
#include "core/tensors/hdf5/session.h"

namespace ulp::tensors {

/// What became of the writes to a file.
struct WriteHealth {
  int error = 0;  ///< errno of the first write that failed; 0 while all is well
  /// Set to stop writing: the file is going to be deleted.
  bool abandoned = false;

  [[nodiscard]] bool ok() const { return error == 0; }
};

/// Makes the file access list `properties` write to the open `file` through a driver of our own.
/// HDF5 1.10 does not survive a full disk: a file whose metadata it cannot write can be closed
/// neither now nor when the process ends, and closing it may crash. This driver therefore tells
/// HDF5 that every write succeeded, notes the first failure in `health`, and keeps the metadata
/// that the disk did not take in memory until the file is closed. `health` must outlive the file.
/// False when HDF5 refused.
[[nodiscard]] bool useWriteDriver(hid_t properties, const FileWriter& file, WriteHealth& health);

/// Creates an HDF5 file in this project's way: format of HDF5 1.8 (read by every version since),
/// tensors aligned so that they can be mapped, no file locks (shared file systems refuse them; a
/// file is written by one process under a name of its own). Its content goes into `file`, whose
/// commit() gives it its name once it is closed. Invalid when HDF5 refused; `health` tells of
/// writes that failed, also those of closing the file; both must outlive it.
[[nodiscard]] UniqueHid createHdf5(const FileWriter& file, WriteHealth& health);

/// Replaces an HDF5 file as FileWriter does. `fill` puts its content in; false: HDF5 refused.
/// Error: Io.
[[nodiscard]] Result<> replaceHdf5(const std::filesystem::path& path,
                                   const std::function<bool(hid_t file)>& fill);
/// Why a file could not be written: the operating system's reason, else HDF5's.
[[nodiscard]] tl::unexpected<Error> writeError(const std::filesystem::path& path,
                                               const std::string& what,
                                               const WriteHealth& health);

/// Makes the properties of a dataset that lies in one piece and has no times, so that equal content
/// gives equal files. `fillTime`: H5D_FILL_TIME_NEVER where all of it is written anyway. Invalid
/// when HDF5 refused.
[[nodiscard]] UniqueHid contiguousProperties(H5D_fill_time_t fillTime);
/// A group that keeps the order in which its links were made, and no times.
[[nodiscard]] UniqueHid createGroup(hid_t parent, const std::string& name);

}  // namespace ulp::tensors
