#include "core/analysis/studies/model_outline.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/model_limits.h"
#include "core/base/optimizer_rows.h"
#include "core/base/stop_scope.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/data/long_json.h"
#include "tests/support/machine/long_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::analysis {
namespace {

using testing::HasSubstr;

/// SmolLM2-135M, as its config.json has it.
constexpr std::string_view kSmolLm2 = R"({"model_type": "llama", "num_hidden_layers": 30,
  "hidden_size": 576, "intermediate_size": 1536, "num_attention_heads": 9,
  "num_key_value_heads": 3, "vocab_size": 49152, "tie_word_embeddings": true})";

class ModelOutlineTest : public testing::Test {
 protected:
  void write(std::string_view config) const { std::ofstream(m_folder / "config.json") << config; }
  test::TempDir m_folder;
};

std::uint64_t elements(const std::vector<OutlineSite>& sites) {
  return std::accumulate(
      sites.begin(), sites.end(), std::uint64_t{0}, [](std::uint64_t sum, const OutlineSite& site) {
        return sum + site.count;
      });
}

// The expected numbers are those of a report that the engine made of this model.
TEST_F(ModelOutlineTest, GivesTheSitesAndSizesOfARealRun) {
  write(kSmolLm2);
  const auto model = readModelOutline(m_folder.path());
  ASSERT_TRUE(model.has_value()) << model.error().message();
  EXPECT_EQ(parameterCount(*model), 134515008U);
  const auto sites = outlineSites(*model, {});
  EXPECT_EQ(sites.size(), 1061U);
  EXPECT_EQ(elements(sites), 220399937U);
  const auto of = [&](Pass pass) {
    return std::ranges::count_if(sites,
                                 [&](const OutlineSite& site) { return site.site.pass == pass; });
  };
  EXPECT_EQ(of(Pass::Forward), 396);
  EXPECT_EQ(of(Pass::Backward), 393);
  EXPECT_EQ(of(Pass::ParameterGradient), 272);
  const auto down = std::ranges::find_if(sites, [](const OutlineSite& site) {
    return site.site.name == "model.layers.0.mlp.down_proj" && site.site.pass == Pass::Backward;
  });
  ASSERT_NE(down, sites.end());
  EXPECT_EQ(down->count, 128U * 1536U);
}

TEST_F(ModelOutlineTest, KnowsRunsWithoutABackwardPassAndWithAnOptimizer) {
  write(kSmolLm2);
  const auto model = readModelOutline(m_folder.path());
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(outlineSites(*model, {.backward = false, .optimizer = kAdamWRows}).size(), 396U);
  const auto sites = outlineSites(*model, {.optimizer = kAdamWRows});
  EXPECT_EQ(sites.size(), 1061U + 3U * 272U);
  EXPECT_EQ(sites.back().site,
            (Site{"model.norm.weight.update", "model.norm", -1, Level::Module, Pass::Optimizer}));
  EXPECT_EQ(sites.back().count, 576U);
}

// As the engine announces them, less the scores that sdpa does not make.
TEST_F(ModelOutlineTest, OpLevelHasTheOperationsBetweenModules) {
  write(kSmolLm2);
  const auto model = readModelOutline(m_folder.path());
  ASSERT_TRUE(model.has_value());
  const CaptureShape fused{.level = Level::Op, .parameterGradients = false, .length = 16};
  CaptureShape eager = fused;
  eager.isEager = true;
  EXPECT_EQ(outlineSites(*model, fused).size(), 789U + 1U + 30U * 20U + 4U);
  EXPECT_EQ(outlineSites(*model, eager).size(),
            outlineSites(*model, fused).size() + std::size_t{30} * 4U);
  EXPECT_EQ(elements(outlineSites(*model, eager)) - elements(outlineSites(*model, fused)),
            std::uint64_t{30} * 4U * 9U * 16U * 16U);
}

TEST_F(ModelOutlineTest, LayerLevelKeepsTheLayersOnly) {
  write(kSmolLm2);
  const auto model = readModelOutline(m_folder.path());
  ASSERT_TRUE(model.has_value());
  const auto sites = outlineSites(
      *model, {.level = Level::Layer, .parameterGradients = false, .batch = 2, .length = 8});
  EXPECT_EQ(sites.size(), 34U + 32U);
  EXPECT_EQ(sites.front().site.name, "embeddings");
  EXPECT_EQ(sites.front().count, 2U * 8U * 576U);
}

