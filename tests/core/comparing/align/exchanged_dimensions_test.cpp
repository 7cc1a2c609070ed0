#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/alignment_passes.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/core/comparing/compared_units.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using test::compared;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::int64_t kHiddenSize = 6;

/// An element by sample, position and place in the token.
using Element = std::function<float(std::int64_t, std::int64_t, std::int64_t)>;

float told(std::int64_t sample, std::int64_t position, std::int64_t place) {
  return static_cast<float>((sample * 31 + position * 7 + place * 3) % 23) - 11;
}

struct Layout {
  std::int64_t samples;
  std::int64_t positions;
  bool isSequenceFirst = false;

  [[nodiscard]] std::vector<std::int64_t> shape(std::int64_t width) const {
    return isSequenceFirst ? std::vector{positions, samples, width}
                           : std::vector{samples, positions, width};
  }
  [[nodiscard]] std::vector<float> elements(std::int64_t width, const Element& element) const {
    std::vector<float> all;
    const std::vector<std::int64_t> extents = shape(width);
    for (std::int64_t i = 0; i < extents[0]; ++i) {
      for (std::int64_t j = 0; j < extents[1]; ++j) {
        for (std::int64_t k = 0; k < width; ++k) {
          all.push_back(isSequenceFirst ? element(j, i, k) : element(i, j, k));
        }
      }
    }
    return all;
  }
};

void addOutput(BuiltUnit& unit,
               const std::string& path,
               const Layout& layout,
               const Element& element = told,
               std::int64_t width = kHiddenSize) {
  unit.module(path);
  unit.tensor(Role::Output, "0", layout.elements(width, element));
  unit.shape(layout.shape(width));
}

std::shared_ptr<BuiltUnit> unitOf(const Layout& layout, const Element& element = told) {
  auto unit = std::make_shared<BuiltUnit>();
  addOutput(*unit, "layers.0", layout, element);
  return unit;
}

double errorOf(const UnitOutcome& outcome) {
  return outcome.verdict.largestError;
}

TEST(ExchangedDimensionsTest, ShapesTellThatTheSequenceStandsFirst) {
  const UnitOutcome outcome = compared(unitOf({2, 5}), unitOf({2, 5, true}));
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.rowsByElements, 1U);
  EXPECT_EQ(outcome.equalRows, 1U);
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(HasSubstr("1 tensors are compared with two dimensions exchanged ([T, B, …] "
                                 "and [B, T, …]), as the other side holds them: "
                                 "Module.layers.0.Module.forward.0.output.0;")));
}

TEST(ExchangedDimensionsTest, OfABatchAsLargeAsTheSequenceElementsTellIt) {
  const Element rounded = [](auto... at) { return told(at...) * 1.001F; };
  const UnitOutcome outcome = compared(unitOf({4, 4}), unitOf({4, 4, true}, rounded));
  EXPECT_NEAR(errorOf(outcome), 0.001, 1e-5);
  EXPECT_THAT(textsOf(outcome.notes), Contains(HasSubstr("dimensions exchanged")));

  const UnitOutcome asTheyAre = compared(unitOf({4, 4}), unitOf({4, 4}, rounded));
  EXPECT_NEAR(errorOf(asTheyAre), 0.001, 1e-5);
  EXPECT_THAT(textsOf(asTheyAre.notes), IsEmpty());
}

TEST(ExchangedDimensionsTest, TensorsThatNoLongerAgreeLieAsThoseBeforeThem) {
  const Element other = [](std::int64_t sample, std::int64_t position, std::int64_t place) {
    return std::sin(static_cast<float>(sample * 977 + position * 131 + place * 17));
  };
  const auto left = unitOf({4, 4});
  addOutput(*left, "layers.1", {4, 4});
  const auto right = unitOf({4, 4, true});
  addOutput(*right, "layers.1", {4, 4, true}, other);
  const UnitOutcome outcome = compared(left, right);
  EXPECT_EQ(outcome.equalRows, 1U);
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(HasSubstr("2 tensors are compared with two dimensions")));
  EXPECT_THAT(textsOf(outcome.notes), Not(Contains(HasSubstr("equally long"))));
}

TEST(ExchangedDimensionsTest, SaysWhereNothingTellsIt) {
  const Element other = [](std::int64_t sample, std::int64_t position, std::int64_t place) {
    return std::sin(static_cast<float>(sample * 977 + position * 131 + place * 17));
  };
  const UnitOutcome outcome = compared(unitOf({4, 4}), unitOf({4, 4, true}, other));
  EXPECT_GT(errorOf(outcome), 0.5);
  EXPECT_THAT(textsOf(outcome.notes),
              Contains(AllOf(HasSubstr("1 tensors have two dimensions that are equally long"),
                             HasSubstr("layers.0.Module.forward.0.output.0 are compared as they "
                                       "are"))));
}

