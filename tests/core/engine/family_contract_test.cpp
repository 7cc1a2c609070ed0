// What holds for every model family: families/<id>.json is a tiny configuration of each.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"
#include "tests/support/machine/content_of.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigurations = ULP_SOURCE_DIR "/tests/core/engine/families";

std::vector<std::string> configuredFamilies() {
  std::vector<std::string> ids;
  // Where only programs were copied to, the first test fails, and what needs no configuration runs.
  std::error_code noSources;
  for (const auto& file : fs::directory_iterator(kConfigurations, noSources)) {
    ids.push_back(file.path().stem().string());
  }
  std::ranges::sort(ids);
  return ids;
}

TEST(ModelFamilies, EachHaveATinyConfiguration) {
  std::vector<std::string> ids;
  for (const FamilyInfo& family : sharedEngine().families()) {
    ids.push_back(family.id);
  }
  std::ranges::sort(ids);
  EXPECT_EQ(ids, configuredFamilies());
}

/// A tiny model of the family, with weights for exactly the parameters that its network has.
class FamilyContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    m_tiny.config =
        nlohmann::json::parse(test::contentOf(kConfigurations / (GetParam() + ".json")));
    m_tiny.weights.clear();
    m_tiny.writeConfig(m_folder);
    const auto random = openOrFail({.path = m_folder.path(), .randomWeights = true, .seed = 3});
    for (const Seen& seen : runOrFail(*random, request(DType::Float32)).seen) {
      if (seen.site.pass == Pass::ParameterGradient) {
        m_tiny.add(seen.site.name, seen.capture.view.shape);
      }
    }
  }

  [[nodiscard]] RunRequest request(DType compute) const {
    RunRequest request = requestOf(compute, m_tiny.config.at("vocab_size").get<std::int64_t>());
    request.plan.attention = AttentionImplementation::Eager;
    return request;
  }

  [[nodiscard]] std::unique_ptr<Model> open() const {
    m_tiny.writeDouble(m_folder);
    return openOrFail({.path = m_folder.path()});
  }

  [[nodiscard]] double loss() const {
    Recorder recorder;
    recorder.filter = [](const Site&) { return false; };
    return open()->run(request(DType::Float64), recorder, std::stop_token()).value().loss;
  }

  TinyModel m_tiny;
  test::TempDir m_folder;
};

INSTANTIATE_TEST_SUITE_P(All,
                         FamilyContract,
                         testing::ValuesIn(configuredFamilies()),
                         [](const auto& one) { return one.param; });

TEST_P(FamilyContract, NamesItselfAndCountsItsParameters) {
  const auto model = open();
  std::uint64_t parameters = 0;
  for (const auto& [name, tensor] : m_tiny.weights) {
    parameters += tensor.values.size();
  }
  EXPECT_EQ(model->info().family, GetParam());
  EXPECT_EQ(model->info().parameters, parameters);
  EXPECT_EQ(model->info().layers, m_tiny.config.at("num_hidden_layers").get<int>());
}

TEST_P(FamilyContract, ShowsEachSiteOnceInTheAnnouncedOrderWithFiniteNumbers) {
  const auto model = open();
  for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
    RunRequest all = request(DType::Float32);
    all.level = level;
    const std::vector<Site> announced = model->sites(all);
    const Recorder recorder = runOrFail(*model, all);
    ASSERT_EQ(recorder.seen.size(), announced.size());
    std::set<std::pair<std::string, Pass>> names;
    for (std::size_t i = 0; i < announced.size(); ++i) {
      const Seen& seen = recorder.seen[i];
      EXPECT_EQ(seen.site, announced[i]) << announced[i].name;
      EXPECT_TRUE(names.emplace(seen.site.name, seen.site.pass).second) << seen.site.name;
    }
    for (const char* name : {"decoder.0", "decoder.1", "logits"}) {
      for (const Pass pass : {Pass::Forward, Pass::Backward}) {
        const Seen& seen = recorder.of(name, pass);
        for (std::size_t i = 0; i < seen.count(); ++i) {
          ASSERT_TRUE(std::isfinite(seen.at(i))) << name << '[' << i << ']';
        }
      }
    }
  }
}

TEST_P(FamilyContract, RepeatsBitForBit) {
  const auto model = open();
  for (const DType dtype : {DType::Float32, DType::BFloat16}) {
    const Recorder first = runOrFail(*model, request(dtype));
    expectSameRuns(first, runOrFail(*model, request(dtype)));
  }
}

TEST_P(FamilyContract, CutsEveryRowOutOfAWiderBatchAndPutsItsPiecesTogether) {
  const auto model = open();
  RunRequest plain = request(DType::Float64);
  plain.level = Level::Op;
  const Recorder alone = runOrFail(*model, plain);
  for (const BatchPlan& batch :
       {BatchPlan{.among = 5, .place = 2, .padding = 3}, BatchPlan{.among = 4, .chunkLength = 4}}) {
    RunRequest request = plain;
    request.batch = batch;
    const Recorder wide = runOrFail(*model, request);
    for (const Seen& seen : wide.seen) {
      const Seen& own = alone.of(seen.site.name, seen.site.pass);
      ASSERT_EQ(seen.capture.view.shape, own.capture.view.shape) << seen.site.name;
      EXPECT_LT(relativeError(own, seen), 1e-11) << seen.site.name << toString(seen.site.pass);
    }
    EXPECT_GE(wide.seen.size(), model->sites(requestOf(DType::Float64, kVocabulary)).size());
  }
}

TEST_P(FamilyContract, MissesEachTensorThatItsFileDoesNotHold) {
  const std::map<std::string, TinyTensor> complete = m_tiny.weights;
  for (const auto& [name, tensor] : complete) {
    m_tiny.weights.erase(name);
    m_tiny.write(m_folder);
    const auto model = tryOpen({.path = m_folder.path()});
    ASSERT_FALSE(model) << name;
    EXPECT_EQ(model.error().code(), ErrorCode::CorruptData);
    EXPECT_NE(model.error().message().find('\'' + name + '\''), std::string::npos)
        << model.error().message();
    m_tiny.weights[name] = tensor;
  }
}

TEST_P(FamilyContract, RefusesATensorThatItsNetworkDoesNotHave) {
  m_tiny.add("model.layers.0.no_such_module.weight", {4});
  m_tiny.write(m_folder);
  const auto model = tryOpen({.path = m_folder.path()});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code(), ErrorCode::CorruptData);
}

TEST_P(FamilyContract, HasTheGradientsOfFiniteDifferences) {
  const Recorder recorder = runOrFail(*open(), request(DType::Float64));
  constexpr double kStep = 1e-5;
  for (auto& [name, tensor] : m_tiny.weights) {
    const Seen& gradient = recorder.of(name, Pass::ParameterGradient);
    std::vector<double>& values = tensor.values;
    const std::size_t element = values.size() / 2;
    const double kept = values[element];
    values[element] = kept + kStep;
    const double above = loss();
    values[element] = kept - kStep;
    const double below = loss();
    values[element] = kept;
    EXPECT_NEAR(gradient.at(element), (above - below) / (2 * kStep), 1e-8) << name;
  }
}

}  // namespace
}  // namespace ulp::engine