TEST_F(ModelOutlineTest, TakesFieldsOfTheStudyOverTheFiles) {
  write(kSmolLm2);
  const auto model = readModelOutline(m_folder.path(),
                                      R"({"num_hidden_layers": 2, "tie_word_embeddings": false})");
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->layers, 2);
  EXPECT_EQ(outlineSites(*model, {}).back().site.name, "lm_head.weight");
}

/// A GGUF file of a llama of one layer; `hasHead`: its head has weights of its own.
std::string ggufLlama(bool hasHead) {
  tensors::Bytes file;
  const auto number = [&](std::string_view key, std::uint32_t value) {
    file.counted(key).number<std::uint32_t>(4).number(value);
  };
  file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(hasHead ? 2 : 1);
  file.number<std::uint64_t>(7);
  file.counted("general.architecture").number<std::uint32_t>(8).counted("llama");
  number("llama.block_count", 1);
  number("llama.embedding_length", 4);
  number("llama.feed_forward_length", 6);
  number("llama.attention.head_count", 2);
  number("llama.attention.head_count_kv", 1);
  number("llama.attention.key_length", 8);
  const auto matrix = [&](std::string_view name, std::uint64_t offset) {
    file.counted(name).number<std::uint32_t>(2).number<std::uint64_t>(4).number<std::uint64_t>(3);
    file.number<std::uint32_t>(0).number(offset);
  };
  matrix("token_embd.weight", 0);
  if (hasHead) {
    matrix("output.weight", 64);
  }
  file.padTo(32);
  return file.text(std::string(128, '\0')).content();
}

TEST_F(ModelOutlineTest, OfAGgufFileIsInItsMetadata) {
  const auto tied = readModelOutline(m_folder.write("tied.gguf", ggufLlama(false)));
  ASSERT_TRUE(tied) << tied.error().message();
  EXPECT_EQ(tied->layers, 1);
  EXPECT_EQ(tied->hidden, 4);
  EXPECT_EQ(tied->intermediate, 6);
  EXPECT_EQ(tied->heads, 2);
  EXPECT_EQ(tied->keyValueHeads, 1);
  EXPECT_EQ(tied->headSize, 8);
  EXPECT_EQ(tied->vocabulary, 3);
  EXPECT_TRUE(tied->isTied);
  const auto untied = readModelOutline(m_folder.write("untied.gguf", ggufLlama(true)));
  ASSERT_TRUE(untied) << untied.error().message();
  EXPECT_EQ(untied->vocabulary, 3);
  EXPECT_FALSE(untied->isTied);
}

TEST_F(ModelOutlineTest, ConfigurationsHaveUpTo16MiB) {
  const auto errorOf = [this](std::uint64_t bytes) {
    test::longFile(m_folder, "config.json", "}", bytes);
    return readModelOutline(m_folder.path()).error().message();
  };
  EXPECT_THAT(errorOf(16U << 20U), testing::Not(HasSubstr(test::kTooLong)));
  EXPECT_THAT(errorOf((16U << 20U) + 1), HasSubstr(test::kTooLong));
}

TEST_F(ModelOutlineTest, AStopIsNoModelWithoutFields) {
  write(kSmolLm2);
  const std::string longObject = R"({"others": )" + test::longJsonList() + "}";
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto overridden = readModelOutline(m_folder.path(), longObject);
  ASSERT_FALSE(overridden);
  EXPECT_EQ(overridden.error().code(), ErrorCode::Cancelled);
  EXPECT_THAT(overridden.error().message(), HasSubstr("model.architecture: "));
  write(longObject);
  const auto stopped = readModelOutline(m_folder.path());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
  EXPECT_THAT(stopped.error().message(), HasSubstr("config.json: "));
}

TEST_F(ModelOutlineTest, SaysWhatItCannotTell) {
  EXPECT_EQ(readModelOutline(m_folder.path()).error().code(), ErrorCode::NotFound);
  EXPECT_EQ(readModelOutline(m_folder / "gone.gguf").error().code(), ErrorCode::NotFound);
  write(R"({"model_type": "mamba"})");
  EXPECT_EQ(readModelOutline(m_folder.path()).error().code(), ErrorCode::Unsupported);
  write(R"({"model_type": "llama", "num_hidden_layers": "many"})");
  const auto wrong = readModelOutline(m_folder.path());
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code(), ErrorCode::CorruptData);
  EXPECT_NE(wrong.error().message().find("num_hidden_layers"), std::string::npos);
  write("[1");
  EXPECT_EQ(readModelOutline(m_folder.path()).error().code(), ErrorCode::CorruptData);
  write(R"({"model_type": 7})");
  EXPECT_FALSE(readModelOutline(m_folder.path()).has_value());
}

