#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::remote {

/// A process, also for who looks long after it: numbers are given again, and machines start anew.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t started = 0;  ///< ticks of the clock since the machine was started
  std::string boot;           ///< of the machine
  std::string machine;        ///< its name

  bool operator==(const ProcessIdentity&) const = default;
};

/// The name of this machine.
[[nodiscard]] std::string machineName();
/// Error: NotFound, there is no such process.
[[nodiscard]] Result<ProcessIdentity> identityOf(pid_t pid);
/// Sends a signal to exactly this process. Errors: NotFound, it has ended; Unsupported, it runs on
/// another machine (a home that several share); Io.
[[nodiscard]] Result<> signalProcess(const ProcessIdentity& process, int signal);

[[nodiscard]] json::Value toJson(const ProcessIdentity& process);
/// What is missing stays as it is: pid 0.
[[nodiscard]] ProcessIdentity identityIn(const json::Value& value);

}  // namespace ulp::remote
