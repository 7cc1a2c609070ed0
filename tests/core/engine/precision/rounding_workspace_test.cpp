// The plan's share for rounding beside what the operations of a device take, counted on the CPU.

#include "core/analysis/studies/memory/rounding_workspace.h"

#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/engine/precision/simulated_format.h"
#include "core/numerics/rounding/quantize.h"
#include "tests/core/engine/running/counting_allocator.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::RoundingMode;

/// Beside the numbers and the result.
double measured(NumberFormat format, const at::Tensor& values, RoundingMode mode) {
  test::CountingAllocator& counter = test::CountingAllocator::get();
  counter.begin();
  const at::Tensor rounded = quantizeByOperations(
      values, {.format = format, .rounding = {.mode = mode, .seed = 3, .stream = 5}});
  return static_cast<double>(counter.peak() - rounded.nbytes());
}

TEST(RoundingWorkspace, IsThatOfTheOperations) {
  test::CountingAllocator::get();
  constexpr std::int64_t kColumns = 256;
  constexpr std::int64_t kRows = 1024;
  const at::Tensor values = at::randn({kRows, kColumns});
  for (const auto& description : numerics::numberFormats()) {
    if (!numerics::isSimulated(description.format)) {
      continue;
    }
    const at::Tensor given =
        description.isBlockScaled() ? values : values.view({kRows * kColumns, 1});
    for (const RoundingMode mode : {RoundingMode::NearestEven, RoundingMode::Stochastic}) {
      const bool isStochastic = mode == RoundingMode::Stochastic;
      const auto planned = static_cast<double>(
          analysis::roundingWorkspace(description.format, kRows * kColumns, isStochastic));
      EXPECT_NEAR(measured(description.format, given, mode) / planned, 1, 0.1)
          << description.name << (isStochastic ? ", stochastic" : "");
    }
  }
}

TEST(RoundingWorkspace, OfLargeTensorsIsThatOfAPiece) {
  test::CountingAllocator::get();
  constexpr std::int64_t kColumns = std::int64_t{1} << 12;
  constexpr std::int64_t kRows = 5000;
  const at::Tensor values = at::ones({kRows, kColumns});
  const std::uint64_t planned =
      analysis::roundingWorkspace(NumberFormat::Nvfp4, kRows * kColumns, false);
  EXPECT_EQ(planned, (std::uint64_t{1} << 24) * 28);
  EXPECT_NEAR(measured(NumberFormat::Nvfp4, values, RoundingMode::NearestEven) /
                  static_cast<double>(planned),
              1,
              0.1);
}

}  // namespace
}  // namespace ulp::engine
