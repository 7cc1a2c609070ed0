#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "runner/worker/session/study_runner.h"
#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/support/machine/temp_dir.h"

/// Mixtures of experts, beside plain hooks on transformers and beside planted choices.
namespace ulp::worker {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kQwen3Moe = R"({"architectures": ["Qwen3MoeForCausalLM"],
    "model_type": "qwen3_moe", "vocab_size": 97, "hidden_size": 16, "intermediate_size": 24,
    "moe_intermediate_size": 8, "num_experts": 32, "num_experts_per_tok": 4,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
    "max_position_embeddings": 256})";
/// One dense layer, then one that chooses among groups; experts are called one by one.
constexpr const char* kDeepSeekV3 = R"({"architectures": ["DeepseekV3ForCausalLM"],
    "model_type": "deepseek_v3", "vocab_size": 97, "hidden_size": 16, "intermediate_size": 24,
    "moe_intermediate_size": 8, "n_routed_experts": 32, "num_experts_per_tok": 4, "n_group": 4,
    "topk_group": 2, "first_k_dense_replace": 1, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 4, "q_lora_rank": 8, "kv_lora_rank": 8,
    "qk_rope_head_dim": 4, "qk_nope_head_dim": 4, "v_head_dim": 4,
    "max_position_embeddings": 256, "experts_implementation": "eager"})";
constexpr int kVocabulary = 97;
constexpr int kLength = 240;

/// What a program prints, line by line.
std::vector<json> linesOf(const std::string& command) {
  std::vector<json> lines;
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c == '\n') {
      lines.push_back(json::parse(line));
      line.clear();
    } else {
      line += static_cast<char>(c);
    }
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return lines;
}

class PythonExperts : public testing::Test {
 protected:
  report::ReportPtr run(const std::string& model, const std::string& more) {
    const std::string text = "model: {" + model +
                             "}\ndevice: cpu\npython.executable: " + engine::loadedPython() +
                             "\noutput_dir: " + (m_folder / "out").string() + "\n" + more;
    const auto study = study::parseStudy(text, (m_folder / "study.yaml").string());
    EXPECT_TRUE(study) << study.error().message();
    auto report = runStudy(
        *study, {}, engine::sharedEngine(), [](const Event&) {}, std::stop_token());
    EXPECT_TRUE(report) << report.error().message();
    return report.value_or(nullptr);
  }

  /// A model of transformers with random weights, in bfloat16.
  report::ReportPtr runRandom(const char* config, const std::string& input) {
    m_folder.write("config.json", config);
    return run(
        "path: " + m_folder.path().string() + ", weights: random",
        "engine: python\nruntime.threads: 1\ninput.sequence_length: " + std::to_string(kLength) +
            "\n" + input + "\nvariants: {bf16: {precision.compute_dtype: bfloat16}}\n");
  }

  [[nodiscard]] std::vector<json> oracle(int samples) const {
    return linesOf(std::string(engine::kPython) + " " + ULP_SOURCE_DIR +
                   "/tests/core/engine/python/experts_oracle.py " + m_folder.path().string() + " " +
                   std::to_string(kVocabulary) + " " + std::to_string(kLength) + " " +
                   std::to_string(samples));
  }

  test::TempDir m_folder;
};

void expectError(const report::TokenError& error, const json& oracle) {
  if (oracle.empty()) {
    EXPECT_EQ(error.tokens, 0U);
    return;
  }
  EXPECT_NEAR(error.rmsDiff, oracle[0].get<double>(), 1e-9 + 1e-6 * error.rmsDiff);
  EXPECT_NEAR(error.refScale, oracle[1].get<double>(), 1e-6 * error.refScale);
}

void expectRouter(const report::RouterChoice& router, const json& oracle) {
  const auto flips = oracle.at("flips").get<std::vector<std::uint8_t>>();
  EXPECT_EQ(router.router, oracle.at("router").get<std::string>());
  EXPECT_EQ(router.tokens, flips.size());
  EXPECT_EQ(router.flips, flips) << router.router;
  EXPECT_EQ(router.flipped, static_cast<std::uint64_t>(std::ranges::count(flips, 1)));
  EXPECT_EQ(router.changed, oracle.at("changed").get<std::uint64_t>());
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> bins;
  for (std::size_t token = 0; token < flips.size(); ++token) {
    if (const json& margin = oracle.at("margins")[token]; !margin.is_null()) {
      bins[margin.get<int>()].first += 1;
      bins[margin.get<int>()].second += flips[token];
    }
  }
  ASSERT_EQ(router.margins.size(), bins.size()) << router.router;
  for (const report::MarginBin& bin : router.margins) {
    EXPECT_EQ(bin.tokens, bins[bin.exponent].first) << bin.exponent;
    EXPECT_EQ(bin.flipped, bins[bin.exponent].second) << bin.exponent;
  }
  expectError(router.same, oracle.at("same"));
  expectError(router.other, oracle.at("other"));
}

