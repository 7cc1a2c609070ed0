#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/worker/session/study_runner.h"
#include "tests/core/engine/python/python_engine_fixture.h"

/// A whole study whose model runs in Python.
namespace ulp::worker {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kQwen3 = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
    "vocab_size": 37, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
    "max_position_embeddings": 64})";

/// Its scan begins anew in every piece of several positions.
constexpr const char* kJamba = R"({"architectures": ["JambaForCausalLM"], "model_type": "jamba",
    "vocab_size": 37, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "attn_layer_period": 2,
    "attn_layer_offset": 1, "expert_layer_period": 8, "expert_layer_offset": 7, "mamba_d_state": 8,
    "mamba_dt_rank": 4, "initializer_range": 0.2, "use_mamba_kernels": false,
    "max_position_embeddings": 64})";

/// In bfloat16 its logits are off by 5 % in pieces.
constexpr const char* kRough = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
    "vocab_size": 37, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 12,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "initializer_range": 0.5,
    "max_position_embeddings": 64})";

class PythonStudy : public testing::Test {
 protected:
  report::ReportPtr run(const std::string& more, const RunOptions& options = {}) {
    auto report = tryRun(more, options);
    EXPECT_TRUE(report) << report.error().message();
    return report.value_or(nullptr);
  }

  Result<report::ReportPtr> tryRun(const std::string& more, const RunOptions& options = {}) {
    m_folder.write("config.json", m_config);
    const std::string text =
        "model: {path: " + m_folder.path().string() + ", weights: random}\n" +
        (more.find("input:") == std::string::npos ? "input: {sequence_length: 9}\n" : "") +
        "device: cpu\n"
        "python.executable: " +
        engine::kPython + "\noutput_dir: " + (m_folder / "out").string() + "\n" + more;
    const auto study = study::parseStudy(text, "study.yaml");
    EXPECT_TRUE(study) << study.error().message();
    m_log.clear();
    const auto tell = [this](const Event& event) {
      if (const auto* message = std::get_if<Message>(&event)) {
        m_log += message->text + "\n";
      }
    };
    return runStudy(*study, options, engine::sharedEngine(), tell, std::stop_token());
  }

  test::TempDir m_folder;
  std::string m_config = kQwen3;
  std::string m_log;
};

TEST_F(PythonStudy, ComparesVariantsOfAModelThatOnlyTransformersKnows) {
  const auto report = run(R"(
noise_floor: [repeat]
variants:
  same: {}
  bf16: {precision.compute_dtype: bfloat16}
)");
  ASSERT_NE(report, nullptr);
  EXPECT_THAT(m_log, HasSubstr("engine: python, since the native engine does not open the model"));
  EXPECT_THAT(report->provenance.engine, StartsWith("Python 3."));
  EXPECT_THAT(report->provenance.engine, HasSubstr("Qwen3ForCausalLM"));
  EXPECT_EQ(report->model.family, "qwen3");
  const int rel = report->metricIndex("rms_rel");
  for (const report::Run& each : report->runs) {
    EXPECT_EQ(each.status, report::RunStatus::Finished) << each.name << ": " << each.error;
    if (each.name == report->reference) {
      continue;
    }
    ASSERT_GT(each.comparisons.size(), 60U) << each.name;
    double largest = 0;
    for (const report::Comparison& row : each.comparisons) {
      largest = std::max(largest, row.metrics.at(static_cast<std::size_t>(rel)));
    }
    if (each.name == "bf16") {
      EXPECT_GT(largest, 1e-3);
      EXPECT_LT(largest, 0.5);
    } else {
      EXPECT_EQ(largest, 0) << each.name;
    }
  }
  EXPECT_TRUE(std::filesystem::exists(m_folder / "out/tensors.h5"));
}

