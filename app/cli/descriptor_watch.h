#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "core/base/result.h"

namespace ulp::cli {

/// A file descriptor that is closed with it.
class Descriptor {
 public:
  explicit Descriptor(int number) : m_number(number) {}
  ~Descriptor() {
    if (m_number >= 0) {
      ::close(m_number);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return m_number; }

 private:
  int m_number;
};

/// While it lives, a thread of its own waits for something to read from a file descriptor.
class DescriptorWatch {
 public:
  /// `onReadable` runs in that thread; once it returns false, nothing more is waited for.
  /// What it throws is written to standard error, and ends the waiting. `descriptor` stays the
  /// caller's. Errors, beginning with `what`: Internal when the system refuses a descriptor, Io
  /// when it refuses a thread.
  [[nodiscard]] static Result<std::unique_ptr<DescriptorWatch>> start(
      int descriptor, std::string_view what, std::function<bool()> onReadable);

  ~DescriptorWatch();
  DescriptorWatch(const DescriptorWatch&) = delete;
  DescriptorWatch& operator=(const DescriptorWatch&) = delete;

 private:
  DescriptorWatch(int wake, int descriptor, std::string what, std::function<bool()> onReadable);
  void watch(int descriptor, const std::function<bool()>& onReadable) const;

  Descriptor m_wake;
  std::thread m_thread;
};

}  // namespace ulp::cli