TEST_F(ModelOutlineTest, RefusesSizesThatNoModelHasBeforeAnythingIsListed) {
  write(R"({"model_type": "llama", "num_hidden_layers": 2000000000,
    "hidden_size": 576, "intermediate_size": 1536, "num_attention_heads": 9,
    "vocab_size": 49152})");
  const auto deep = readModelOutline(m_folder.path());
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code(), ErrorCode::CorruptData);
  EXPECT_EQ(deep.error().message(),
            m_folder.path().string() +
                ": num_hidden_layers: 2000000000 is more than any model has; at most 8192 are "
                "taken");
  write(kSmolLm2);
  for (const ModelLimit& limit : kModelLimits) {
    const auto with = [&](std::int64_t size) {
      return readModelOutline(m_folder.path(), fmt::format(R"({{"{}": {}}})", limit.field, size));
    };
    EXPECT_TRUE(with(limit.largest).has_value()) << limit.field;
    const auto beyond = with(limit.largest + 1);
    ASSERT_FALSE(beyond.has_value()) << limit.field;
    EXPECT_EQ(beyond.error().message(),
              fmt::format("model.architecture: {}: {} is more than any model has; at most {} are "
                          "taken",
                          limit.field,
                          limit.largest + 1,
                          limit.largest));
  }
}

TEST_F(ModelOutlineTest, OfTheLargestModelAndInputTheSizesCanStillBeAddedUp) {
  std::string all = R"({"model_type": "llama")";
  for (const ModelLimit& limit : kModelLimits) {
    const std::int64_t size = limit.field == "num_hidden_layers" ? 1 : limit.largest;
    all += fmt::format(R"(, "{}": {})", limit.field, size);
  }
  write(all + "}");
  const auto model = readModelOutline(m_folder.path());
  ASSERT_TRUE(model.has_value()) << model.error().message();
  const auto sites = outlineSites(
      *model, {.level = Level::Op, .isEager = true, .batch = 1 << 20, .length = 1 << 24});
  EXPECT_EQ(std::ranges::max(sites, {}, &OutlineSite::count).count, std::uint64_t{1} << 43)
      << "a weight";
  const auto scores = std::ranges::find_if(
      sites, [](const auto& each) { return each.site.name.ends_with("self_attn.scores"); });
  ASSERT_NE(scores, sites.end());
  EXPECT_EQ(scores->count, std::uint64_t{1} << 40);
}

std::vector<Site> sites() {
  std::vector<Site> all;
  for (const char* name : {"embeddings",
                           "decoder.0",
                           "model.layers.0.mlp",
                           "model.layers.0.mlp.up_proj",
                           "logits",
                           "loss"}) {
    all.push_back({name, name, -1, Level::Module, Pass::Forward});
  }
  return all;
}

TEST(PatternMatches, WithoutPatternsEverythingIsCaptured) {
  const auto matches = matchPatterns(sites(), {}, {});
  ASSERT_TRUE(matches.has_value());
  EXPECT_EQ(matches->sites, 5U);
  EXPECT_EQ(matches->kept(), 5U);
}

TEST(PatternMatches, CountsEachPatternAndWhatIsLeft) {
  const auto matches = matchPatterns(sites(), {"mlp", "^decoder\\."}, {"_proj$", "nowhere"});
  ASSERT_TRUE(matches.has_value());
  EXPECT_EQ(matches->included, 3U);
  EXPECT_EQ(matches->excluded, 1U);
  EXPECT_EQ(matches->kept(), 2U);
  EXPECT_EQ(matches->perInclude, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(matches->perExclude, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(matches->captured, (std::vector<bool>{false, true, true, false, false, true}));
}

TEST(PatternMatches, NamesAnExpressionThatIsNone) {
  const auto matches = matchPatterns(sites(), {"mlp"}, {"("});
  ASSERT_FALSE(matches.has_value());
  EXPECT_EQ(matches.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(matches.error().message().rfind("'(' is not a regular expression", 0), 0U);
}

TEST(PatternMatches, AnExpressionThatTakesTooManyStepsIsAnError) {
  const Site site{.name = std::string(60, 'a') + "!"};
  for (const bool isIncluded : {true, false}) {
    const std::vector<std::string> patterns{"^(a+)+$"};
    const auto matches =
        isIncluded ? matchPatterns({site}, patterns, {}) : matchPatterns({site}, {}, patterns);
    ASSERT_FALSE(matches.has_value());
    EXPECT_EQ(matches.error().code(), ErrorCode::Unsupported);
  }
}

}  // namespace

}  // namespace ulp::analysis
