#pragma once

#include <functional>
#include <stop_token>
#include <thread>

#include "core/base/files/file_descriptor.h"

namespace ulp::remote {

/// While an answer is computed: looks after the one who asked. Who asks something else, or leaves,
/// waits for it no more, and it is stopped; to who waits, something is said now and then.
class AskerWatch {
 public:
  /// `input`: where questions come from. `sayStill` is called every half minute, on another thread.
  AskerWatch(int input, std::function<void()> sayStill);
  /// After it nothing more is said.
  ~AskerWatch();
  AskerWatch(const AskerWatch&) = delete;
  AskerWatch& operator=(const AskerWatch&) = delete;

  /// Nobody waits any more.
  [[nodiscard]] std::stop_token givenUp() const { return m_givenUp.get_token(); }

 private:
  void watch(int input, const std::function<void()>& sayStill);

  std::stop_source m_givenUp;
  FileDescriptor m_end;
  std::jthread m_thread;
};

}  // namespace ulp::remote
