#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "tests/support/data/fake_device.h"

/// What a test makes of the engine's double, and what it sees of it.
namespace ulp::test {

struct FakeEngineConfig {
  int layers = 3;
  std::int64_t vocabulary = 100;
  std::int64_t hidden = 16;
  int maximumThreads = 2;
  std::string torchVersion = "2.11.0-fake";
  Result<std::string> weightsDigest = "fake-weights";
  std::vector<engine::DeviceInfo> devices{{.id = "cpu", .name = "Fake CPU", .note = {}}};
  std::uint64_t freeBytes = std::uint64_t{1} << 30;
  std::string cudaKernelsProblem;
  std::optional<Error> openError;
  /// Error of the n-th run of the process, from 0, at site `failAt` of that run.
  std::map<int, Error> runErrors;
  std::size_t failAt = 3;
  /// A run that computes in this format loses the device at `failAt`: it and all later runs fail.
  std::optional<numerics::NumberFormat> losesDeviceIn;
  std::optional<engine::DeviceMoments> memory{};  ///< what every run says of it
  double lossShift = 0;                           ///< added to every loss
  /// Files of code that a run had; empty: none.
  std::function<std::map<std::string, std::string>(const engine::RunRequest&)> codeOf;
  /// The kernel that a run launches for a site; empty: none is seen.
  std::function<std::string(const engine::RunRequest&, const Site&)> kernelOf;
  std::chrono::microseconds siteDelay{0};
  /// What check() says of a plan.
  std::function<Result<>(const engine::PrecisionPlan&)> onCheck;
  /// Called before each site of a run is observed.
  std::function<void(int run, const Site& site)> onSite;
};

/// What happened in the engine, shared with the test.
struct FakeEngineLog {
  int runs = 0;
  int opened = 0;
  int threads = 0;
  bool isDeviceLost = false;
  std::vector<engine::RunRequest> requests;
  std::vector<engine::RunRequest> generations;
  std::atomic<int> liveCaptures{0};
  int mostLiveCaptures = 0;
  /// Where runs on another device than the CPU leave their captures.
  std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();
};

}  // namespace ulp::test
