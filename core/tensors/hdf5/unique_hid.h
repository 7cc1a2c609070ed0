#pragma once

#include <utility>

#include <H5Ipublic.h>

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

}  // namespace ulp::tensors
