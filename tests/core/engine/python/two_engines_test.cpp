#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// The native engine beside the same model in Python, bit for bit.
namespace ulp::engine {
namespace {

using numerics::Operation;

std::vector<Site> sorted(std::vector<Site> sites) {
  std::ranges::sort(sites);
  return sites;
}

/// Says how far two tensors of one shape are apart.
std::string distance(const Seen& one, const Seen& other) {
  std::size_t differing = 0;
  double largest = 0;
  double all = 0;
  for (std::size_t i = 0; i < one.count(); ++i) {
    differing += one.at(i) == other.at(i) ? 0 : 1;
    largest = std::max(largest, std::abs(one.at(i) - other.at(i)));
    all = std::max(all, std::abs(one.at(i)));
  }
  return fmt::format("{} of {} elements, by up to {:.2g} where the largest is {:.2g}",
                     differing,
                     one.count(),
                     largest,
                     all);
}

/// Every tensor of both, by its site: the order of rows that do not depend on each other is free.
/// Micro-batches show a site once each, in their order.
void expectSameTensors(const Recorder& native, const Recorder& python) {
  ASSERT_EQ(native.seen.size(), python.seen.size());
  std::map<Site, std::deque<const Seen*>> bySite;
  for (const Seen& one : python.seen) {
    bySite[one.site].push_back(&one);
  }
  for (const Seen& one : native.seen) {
    std::deque<const Seen*>& others = bySite[one.site];
    ASSERT_FALSE(others.empty()) << one.site.name << ", " << toString(one.site.pass);
    const Seen& other = *others.front();
    others.pop_front();
    ASSERT_EQ(one.capture.view.dtype, other.capture.view.dtype) << one.site.name;
    ASSERT_EQ(one.capture.view.shape, other.capture.view.shape) << one.site.name;
    EXPECT_TRUE(one.bytes == other.bytes)
        << one.site.name << ", " << toString(one.site.pass) << ": " << distance(one, other);
  }
}

class TwoEngines : public ::testing::Test {
 protected:
  /// A study that ran before may have left another number than Python computes with.
  void SetUp() override { sharedEngine().setThreads(1); }

  void open(const ModelRequest& request) {
    m_native = openOrFail(request);
    m_python = pythonOrFail({.model = request});
  }

  void compare(const RunRequest& request) {
    Recorder native;
    Recorder python;
    const auto one = m_native->run(request, native, std::stop_token());
    const auto other = m_python->run(request, python, std::stop_token());
    ASSERT_TRUE(one) << one.error().message();
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_EQ(one->loss, other->loss);
    EXPECT_EQ(one->tokens.logProbabilities, other->tokens.logProbabilities);
    EXPECT_EQ(one->tokens.isLabel, other->tokens.isLabel);
    EXPECT_EQ(one->labels, other->labels);
    EXPECT_EQ(one->documents, other->documents);
    expectSameTensors(native, python);
  }

  std::unique_ptr<Model> m_native;
  std::unique_ptr<PythonModel> m_python;
};

TEST_F(TwoEngines, GiveTheSameSitesAndFacts) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const Level level : {Level::Layer, Level::Module}) {
    for (const bool backward : {false, true}) {
      const CaptureScope scope{.level = level, .backward = backward};
      EXPECT_EQ(sorted(m_python->sites(scope)), sorted(m_native->sites(scope)));
    }
  }
  EXPECT_EQ(m_python->info().layers, 2);
  EXPECT_EQ(m_python->info().family, "llama");
  EXPECT_EQ(m_python->info().vocabularySize, kVocabulary);
  EXPECT_EQ(m_python->info().parameters, m_native->info().parameters);
  EXPECT_EQ(m_python->facts().modelClass, "LlamaForCausalLM");
  EXPECT_EQ(m_python->weightsDigest().value(), m_native->weightsDigest().value());
}

