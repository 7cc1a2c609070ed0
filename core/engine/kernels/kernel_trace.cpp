#include "core/engine/kernels/kernel_trace.h"

#include <kineto/ActivityType.h>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include <torch/csrc/autograd/profiler_kineto.h>

namespace ulp::engine {
namespace {

namespace profiler = torch::autograd::profiler;
using libkineto::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

/// Kernels, and the calls of the runtime and the driver that launch them; no operators.
const std::set<torch::profiler::impl::ActivityType> kActivities{
    torch::profiler::impl::ActivityType::CUDA};

ActivityType typeOf(const profiler::KinetoEvent& event) {
  return static_cast<ActivityType>(event.activityType());
}

bool isCall(const profiler::KinetoEvent& event) {
  return typeOf(event) == ActivityType::CUDA_RUNTIME || typeOf(event) == ActivityType::CUDA_DRIVER;
}

/// When the host launched them, not when they ran. A kernel whose call is not known cannot be
/// placed.
std::vector<KernelLaunch> launchesIn(const std::vector<profiler::KinetoEvent>& events) {
  std::unordered_map<std::uint64_t, std::int64_t> calls;
  for (const profiler::KinetoEvent& event : events) {
    if (isCall(event)) {
      calls.emplace(event.correlationId(), static_cast<std::int64_t>(event.startNs()));
    }
  }
  std::vector<KernelLaunch> launches;
  for (const profiler::KinetoEvent& event : events) {
    if (typeOf(event) == ActivityType::CONCURRENT_KERNEL) {
      if (const auto call = calls.find(event.correlationId()); call != calls.end()) {
        launches.push_back({event.name(), call->second});
      }
    }
  }
  return launches;
}

}  // namespace

KernelTrace::KernelTrace() {
  const ProfilerConfig config(ProfilerState::KINETO);
  profiler::prepareProfiler(config, kActivities);
  profiler::enableProfiler(config, kActivities);
  m_isRunning = true;
}

KernelTrace::~KernelTrace() {
  if (m_isRunning) {
    try {
      profiler::disableProfiler();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the run failed already
    }
  }
}

KernelTrace::Seen KernelTrace::finish() {
  m_isRunning = false;
  const std::unique_ptr<profiler::ProfilerResult> result = profiler::disableProfiler();
  return {launchesIn(result->events()), m_clock.makeConverter()};
}

}  // namespace ulp::engine
