#include "core/comparing/origin/near_zero.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;

struct Tensor {
  std::vector<double> values;
  std::string dtype = "torch.float32";
  std::vector<std::int64_t> shape{};
};

std::shared_ptr<BuiltUnit> unitOf(const std::vector<Tensor>& tensors) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    unit->recorded(Role::Output, std::to_string(i), tensors[i].values);
    unit->rows.back().dtype = tensors[i].dtype;
    if (!tensors[i].shape.empty()) {
      unit->shape(tensors[i].shape);
    }
  }
  return unit;
}

std::optional<NearZero> found(const std::vector<Tensor>& baseline,
                              const std::vector<Tensor>& candidate) {
  auto compared = compareUnits(unitOf(baseline), unitOf(candidate), {});
  EXPECT_TRUE(compared);
  return findNearZero(*compared);
}

TEST(NearZeroTest, AMinimumNearZeroIsNamedWithBothNumbers) {
  const auto rows = found({{{1, 1e-9}}}, {{{1, 3e-9}}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows, 1U);
  EXPECT_EQ(rows->row, "Module.model.Module.forward.0.output.0");
  EXPECT_EQ(rows->statistic, "minimum");
  EXPECT_EQ(rows->baseline, 1e-9);
  EXPECT_EQ(rows->candidate, 3e-9);
}

TEST(NearZeroTest, SoIsAMeanBesideTheRms) {
  const auto rows = found({{{1, -1}}}, {{{1 + 1e-7, -1}}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->statistic, "mean");
  EXPECT_EQ(rows->baseline, 0);
}

TEST(NearZeroTest, EveryTensorCountsOnceAndTheFirstIsNamed) {
  const auto rows = found({{{2, 1}}, {{1, -1}}, {{1, 0}}, {{1e-9, -1}}},
                          {{{2, 1}}, {{1, -1 - 1e-7}}, {{1, 1e-9}}, {{3e-9, -1}}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows, 3U);
  EXPECT_EQ(rows->row, "Module.model.Module.forward.0.output.1");
}

TEST(NearZeroTest, WhatRoundingDoesNotAccountForIsNotAmongThem) {
  // 64 unit round-offs of float32 are 3.8e-6, 12 of bfloat16 are 0.047.
  EXPECT_FALSE(found({{{1, 1e-6}}}, {{{1, 6e-6}}}));
  EXPECT_TRUE(found({{{1, 1e-6}}}, {{{1, 4e-6}}}));
  EXPECT_TRUE(found({{{1, 1e-6}}}, {{{1, 6e-6}, "torch.bfloat16"}}));
  EXPECT_FALSE(found({{{1, 0.01}}}, {{{1, 0.1}, "torch.bfloat16"}}));
}

TEST(NearZeroTest, NeitherAreEqualTensorsWholeNumbersAndThoseOfAnotherShape) {
  EXPECT_FALSE(found({{{1, 0}}}, {{{1, 0}}}));
  EXPECT_FALSE(found({{{5, 0}, "torch.int64"}}, {{{5, 1}, "torch.int64"}}));
  EXPECT_FALSE(found({{{1, 1e-9}, "torch.float32", {2}}}, {{{1, 3e-9}, "torch.float32", {2, 3}}}));
  EXPECT_FALSE(found({{{1, 0.5}}}, {{{1, 0.6}}})) << "less than half of itself";
}

}  // namespace
}  // namespace ulp::analysis
