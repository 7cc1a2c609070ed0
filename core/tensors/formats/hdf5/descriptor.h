#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace ulp::tensors {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  /// Takes what a call of the system returned; below 0: it failed.
  explicit Descriptor(int number) : m_number(number) {}
  ~Descriptor() {
    if (m_number >= 0) {
      ::close(m_number);
    }
  }
  Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const { return m_number; }
  /// False where the system refused.
  explicit operator bool() const { return m_number >= 0; }

  /// The same file under a number above 9, so that a child can be given it under any of the first
  /// numbers; closed when a program is started. Where the system refuses, errno says why.
  [[nodiscard]] Descriptor lifted() const {
    constexpr int kLowest = 10;
    return Descriptor(m_number < 0 ? -1 : ::fcntl(m_number, F_DUPFD_CLOEXEC, kLowest));
  }

 private:
  int m_number = -1;
};

}  // namespace ulp::tensors
