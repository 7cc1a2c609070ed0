#pragma once

#include <cstddef>
#include <functional>

namespace ulp::test {

/// What a piece of work may take.
struct WorkLimits {
  std::size_t allocations;  ///< how many
  std::size_t bytes;        ///< of all of them together
  std::size_t stackBytes;   ///< at any of them
  int milliseconds;         ///< of processor time
};

/// Runs in a fuzzer what nothing limits but the process around it, on one thread. Above a limit, an
/// allocation throws. Work that does not end by that is left by a jump: what it had is lost, so
/// that such targets look for no leaks, and whatever it changed for good may be half changed.
/// Linked with limited_work.cpp, which replaces operator new of its program.
void runLimited(const WorkLimits& limits, const std::function<void()>& work);

}  // namespace ulp::test
