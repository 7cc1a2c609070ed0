#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/processes/process_memory.h"
#include "core/base/result.h"
#include "runner/queue/resource_use.h"

namespace ulp::queue {

/// What a worker uses of the machine, as far as the system tells.
struct ResourceUse {
  std::optional<ProcessMemory> memory;
  std::optional<GpuUse> gpu;
};

/// Reads what a process uses, on a thread of its own, because a driver in trouble answers after
/// seconds or never: nobody waits for a reading. Used by one thread.
class ResourceProbe {
 public:
  /// Reads the memory of the process `pid` and the use of its GPU, which `device` names.
  using Read = std::function<ResourceUse(std::int64_t pid, const std::string& device)>;
  using Arrived = std::function<void(std::int64_t pid, const Result<ResourceUse>& use)>;

  /// `read` and `arrived` are called, and `read` is destroyed, on the probe's thread. The error is
  /// what `read` threw.
  ResourceProbe(Read read, Arrived arrived);
  /// A reading that goes on arrives nowhere. Its thread ends behind it, or with the process.
  ~ResourceProbe();
  ResourceProbe(const ResourceProbe&) = delete;
  ResourceProbe& operator=(const ResourceProbe&) = delete;

  /// Has it read: at once, or behind the reading that goes on, in place of what waits there.
  void request(std::int64_t pid, std::string device);

 private:
  struct Shared;

  std::shared_ptr<Shared> m_shared;
};

}  // namespace ulp::queue
