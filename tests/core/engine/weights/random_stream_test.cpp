#include "core/engine/weights/random_stream.h"

#include <vector>

#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

/// Sizes below and around what LibTorch draws at a time, and around the stretches of one thread.
constexpr std::int64_t kSizes[] = {
    1, 5, 15, 16, 17, 31, 32, 1000, (1 << 20) - 3, (1 << 20) + 1, (1 << 20) + 16, (2 << 20) + 40};

class RandomStreamOf : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(RandomStreamOf, DrawsWhatCallsOneAfterTheOtherDo) {
  const auto options = at::TensorOptions().dtype(GetParam());
  at::Generator generator = at::detail::createCPUGenerator(7);
  RandomStream random(7);
  std::vector<at::Tensor> expected;
  std::vector<at::Tensor> actual;
  for (const std::int64_t size : kSizes) {
    at::empty({size}, options).uniform_(-1, 1, generator);
    random.skipUniform(size, GetParam());
    at::empty({size}, options).normal_(0, 1, generator);
    random.skipNormal(size, GetParam());
    expected.push_back(at::empty({size}, options).normal_(0, 0.02, generator));
    actual.push_back(at::empty({size}, options));
    random.normal(actual.back(), 0.02);
  }
  const auto drawn = random.drawAll({});
  ASSERT_TRUE(drawn.has_value()) << drawn.error().message();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(at::equal(actual[i], expected[i])) << kSizes[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Formats,
                         RandomStreamOf,
                         ::testing::Values(at::kFloat, at::kDouble, at::kBFloat16, at::kHalf),
                         [](const auto& one) { return std::string(at::toString(one.param)); });

TEST(RandomStream, StopsWhenAsked) {
  RandomStream random(0);
  random.normal(at::empty({100}), 1);
  std::stop_source stop;
  stop.request_stop();
  const auto drawn = random.drawAll(stop.get_token());
  ASSERT_FALSE(drawn.has_value());
  EXPECT_EQ(drawn.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::engine
