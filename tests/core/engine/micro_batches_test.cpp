#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

constexpr std::int64_t kLength = 9;

/// Keeps what it is shown, micro-batch by micro-batch.
class StepRecorder final : public Observer {
 public:
  bool wants(const Site& /*site*/) override { return true; }
  void microBatchBegins(std::size_t index, std::size_t count) override {
    begun.emplace_back(index, count);
    seen.emplace_back();
  }
  Result<> observe(const Site& site, const Capture& capture) override {
    const Capture onHost = ULP_TRY(capture.onHost());
    const auto bytes = onHost.view.bytes();
    seen.back().push_back({site, onHost, {bytes.begin(), bytes.end()}});
    return {};
  }

  std::vector<std::pair<std::size_t, std::size_t>> begun;
  std::vector<std::vector<Seen>> seen;
};

class MicroBatches : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
    for (int i = 0; i < 3; ++i) {
      m_parts.push_back(sharedEngine()
                            .randomTokens(kVocabulary, 1, kLength, static_cast<std::uint64_t>(i))
                            .value());
    }
  }

  static RunRequest requestFor(DType dtype, std::vector<TokenBatch> parts) {
    RunRequest request;
    request.plan.formats[numerics::Operation::Compute] = numerics::formatOf(dtype);
    request.microBatches = std::move(parts);
    return request;
  }

  StepRecorder run(const RunRequest& request) {
    StepRecorder recorder;
    const auto outcome = m_model->run(request, recorder, std::stop_token());
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
    return recorder;
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
  std::vector<TokenBatch> m_parts;
};

TEST_F(MicroBatches, AreAllShownAndTheLossAndTheParametersInTheLastAlone) {
  const StepRecorder recorder = run(requestFor(DType::Float32, m_parts));
  EXPECT_EQ(recorder.begun,
            (std::vector<std::pair<std::size_t, std::size_t>>{{0, 3}, {1, 3}, {2, 3}}));
  ASSERT_EQ(recorder.seen.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    bool hasLoss = false;
    bool hasParameters = false;
    for (const Seen& seen : recorder.seen[i]) {
      hasLoss = hasLoss || seen.site.name == "loss";
      hasParameters = hasParameters || isOfParameters(seen.site.pass);
    }
    EXPECT_EQ(hasLoss, i == 2);
    EXPECT_EQ(hasParameters, i == 2);
    EXPECT_EQ(recorder.seen[i].front().site.name, "embeddings");
  }
}

TEST_F(MicroBatches, OfOneSequenceHaveTheTensorsOfOneMicroBatchOfThemAll) {
  TokenBatch all{.ids = {}, .batch = 3, .length = kLength};
  for (const TokenBatch& part : m_parts) {
    all.ids.insert(all.ids.end(), part.ids.begin(), part.ids.end());
  }
  const StepRecorder apart = run(requestFor(DType::Float64, m_parts));
  const StepRecorder together = run(requestFor(DType::Float64, {all}));
  std::map<std::pair<std::string, Pass>, const Seen*> whole;
  for (const Seen& seen : together.seen.at(0)) {
    whole[{seen.site.name, seen.site.pass}] = &seen;
  }
  int compared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (const Seen& part : apart.seen.at(i)) {
      const Seen& other = *whole.at({part.site.name, part.site.pass});
      const bool isSplit = other.count() == 3 * part.count();
      ASSERT_TRUE(isSplit || other.count() == part.count()) << part.site.name;
      for (std::size_t j = 0; j < part.count(); ++j) {
        ASSERT_NEAR(part.at(j), other.at(isSplit ? i * part.count() + j : j), 1e-12)
            << part.site.name;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 150);
}

TEST_F(MicroBatches, LeaveAStepOfOneAsItWas) {
  const RunRequest request = requestFor(DType::BFloat16, {m_parts[0]});
  const StepRecorder recorder = run(request);
  EXPECT_EQ(recorder.begun, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}}));
  EXPECT_EQ(recorder.seen.at(0).size(), m_model->sites(request).size());
}

}  // namespace
}  // namespace ulp::engine