TEST_F(PythonStudy, GoesOnWhereItWasLeft) {
  const std::string variants =
      "variants: {a: {precision.compute_dtype: bfloat16}, b: {precision.compute_dtype: float16}}\n";
  ASSERT_NE(run(variants, {.variants = {"a"}}), nullptr);
  const auto whole = run(variants, {.existing = ExistingResults::Resume});
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->findRun("a")->status, report::RunStatus::Finished);
  EXPECT_EQ(whole->findRun("b")->status, report::RunStatus::Finished);
}

TEST_F(PythonStudy, SaysWhatItsCacheDoesNotCarry) {
  m_config = kJamba;
  ASSERT_NE(run(R"(
capture.backward: false
capture.level: layer
variants:
  one_by_one: {batch.chunk_length: 1}
  pieces: {batch.chunk_length: 4}
)"),
            nullptr);
  EXPECT_THAT(m_log,
              HasSubstr("pieces: in pieces this model computes something else, whatever the "
                        "formats: the logits of a few random tokens, in float32, differ from "
                        "those of one pass by "));
  EXPECT_THAT(m_log, HasSubstr(" % (RMS). The cache that transformers makes "));
  EXPECT_THAT(m_log, HasSubstr("for JambaForCausalLM does not carry all that it needs"));
  EXPECT_THAT(m_log, Not(HasSubstr("one_by_one: in pieces")));
}

TEST_F(PythonStudy, RoundingOfTheReferenceIsNotBlamedOnTheCache) {
  m_config = kRough;
  ASSERT_NE(run(R"(
engine: python
capture.backward: false
capture.level: layer
precision.compute_dtype: bfloat16
reference: {precision.compute_dtype: bfloat16}
variants: {pieces: {batch.chunk_length: 4}}
)"),
            nullptr);
  EXPECT_THAT(m_log, Not(HasSubstr("in pieces this model")));
}

/// Of 2 sequences and 8 positions each, as of a Linear of 16.
TEST_F(PythonStudy, ReversedSequencesComeBackAndNothingElseIsTurned) {
  const auto report = run(R"(
input: {sequence_length: 8, micro_batch_size: 2}
capture.level: op
noise_floor: [batch_order]
variants: {bf16: {precision.compute_dtype: bfloat16}}
)");
  ASSERT_NE(report, nullptr);
  const report::Run& floor = *report->findRun("floor.batch_order");
  EXPECT_EQ(floor.status, report::RunStatus::Finished) << floor.error;
  EXPECT_GT(floor.comparisons.size(), 200U);
  const auto rel = static_cast<std::size_t>(report->metricIndex("rms_rel"));
  for (const report::Comparison& row : floor.comparisons) {
    EXPECT_FALSE(row.metrics[rel] > 1e-3) << row.site.name << ' ' << toString(row.site.pass);
  }
}

TEST_F(PythonStudy, SaysThatAModelWasLeftAsItIsTrained) {
  const auto file = m_folder.write("changes.py", R"(
def train(model):
    model.model.layers[0].self_attn.attention_dropout = 0.1
    model.train()
def train_without_dropout(model):
    model.train()
)");
  ASSERT_NE(run("engine: python\nvariants:\n  a: {python.prepare: '" + file.string() +
                ":train'}\n  b: {python.prepare: '" + file.string() + ":train_without_dropout'}\n"),
            nullptr);
  EXPECT_THAT(m_log,
              HasSubstr("changes.py:train leaves the model as it is trained, where "
                        "model.layers.0.self_attn would compute something else"));
  EXPECT_THAT(m_log, Not(HasSubstr("train_without_dropout leaves")));
}

TEST_F(PythonStudy, RefusesABackwardPassThatTorchDoesNotHave) {
  const auto refused =
      tryRun("engine: python\nvariants:\n  flex: {attention.implementation: flex_attention}\n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("attention.implementation: flex_attention: torch has no backward pass of "
                        "it on the CPU; set capture.backward: false, or take a GPU"));
}

}  // namespace
}  // namespace ulp::worker
