#include "core/analysis/hosts/numbers_answer.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/tokens/token_errors.h"
#include "core/numerics/metrics/metric.h"

/// What a host says is what the same functions give here. Statistics, measures, closeness and
/// tokens go through a real connection in tests/app/cli/remote_test.py.
namespace ulp::analysis {
namespace {

struct AskedPair {
  std::vector<float> a;
  std::vector<float> b;
  std::array<tensors::Tensor, 2> both;

  AskedPair() {
    for (int i = 0; i < 24; ++i) {
      a.push_back(std::sin(static_cast<float>(i)));
      b.push_back(i == 7 ? std::nanf("") : a.back() + 0.01F * static_cast<float>(i % 5));
    }
    both[0] = {.view = {a.data(), DType::Float32, {2, 3, 4}}, .owner = nullptr};
    both[1] = {.view = {b.data(), DType::Float32, {2, 3, 4}}, .owner = nullptr};
  }
};

TEST(NumbersAnswer, ErrorsOfPartsAreThoseOfThisMachineToTheLastBit) {
  const AskedPair pair;
  const numerics::MetricRegistry metrics = numerics::elementMetrics();
  const numerics::Metric& metric = metrics.all()[*metrics.indexOf("rms_rel")];
  numerics::Comparer comparer({.worstCount = 0, .threads = 1});
  for (const std::int64_t headSize : {0, 2}) {
    auto said = answerNumbers(
        json::Object{{"what", "part_errors"}, {"head_size", headSize}, {"metric", metric.id}},
        pair.both,
        {});
    const auto here = partErrors(pair.both[0], pair.both[1], headSize, metric, comparer);
    ASSERT_TRUE(said && here);
    ASSERT_EQ(here->values.size(), headSize == 0 ? 6U : 2U);
    ASSERT_EQ(said->count(), here->values.size());
    for (std::size_t i = 0; i < here->values.size(); ++i) {
      EXPECT_EQ(said->whole(), std::bit_cast<std::uint64_t>(here->values[i]));
      EXPECT_EQ(said->whole(), here->nonFinite[i]);
    }
    EXPECT_TRUE(said->checkWhole());
  }
}

TEST(NumbersAnswer, WhatItDoesNotKnowIsReadByWhoAsks) {
  const AskedPair pair;
  for (const json::Object& question : {json::Object{{"what", "taste"}},
                                       json::Object{{"what", "part_errors"}, {"metric", "taste"}},
                                       json::Object{{"what", "measure"}, {"worst", -1}},
                                       json::Object{{"what", "statistics"}, {"bins", -1}}}) {
    const auto said = answerNumbers(question, pair.both, {});
    ASSERT_FALSE(said);
    EXPECT_EQ(said.error().code(), ErrorCode::Unsupported);
  }
  const auto outside = answerNumbers(
      json::Object{
          {"what", "token_distances"}, {"tokens", std::uint64_t{1} << 60U}, {"vocabulary", 16}},
      pair.both,
      {});
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code(), ErrorCode::InvalidArgument);
}

TEST(NumbersAnswer, StopsWithWhoAsked) {
  const AskedPair pair;
  std::stop_source stop;
  stop.request_stop();
  for (const char* what : {"measure", "closeness"}) {
    const auto said = answerNumbers(json::Object{{"what", what}}, pair.both, stop.get_token());
    ASSERT_FALSE(said);
    EXPECT_EQ(said.error().code(), ErrorCode::Cancelled) << what;
  }
  const auto one = std::span(pair.both).first(1);
  const auto statistics =
      answerNumbers(json::Object{{"what", "statistics"}, {"bins", 0}}, one, stop.get_token());
  ASSERT_FALSE(statistics);
  EXPECT_EQ(statistics.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
