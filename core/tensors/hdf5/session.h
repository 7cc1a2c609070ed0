#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <H5Epublic.h>
#include <H5Ipublic.h>

#include "core/base/result.h"

namespace ulp::tensors {

/// Owns an HDF5 identifier of any kind; closes it by dropping its reference.
class UniqueHid {
 public:
  UniqueHid() = default;
  explicit UniqueHid(hid_t id) : m_id(id) {}
  ~UniqueHid() { reset(); }
  UniqueHid(UniqueHid&& other) noexcept : m_id(other.release()) {}
  UniqueHid& operator=(UniqueHid&& other) noexcept {
    if (this != &other) {
      reset();
      m_id = other.release();
    }
    return *this;
  }
  UniqueHid(const UniqueHid&) = delete;
  UniqueHid& operator=(const UniqueHid&) = delete;

  [[nodiscard]] hid_t get() const { return m_id; }
  /// False for a default one and for what a failed HDF5 function returned.
  explicit operator bool() const { return m_id >= 0; }
  [[nodiscard]] hid_t release() { return std::exchange(m_id, H5I_INVALID_HID); }
  void reset() {
    if (m_id >= 0) {
      H5Idec_ref(std::exchange(m_id, H5I_INVALID_HID));
    }
  }

 private:
  hid_t m_id = H5I_INVALID_HID;
};

/// Tells whether there is more memory than HDF5 1.10 takes when it begins, or makes a file: where
/// memory ends in the middle of either, it follows a null pointer.
[[nodiscard]] bool hasMemoryForHdf5();

/// Held while HDF5 is called: keeps other threads out, as the library may be built without locks of
/// its own, and catches what it would print when a function fails. Sessions nest; each knows the
/// failures since it began. The first throws std::bad_alloc where the library cannot begin.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

  /// `path: what: the innermost reason of the first failure` of the innermost session, which then
  /// forgets it. The code is `code`, but Io where the operating system refused.
  [[nodiscard]] static tl::unexpected<Error> error(const std::filesystem::path& path,
                                                   std::string_view what,
                                                   ErrorCode code = ErrorCode::CorruptData);

 private:
  std::unique_lock<std::recursive_mutex> m_lock;
  H5E_auto2_t m_printer = nullptr;
  void* m_printerData = nullptr;
  std::string m_reason;
};

}  // namespace ulp::tensors