TEST_F(TwoEngines, ComputeTheSameBitsInEveryFormatAndAttention) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const DType dtype : {DType::Float32, DType::BFloat16, DType::Float16}) {
    for (const auto attention : {AttentionImplementation::Eager,
                                 AttentionImplementation::Sdpa,
                                 AttentionImplementation::SdpaMath}) {
      for (const Cast cast : {Cast::Load, Cast::Module}) {
        SCOPED_TRACE(testing::Message() << toString(dtype) << ' ' << static_cast<int>(attention)
                                        << ' ' << static_cast<int>(cast));
        RunRequest request = requestOf(dtype, kVocabulary);
        request.plan.attention = attention;
        request.plan.cast = cast;
        compare(request);
      }
    }
  }
}

TEST_F(TwoEngines, ComputeTheSameHeadInAFormatOfItsOwn) {
  for (const bool isTied : {false, true}) {
    const test::TempDir folder;
    TinyModel tiny;
    tiny.config["tie_word_embeddings"] = isTied;
    if (isTied) {
      tiny.weights.erase("lm_head.weight");
    }
    tiny.write(folder);
    open({.path = folder.path()});
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    request.plan.formats[Operation::LmHead] = numerics::NumberFormat::Float32;
    compare(request);
  }
}

TEST_F(TwoEngines, ComputeTheSameMatrixProductsInAFormatOfTheirOwn) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  PrecisionRule rule{.match = R"(mlp\.down_proj$)"};
  rule.formats[Operation::Compute] = numerics::NumberFormat::Float32;
  request.plan.rules = {rule};
  Recorder native;
  Recorder python;
  ASSERT_TRUE(m_native->run(request, native, {}));
  const auto outcome = m_python->run(request, python, {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  // The native engine shows a product before its reader casts it, Python what crosses the border.
  const Seen& wide = native.of("model.layers.0.mlp.down_proj", Pass::Forward);
  const Seen& cast = python.of("model.layers.0.mlp.down_proj", Pass::Forward);
  EXPECT_EQ(wide.capture.view.dtype, DType::Float32);
  EXPECT_EQ(cast.capture.view.dtype, DType::BFloat16);
  EXPECT_LT(relativeError(wide, cast), 4e-3);
  EXPECT_TRUE(native.of("decoder.0", Pass::Forward).bytes ==
              python.of("decoder.0", Pass::Forward).bytes);
  EXPECT_EQ(
      python.of("model.layers.0.mlp.down_proj.weight", Pass::ParameterGradient).capture.view.dtype,
      DType::Float32);
}

/// Inside of a module that a rule matches nothing is cast, however many modules are there.
TEST_F(TwoEngines, ComputeTheSameInsideOfAModuleInAFormatOfItsOwn) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const char* match : {"mlp", "self_attn"}) {
    SCOPED_TRACE(match);
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    PrecisionRule rule{.match = match};
    rule.formats[Operation::Compute] = numerics::NumberFormat::Float32;
    request.plan.rules = {rule};
    Recorder native;
    Recorder python;
    ASSERT_TRUE(m_native->run(request, native, {}));
    const auto outcome = m_python->run(request, python, {});
    ASSERT_TRUE(outcome) << outcome.error().message();
    for (const Seen& one : native.seen) {
      const Seen& other = python.of(one.site.name, one.site.pass);
      const bool isAtBorder = one.site.name.ends_with(match);
      if (one.site.pass == Pass::Forward && !isAtBorder) {
        EXPECT_TRUE(one.bytes == other.bytes) << one.site.name;
      } else {  // rounded as it leaves the module; a gradient once, where native rounds its parts
        EXPECT_LT(relativeError(one, other), 0.02) << one.site.name;
      }
    }
  }
}

