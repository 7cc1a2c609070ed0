#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp::cli {

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

  FileDescriptor m_wake;
  std::thread m_thread;
};

}  // namespace ulp::cli