/// The rows that experts were given of each layer: those of one run alone are as many as choices
/// that the other does not make.
void expectRowsOfExperts(const report::Run& run, const report::RouterChoice& router) {
  std::uint64_t onlyReference = 0;
  std::uint64_t onlyVariant = 0;
  std::uint64_t elements = 0;
  const std::string inside = router.block + ".experts.act_fn";
  for (const report::Comparison& row : run.comparisons) {
    if (row.site.name.starts_with(inside) && row.site.pass == Pass::Forward) {
      onlyReference += row.onlyReference;
      onlyVariant += row.onlyVariant;
      elements += row.count;
    }
  }
  EXPECT_EQ(onlyReference, router.changed);
  EXPECT_EQ(onlyVariant, router.changed);
  EXPECT_EQ(elements, (router.tokens * router.chosen - router.changed) * 8);
}

TEST_F(PythonExperts, ChoicesOfAGroupedMixtureAreThoseOfPlainHooks) {
  const auto report = runRandom(kQwen3Moe, "schedule.micro_batches: 2");
  ASSERT_NE(report, nullptr);
  const report::Run& run = *report->findRun("bf16");
  const auto expected = oracle(2);
  ASSERT_EQ(run.routers.size(), expected.size());
  ASSERT_EQ(run.routers.size(), 2U);
  EXPECT_GT(report::flippedShare(run.routers), 0);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expectRouter(run.routers[i], expected[i]);
    EXPECT_EQ(run.routers[i].experts, 32U);
    EXPECT_EQ(run.routers[i].chosen, 4U);
    EXPECT_EQ(run.routers[i].layer, static_cast<int>(i));
    expectRowsOfExperts(run, run.routers[i]);
  }
  EXPECT_TRUE(report->findRun("reference")->routers.empty());
}

TEST_F(PythonExperts, ChoicesAmongGroupsAndExpertsOneByOneOfSeveralSamples) {
  const auto report = runRandom(kDeepSeekV3, "input.sequences: 2");
  ASSERT_NE(report, nullptr);
  const report::Run& run = *report->findRun("bf16");
  ASSERT_EQ(run.status, report::RunStatus::Finished) << run.error;
  const auto expected = oracle(2);
  ASSERT_EQ(run.routers.size(), 1U);
  EXPECT_GT(run.routers[0].flipped, 0U);
  expectRouter(run.routers[0], expected.at(0));
  expectRowsOfExperts(run, run.routers[0]);
  std::size_t rows = 0;
  for (const report::Comparison& row : run.comparisons) {
    rows += row.site.name.find(".experts.act_fn[") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(rows, 2U * 32) << "each expert has its row, in both passes";
}

constexpr const char* kFactory = R"(
import torch
class Experts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(8, 4, bias=True)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(4))
    def forward(self, x):
        tokens = x.view(-1, 8)
        weights, chosen = torch.topk(self.gate(tokens).softmax(-1), 2)
        result = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, place = torch.where(chosen == number)
            if len(token):
                result.index_add_(0, token, expert(tokens[None, token].reshape(-1, 8)) * weights[token, place, None])
        return result.view_as(x)
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.blocks = torch.nn.ModuleList(Experts() for _ in range(2))
        self.out = torch.nn.Linear(8, 37)
    def forward(self, tokens):
        x = self.table(tokens)
        return self.out(x + self.blocks[0](x) + self.blocks[1](x))
def make():
    model = Mine()
    with torch.no_grad():
        for block in model.blocks:
            block.gate.weight.zero_()
            block.gate.bias.copy_(torch.tensor([4.0, 3.0, 2.0, -50.0]))
    def loss(tokens):
        logits = model(tokens[:, :-1]).float()
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    return model, loss
def other(model):
    # Every token of the first block takes expert 2 in place of expert 1.
    with torch.no_grad():
        model.blocks[0].gate.bias.copy_(torch.tensor([4.0, 2.0, 3.0, -50.0]))
)";

