#pragma once

#include <H5Ipublic.h>

namespace ulp::tensors {

/// What became of the writes to a file.
struct WriteHealth {
  int error = 0;  ///< errno of the first write that failed; 0 while all is well
  /// Set to stop writing: the file is going to be deleted.
  bool abandoned = false;

  [[nodiscard]] bool ok() const { return error == 0; }
};

/// Makes the file access list `properties` write through a driver of our own. HDF5 1.10 does not
/// survive a full disk: a file whose metadata it cannot write can be closed neither now nor when
/// the process ends, and closing it may crash. This driver therefore tells HDF5 that every write
/// succeeded, notes the first failure in `health`, and keeps the metadata that the disk did not
/// take in memory until the file is closed. `health` must outlive the file. False when HDF5
/// refused.
[[nodiscard]] bool useWriteDriver(hid_t properties, WriteHealth& health);

}  // namespace ulp::tensors
