#include "core/engine/running/run_error.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/engine/captures/memory_shortage.h"

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

std::string placeOf(Shortage shortage, const LayerDevices& devices) {
  if (shortage == Shortage::Host) {
    return "this machine";
  }
  return shortage == Shortage::Device
             ? devices.str()
             : devices.str() + ", or the page-locked part of this machine,";
}

}  // namespace

Error runError(const c10::Error& e, const LayerDevices& devices) {
  const std::string problem = problemOf(e);
  if (const Shortage shortage = shortageOf(e); shortage != Shortage::None) {
    return {ErrorCode::OutOfMemory,
            "the run needs more memory than " + placeOf(shortage, devices) + " has (" + problem +
                "); use a shorter sequence or a smaller micro batch, or leave the backward pass "
                "out (capture.backward: false)"};
  }
  if (problem.find("No available kernel") != std::string::npos) {
    return {ErrorCode::Unsupported,
            "attention.implementation: neither this kernel nor any of attention.order takes the "
            "run's formats, head size or mask on " +
                devices.str() + "; sdpa and eager always do"};
  }
  if (problem.find("does not have a deterministic implementation") != std::string::npos) {
    return {ErrorCode::Unsupported, "runtime.deterministic: " + problem};
  }
  return {ErrorCode::Internal, "LibTorch: " + problem};
}

Error lostDevice(const LayerDevices& devices, const Error& cause) {
  return {ErrorCode::Device,
          devices.str() + " failed in this run, and this process cannot use it any more (" +
              cause.message() +
              "); if that happens again, look for errors of the card with `nvidia-smi -q` and "
              "`dmesg`"};
}

}  // namespace ulp::engine
