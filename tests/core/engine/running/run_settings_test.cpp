#include "core/engine/running/run_settings.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

/// What LibTorch's processors work with during a run.
int threadsOn(const LayerDevices& devices, int threads) {
  PrecisionPlan plan;
  plan.threads = threads;
  const RunSettings settings(plan, devices);
  return at::get_num_threads();
}

TEST(RunSettings, TheThreadsAreThoseOfEveryRunThatAProcessorHasAPartOf) {
  const at::Device cpu(at::kCPU);
  const at::Device cuda(at::kCUDA, 0);
  const int before = at::get_num_threads();
  const int other = before + 1;
  EXPECT_EQ(threadsOn(cpu, other), other);
  EXPECT_EQ(threadsOn(LayerDevices({cuda, cpu}, {}), other), other);
  EXPECT_EQ(threadsOn(LayerDevices({cpu, cuda}, {}), other), other);
  EXPECT_EQ(threadsOn(cuda, other), before);
  EXPECT_EQ(threadsOn(LayerDevices({cuda, cpu}, {}), 0), before);
  EXPECT_EQ(at::get_num_threads(), before);
}

}  // namespace
}  // namespace ulp::engine
