#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include <H5Epublic.h>

#include "core/base/result.h"

namespace ulp::tensors {

/// Held while HDF5 is called: keeps other threads out, as the library may be built without locks of
/// its own, and catches what it would print when a function fails. Sessions nest; each knows the
/// failures since it began.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

  /// `path: what: the innermost reason of the first failure` of the innermost session, which then
  /// forgets it. The code is `code`, but Io where the operating system refused.
  [[nodiscard]] static Error error(const std::filesystem::path& path,
                                   std::string_view what,
                                   ErrorCode code);

 private:
  std::unique_lock<std::recursive_mutex> m_lock;
  H5E_auto2_t m_printer = nullptr;
  void* m_printerData = nullptr;
  std::string m_reason;
};

}  // namespace ulp::tensors