/// A module without a rule in one that has one computes in the format of the run.
TEST_F(TwoEngines, ComputeWhatIsInsideInTheFormatOfTheLastRule) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder plain = runOrFail(*m_python, request);
  PrecisionRule wide{.match = "mlp$"};
  wide.formats[Operation::Compute] = numerics::NumberFormat::Float32;
  PrecisionRule all{.match = "mlp"};
  all.formats = wide.formats;
  PrecisionRule narrow{.match = R"(mlp\.)"};
  narrow.formats[Operation::Compute] = numerics::NumberFormat::BFloat16;
  request.plan.rules = {wide};
  const Recorder alone = runOrFail(*m_python, request);
  EXPECT_TRUE(alone.of("model.layers.0.mlp.up_proj", Pass::Forward).bytes !=
              plain.of("model.layers.0.mlp.up_proj", Pass::Forward).bytes)
      << "it leaves its module in float32";
  request.plan.rules = {all, narrow};
  expectSameRuns(alone, runOrFail(*m_python, request));
}

TEST_F(TwoEngines, DrawTheSameWeights) {
  const test::TempDir folder;
  TinyModel().writeConfig(folder);
  open({.path = folder.path(),
        .randomWeights = true,
        .seed = 11,
        .architectureJson = R"({"num_hidden_layers": 3, "attention_bias": true})"});
  EXPECT_EQ(m_python->info().layers, 3);
  compare(requestOf(DType::Float32, kVocabulary));
  compare(requestOf(DType::BFloat16, kVocabulary));
}

TEST_F(TwoEngines, AddUpTheSameMicroBatches) {
  const test::TempDir folder;
  TinyModel tiny;
  tiny.config["tie_word_embeddings"] = true;  // used twice in each
  tiny.weights.erase("lm_head.weight");
  tiny.write(folder);
  open({.path = folder.path()});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 9, 8).value());
  compare(request);
}

TEST_F(TwoEngines, ComputeTheSameOfPackedDocuments) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const auto attention : {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
    RunRequest request = requestOf(DType::BFloat16, kVocabulary);
    request.plan.attention = attention;
    request.microBatches[0].documents = {.lengths = {4, 6}, .unlabelled = {{5, 7}}};
    compare(request);
  }
}

/// Numbers of tokens of padding may lie outside of the vocabulary.
TEST_F(TwoEngines, ComputeTheSameOfPaddedSequences) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const auto attention : {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
    for (const DocumentLayout& documents : {DocumentLayout{.padding = 3},
                                            DocumentLayout{.lengths = {2, 5}, .padding = 3},
                                            DocumentLayout{.lengths = {8}, .padding = 2},
                                            DocumentLayout{.padding = 1}}) {
      SCOPED_TRACE(testing::Message() << documents.lengths.size() << ' ' << documents.padding);
      RunRequest request = requestOf(DType::BFloat16, kVocabulary);
      request.plan.attention = attention;
      TokenBatch& tokens = request.microBatches[0];
      tokens.documents = documents;
      for (std::int64_t i = 0; i < tokens.batch * documents.padding; ++i) {
        const std::int64_t width = tokens.length + 1;
        tokens.ids.at((i / documents.padding + 1) * width - 1 - i % documents.padding) = -100;
      }
      compare(request);
      if (documents.padding == 3) {
        request.batch = {.among = 4, .place = 1};
        compare(request);
      }
    }
  }
}

std::vector<BatchPlan> companies() {
  using Side = BatchPlan::Side;
  return {{.among = 5, .place = 2, .seed = 3},
          {.padding = 4},
          {.padding = 4, .side = Side::Right},
          {.chunkLength = 3},
          {.prompt = 5},
          {.padding = 3, .side = Side::Right, .prompt = 5},
          {.among = 4, .place = 1, .padding = 7, .chunkLength = 4, .prompt = 5}};
}

