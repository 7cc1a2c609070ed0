#include "core/engine/running/run_error.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace ulp::engine {
namespace {

/// What LibTorch says, without its advice to programmers.
std::string problemOf(const c10::Error& e) {
  const std::string message = e.what_without_backtrace();
  std::size_t end = message.size();
  for (const std::string_view advice :
       {"\n", " If reserved but unallocated memory", " Including non-PyTorch memory"}) {
    end = std::min(end, message.find(advice));
  }
  return message.substr(0, end);
}

/// Whose memory was too small; empty: nobody's.
std::string tooSmall(const c10::Error& e, std::string_view message, const c10::Device& device) {
  constexpr int kMemoryAllocation = 2;  // cudaErrorMemoryAllocation
  if (dynamic_cast<const c10::OutOfMemoryError*>(&e) != nullptr ||
      message.find("STATUS_ALLOC_FAILED") != std::string_view::npos) {
    return device.str();
  }
  if (message.find("can't allocate memory") != std::string_view::npos) {
    return "this machine";
  }
  // LibTorch's allocator of the device has an exception of its own.
  const auto* refused = dynamic_cast<const c10::AcceleratorError*>(&e);
  const bool isDrivers = refused != nullptr && refused->get_error_code() == kMemoryAllocation;
  return isDrivers ? device.str() + ", or the page-locked part of this machine," : "";
}

}  // namespace

Error runError(const c10::Error& e, const c10::Device& device) {
  const std::string problem = problemOf(e);
  if (const std::string place = tooSmall(e, problem, device); !place.empty()) {
    return {ErrorCode::OutOfMemory,
            "the run needs more memory than " + place + " has (" + problem +
                "); use a shorter sequence or a smaller micro batch, or leave the backward pass "
                "out (capture.backward: false)"};
  }
  if (problem.find("No available kernel") != std::string::npos) {
    return {ErrorCode::Unsupported,
            "attention.implementation: this kernel does not take the run's formats, head size or "
            "mask on " +
                device.str() + "; sdpa and eager always do"};
  }
  if (problem.find("does not have a deterministic implementation") != std::string::npos) {
    return {ErrorCode::Unsupported, "runtime.deterministic: " + problem};
  }
  return {ErrorCode::Internal, "LibTorch: " + problem};
}

Error lostDevice(const c10::Device& device, const Error& cause) {
  return {ErrorCode::Device,
          device.str() + " failed in this run, and this process cannot use it any more (" +
              cause.message() +
              "); if that happens again, look for errors of the card with `nvidia-smi -q` and "
              "`dmesg`"};
}

}  // namespace ulp::engine