TEST(ExchangedDimensionsTest, WhatIsTheSameEitherWayIsNoQuestion) {
  const Element constant = [](auto... /*at*/) { return 1.0F; };
  const UnitOutcome outcome = compared(unitOf({3, 3}, constant), unitOf({3, 3}, constant));
  EXPECT_EQ(outcome.equalRows, 1U);
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(ExchangedDimensionsTest, ElementsThatAreNotFiniteTellNothingAndAreCounted) {
  const Element broken = [](std::int64_t sample, std::int64_t position, std::int64_t place) {
    return sample == 0 && position == 1 ? std::numeric_limits<float>::quiet_NaN()
                                        : told(sample, position, place);
  };
  const UnitOutcome outcome = compared(unitOf({4, 4}), unitOf({4, 4, true}, broken));
  EXPECT_THAT(textsOf(outcome.notes), Contains(HasSubstr("dimensions exchanged")));
  ASSERT_THAT(outcome.run.comparisons, SizeIs(1));
  EXPECT_EQ(outcome.run.comparisons.front().variantNonFinite.nan,
            static_cast<std::uint64_t>(kHiddenSize));
  EXPECT_LT(errorOf(outcome), 1e-6);
}

TEST(ExchangedDimensionsTest, StatisticsStayWhatTheyAre) {
  const auto recorded = [](std::vector<std::int64_t> shape) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("layers.0");
    unit->recorded(Role::Output, "0", {1, 2, 3, 4});
    unit->shape(std::move(shape));
    return unit;
  };
  const UnitOutcome outcome = compared(recorded({2, 5, 6}), recorded({5, 2, 6}));
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.rowsByStatistics, 1U);
  EXPECT_LT(errorOf(outcome), 1e-12);
  EXPECT_THAT(textsOf(compared(recorded({4, 4, 6}), recorded({4, 4, 6})).notes), IsEmpty());
}

TEST(ExchangedDimensionsTest, ChecksumsAloneSayThatTheyTellNothing) {
  const auto summed = [](std::vector<std::int64_t> shape, const std::string& sum) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("layers.0");
    unit->checksum(Role::Output, "0", sum);
    unit->shape(std::move(shape));
    return unit;
  };
  EXPECT_THAT(compared(summed({2, 5, 6}, "a"), summed({5, 2, 6}, "b")).shapesDiffer, SizeIs(1));
  EXPECT_THAT(textsOf(compared(summed({4, 4, 6}, "a"), summed({4, 4, 6}, "b")).notes),
              Contains(HasSubstr("equally long")));
  EXPECT_THAT(textsOf(compared(summed({4, 4, 6}, "a"), summed({4, 4, 6}, "a")).notes), IsEmpty());
}

TEST(ExchangedDimensionsTest, TokenIdsAndFusedTensorsFollowTheOthers) {
  const auto withIds = [](const Layout& layout) {
    auto unit = unitOf(layout);
    unit->module("embed", "Embedding");
    unit->tensor(Role::Input, "0", layout.elements(1, told));
    auto shape = layout.shape(1);
    shape.pop_back();
    unit->shape(shape);
    return unit;
  };
  EXPECT_EQ(compared(withIds({2, 5}), withIds({2, 5, true})).equalRows, 2U);
  EXPECT_EQ(compared(withIds({4, 4}), withIds({4, 4, true})).equalRows, 2U);

  // q, k and v here, one tensor of all three there.
  for (const std::int64_t positions : {5, 4}) {
    const auto left = unitOf({4, positions});
    const auto right = unitOf({4, positions, true});
    std::int64_t part = 0;
    for (const std::string name : {"q_proj", "k_proj", "v_proj"}) {
      addOutput(*left,
                "layers.0.self_attn." + name,
                {4, positions},
                [part](std::int64_t sample, std::int64_t position, std::int64_t place) {
                  return told(sample, position, part * kHiddenSize + place);
                });
      ++part;
    }
    addOutput(*right, "layers.0.self_attn.qkv_proj", {4, positions, true}, told, 3 * kHiddenSize);
    const UnitOutcome outcome = compared(left, right);
    EXPECT_EQ(outcome.equalRows, 4U) << positions;
  }
}

TEST(ExchangedDimensionsTest, WeightsStayAsTheyAre) {
  const auto weights = [](std::vector<std::int64_t> shape) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("conv");
    unit->tensor(Role::Parameter, "weight", Layout{2, 5}.elements(kHiddenSize, told));
    unit->shape(std::move(shape));
    return unit;
  };
  EXPECT_THAT(compared(weights({2, 5, 6}), weights({5, 2, 6})).shapesDiffer, SizeIs(1));
}

TEST(ExchangedDimensionsTest, OtherShapesAreNotExchanged) {
  const auto shaped = [](std::vector<std::int64_t> shape) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("layers.0");
    unit->tensor(Role::Output, "0", std::vector<float>(60, 1));
    unit->shape(std::move(shape));
    return unit;
  };
  using Extents = std::vector<std::int64_t>;
  for (const auto& [left, right] : {std::pair<Extents, Extents>{{2, 5, 6}, {2, 6, 5}},
                                    {{2, 30}, {30, 2}},
                                    {{2, 5, 6}, {5, 6, 2}},
                                    {{2, 5, 3, 2}, {3, 5, 2, 2}}}) {
    EXPECT_THAT(compared(shaped(left), shaped(right)).shapesDiffer, SizeIs(1));
  }
  EXPECT_EQ(compared(shaped({2, 5, 3, 2}), shaped({2, 3, 5, 2})).equalRows, 1U) << "heads";
}

TEST(ExchangedDimensionsTest, TheMappingGoesFirst) {
  const auto left = unitOf({2, 5});
  const auto right = unitOf({2, 5, true});
  EXPECT_THAT(compared(left, right, "exchanged: none\n").shapesDiffer, SizeIs(1));
  EXPECT_EQ(compared(left, right, "exchanged: ['^layers', none]\n").equalRows, 1U);

  const auto square = unitOf({4, 4});
  EXPECT_EQ(compared(square, unitOf({4, 4, true}), "exchanged: 'layers'\n").equalRows, 1U);
  EXPECT_GT(errorOf(compared(square, unitOf({4, 4}), "exchanged: 'layers'\n")), 0.5)
      << "what a rule exchanges stays exchanged";
}

}  // namespace
}  // namespace ulp::analysis