TEST_F(TwoEngines, ComputeTheSameInAnyCompanyAndInPieces) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const BatchPlan& plan : companies()) {
    for (const auto attention : {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
      SCOPED_TRACE(testing::Message() << plan.among << ' ' << plan.padding << ' '
                                      << plan.chunkLength << ' ' << plan.prompt);
      RunRequest request = requestOf(DType::BFloat16, kVocabulary, 9);
      request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 9, 7).value());
      request.plan.attention = attention;
      request.batch = plan;
      compare(request);
    }
  }
}

TEST_F(TwoEngines, KeepKeysAndValuesInTheSameFormat) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (const auto format : {numerics::NumberFormat::BFloat16,
                            numerics::NumberFormat::Float8E4M3FN,
                            numerics::NumberFormat::Float8E5M2}) {
    RunRequest request = requestOf(DType::Float32, kVocabulary, 9);
    request.batch = {.prompt = 5, .cacheFormat = format};
    compare(request);
  }
}

TEST_F(TwoEngines, ChooseTheSameTokens) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  for (BatchPlan plan : companies()) {
    plan.prompt = 0;
    RunRequest request = requestOf(DType::BFloat16, kVocabulary, 6);
    request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 6, 7).value());
    request.batch = plan;
    std::vector<std::int64_t> told;
    const auto watch = [&told](std::int64_t chosen, std::int64_t all) {
      EXPECT_EQ(all, 12);
      told.push_back(chosen);
    };
    const auto native = m_native->generate(request, 5, watch, std::stop_token());
    const std::vector<std::int64_t> toldByNative = std::exchange(told, {});
    const auto python = m_python->generate(request, 5, watch, std::stop_token());
    EXPECT_EQ(told.size(), 12U);
    EXPECT_EQ(told, toldByNative);
    ASSERT_TRUE(native) << native.error().message();
    ASSERT_TRUE(python) << python.error().message();
    ASSERT_EQ(native->size(), 2U);
    for (std::size_t i = 0; i < native->size(); ++i) {
      EXPECT_EQ((*native)[i].ids, (*python)[i].ids);
      EXPECT_EQ((*python)[i].length, 11);
      EXPECT_EQ((*python)[i].ids.size(), 24U);
    }
  }
}

TEST_F(TwoEngines, ComputeTheSameLosses) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  TokenBatch& tokens = request.microBatches[0];
  tokens.documents.lengths = {4, 6};
  tokens.policy.advantages.assign(tokens.ids.size(), 0.75F);
  tokens.policy.oldLogProbabilities.assign(tokens.ids.size(), -3.5F);
  request.loss = {.terms = {{.type = "gspo", .weight = 0.5}, {.type = "z_loss", .weight = 1e-3}},
                  .logitsScale = 0.8};
  compare(request);
  request.loss = {.terms = {{.type = "grpo"}}};
  compare(request);
}

TEST_F(TwoEngines, TakeTheSameStepOfAnOptimizer) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  using Type = OptimizerPlan::Type;
  for (const DType dtype : {DType::Float32, DType::BFloat16}) {
    RunRequest request = requestOf(dtype, kVocabulary);
    request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 9, 8).value());
    request.optimizer = {.type = Type::AdamW, .learningRate = 0.01};
    compare(request);
    request.optimizer = {
        .type = Type::Sgd, .learningRate = 0.1, .weightDecay = 0.1, .momentum = 0.9};
    request.parameterGradients = false;
    compare(request);
    EXPECT_EQ(sorted(m_python->sites(request)), sorted(m_native->sites(request)));
  }
  RunRequest last = requestOf(DType::BFloat16, kVocabulary);
  last.optimizer = {.type = Type::Sgd, .weightDecay = 0};
  compare(last);
}

TEST_F(TwoEngines, RunForwardAlone) {
  const test::TempDir folder;
  TinyModel().write(folder);
  open({.path = folder.path()});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.backward = false;
  compare(request);
  request.level = Level::Layer;
  compare(request);
  request.backward = true;
  request.parameterGradients = false;
  compare(request);
}

}  // namespace
}  // namespace ulp::engine