TEST_F(PythonExperts, RowsOfAListOfExpertsAreComparedTokenByToken) {
  const auto file = m_folder.write("mine.py", kFactory);
  const auto report = run("factory: '" + file.string() + ":make'",
                          "input: {sequence_length: 5, micro_batch_size: 2}\n"
                          "variants: {planted: {python.prepare: '" +
                              file.string() + ":other'}}\n");
  ASSERT_NE(report, nullptr);
  const report::Run& planted = *report->findRun("planted");
  ASSERT_EQ(planted.status, report::RunStatus::Finished) << planted.error;
  ASSERT_EQ(planted.routers.size(), 2U);
  EXPECT_EQ(planted.routers[0].router, "blocks.0.gate");
  EXPECT_EQ(planted.routers[0].block, "decoder.0");
  EXPECT_EQ(planted.routers[0].flipped, 10U);
  EXPECT_EQ(planted.routers[1].flipped, 0U);
  ASSERT_EQ(planted.routers[0].margins.size(), 1U);
  const double margin = (std::exp(3.0) - std::exp(2.0)) /
                        (std::exp(4.0) + std::exp(3.0) + std::exp(2.0) + std::exp(-50.0));
  EXPECT_EQ(planted.routers[0].margins[0].exponent, std::ilogb(margin));
  const int rel = report->metricIndex("rms_rel");
  const auto rowOf = [&](const std::string& name, Pass pass = Pass::Forward) {
    const auto row = std::ranges::find_if(planted.comparisons, [&](const auto& each) {
      return each.site.name == name && each.site.pass == pass;
    });
    EXPECT_NE(row, planted.comparisons.end()) << name;
    return *row;
  };
  const auto kept = rowOf("blocks.0.experts.0");
  EXPECT_EQ(kept.count, 10U * 8);
  EXPECT_EQ(kept.metrics.at(static_cast<std::size_t>(rel)), 0) << "the same tokens, the same bits";
  EXPECT_EQ(kept.onlyReference + kept.onlyVariant, 0U);
  const auto left = rowOf("blocks.0.experts.1");
  EXPECT_EQ(left.count, 0U);
  EXPECT_EQ(left.onlyReference, 10U);
  EXPECT_EQ(left.onlyVariant, 0U);
  const auto taken = rowOf("blocks.0.experts.2");
  EXPECT_EQ(taken.onlyReference, 0U);
  EXPECT_EQ(taken.onlyVariant, 10U);
  EXPECT_EQ(rowOf("blocks.0.experts.2", Pass::Backward).onlyVariant, 10U);
  const auto never = rowOf("blocks.0.experts.3");
  EXPECT_EQ(never.count + never.onlyReference + never.onlyVariant, 0U);
  EXPECT_EQ(rowOf("blocks.0.experts.3.weight", Pass::ParameterGradient)
                .metrics.at(static_cast<std::size_t>(report->metricIndex("max_diff"))),
            0)
      << "no token sends it a gradient";
}

TEST_F(PythonExperts, TokensAreThoseOfTheStudyWhateverGoesThroughTheModelWithThem) {
  m_folder.write("config.json", kDeepSeekV3);
  // In pieces it makes keys and values of what the cache holds, anew for each piece.
  const auto report = run("path: " + m_folder.path().string() + ", weights: random",
                          "engine: python\ninput: {sequence_length: 9, micro_batch_size: 3}\n"
                          "noise_floor: [batch_order]\ncapture.exclude: [self_attn.kv_b_proj]\n"
                          "variants: {among: {batch.among: 5, batch.place: 1},\n"
                          "           pieces: {batch.chunk_length: 4}}\n");
  ASSERT_NE(report, nullptr);
  const auto rel = static_cast<std::size_t>(report->metricIndex("rms_rel"));
  ASSERT_EQ(report->runs.size(), 4U);
  for (const report::Run& run : report->runs) {
    if (run.name == report->reference) {
      continue;
    }
    ASSERT_EQ(run.status, report::RunStatus::Finished) << run.error;
    ASSERT_EQ(run.routers.size(), 1U) << run.name;
    EXPECT_EQ(run.routers[0].tokens, 27U) << run.name;
    EXPECT_EQ(run.routers[0].flipped, 0U) << run.name;
    std::uint64_t rows = 0;
    for (const report::Comparison& row : run.comparisons) {
      EXPECT_EQ(row.onlyReference + row.onlyVariant, 0U) << run.name << ", " << row.site.name;
      if (row.site.name.starts_with("model.layers.1.mlp.experts.act_fn[") && row.count > 0) {
        rows += row.site.pass == Pass::Forward ? row.count / 8 : 0;
        EXPECT_LT(row.metrics.at(rel), 1e-3) << run.name << ", " << row.site.name;
      }
    }
    EXPECT_EQ(rows, 27U * 4) << run.name;
  }
}

}  // namespace
}  // namespace ulp::worker
