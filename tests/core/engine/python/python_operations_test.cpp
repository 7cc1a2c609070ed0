#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/analysis/depth/divergence.h"
#include "runner/worker/session/study_runner.h"
#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// Every operation of a model in Python.
namespace ulp::engine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

/// Runs the model of a folder under a mode that only writes down what operations give: a name, a
/// type and the bytes of each, in order.
constexpr const char* kPlainScript = R"(
import json, sys
import torch, transformers
from torch.utils._python_dispatch import TorchDispatchMode

folder = sys.argv[1]
asked = json.load(open(folder + "/asked.json"))
SKIPPED = {"_to_copy", "clone", "copy_", "zeros_like", "ones_like", "new_zeros", "new_empty_strided", "empty_like", "fill_"}

class Mode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        given = [a for a in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
        is_view = any(r.alias_info is not None and not r.alias_info.is_write for r in func._schema.returns)
        name = func.overloadpacket.__name__
        if given and not is_view and name not in SKIPPED:
            for n, t in enumerate(result if isinstance(result, (tuple, list)) else (result,)):
                if isinstance(t, torch.Tensor) and t.is_floating_point() and t.numel():
                    data = t.contiguous().view(torch.uint8).numpy().tobytes()
                    part = func._schema.returns[n].name or str(n)
                    seen.append([name + (f".{part}" if n else ""), str(t.dtype), len(data)])
                    parts.write(data)
        return result

torch.set_num_threads(1)
transformers.utils.logging.disable_progress_bar()
ids = torch.tensor(asked["ids"]).view(asked["batch"], -1)[:, :-1]
for case in asked["cases"]:
    dtype, path = getattr(torch, case["dtype"]), folder + "/" + case["name"]
    seen, parts = [], open(path + ".bin", "wb")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation=case["attention"])
    gradient = torch.frombuffer(bytearray(open(path + ".gradient", "rb").read()), dtype=dtype)
    with Mode():
        logits = model(input_ids=ids, use_cache=False).logits
        logits.backward(gradient.view(logits.shape))
    parts.close()
    json.dump(seen, open(path + ".json", "w"))
)";

bool isOperation(const Seen& one) {
  return one.site.level == Level::Op;
}

struct Finished {
  Recorder recorder;
  RunOutcome outcome;

  [[nodiscard]] const OperationGraph::Row& row(std::string_view name, Pass pass) const {
    const OperationGraph::Row* found = outcome.graph.find(pass, name);
    EXPECT_NE(found, nullptr) << name;
    static const OperationGraph::Row kNone;
    return found == nullptr ? kNone : *found;
  }
};

Finished finish(Model& model, const RunRequest& request) {
  Finished finished;
  auto outcome = model.run(request, finished.recorder, std::stop_token());
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
  finished.outcome = outcome.value_or(RunOutcome());
  return finished;
}

RunRequest operationsOf(DType dtype,
                        AttentionImplementation attention = AttentionImplementation::Sdpa) {
  RunRequest request = requestOf(dtype, kVocabulary);
  request.level = Level::Op;
  request.plan.attention = attention;
  return request;
}

std::vector<std::string> operationNames(const Recorder& recorder) {
  std::vector<std::string> names;
  for (const Seen& one : recorder.seen) {
    if (isOperation(one)) {
      names.push_back(one.site.name + " " + std::string(toString(one.site.pass)));
    }
  }
  return names;
}

/// Whether a row is called after an operation: "model.layers.0.mlp.up_proj.mm.mm:2" after "mm",
/// what it gives beside after "op.logsumexp", sums of autograd after "add".
bool isCalledAfter(const std::string& row, const std::string& operation) {
  if (row.ends_with(".grad")) {
    return operation == "add";
  }
  std::string plain = ".";
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == ':') {  // the number of a call
      i = std::min(row.find('.', i), row.size()) - 1;
    } else if (row[i] != '(' && row[i] != ')') {
      plain += row[i];
    }
  }
  return plain.ends_with("." + operation);
}

/// They share a process, whose start takes longer than all that they do.
class PythonOperations : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    s_folder = std::make_unique<test::TempDir>();
    TinyModel().write(*s_folder);
    s_model = pythonOrFail({.model = {.path = s_folder->path()}});
  }
  static void TearDownTestSuite() {
    s_model.reset();
    s_folder.reset();
  }

  static std::unique_ptr<test::TempDir> s_folder;
  static std::unique_ptr<PythonModel> s_model;
};

std::unique_ptr<test::TempDir> PythonOperations::s_folder;
std::unique_ptr<PythonModel> PythonOperations::s_model;

/// Finds what a run has shown among what the script has seen, in this order. Gives the names of
/// what it passes over.
std::vector<std::string> passedOver(const Recorder& recorder,
                                    const nlohmann::json& seen,
                                    std::span<const std::byte> bytes) {
  std::vector<std::string> passed;
  std::size_t next = 0;
  for (const Seen& one : recorder.seen) {
    bool isFound = !isOperation(one);
    while (!isFound && next < seen.size()) {
      const std::string operation = seen[next][0];
      const std::size_t size = seen[next][2];
      isFound = isCalledAfter(one.site.name, operation) &&
                std::ranges::equal(bytes.first(size), one.bytes);
      if (!isFound) {
        passed.push_back(operation);
      }
      bytes = bytes.subspan(size);
      ++next;
    }
    EXPECT_TRUE(isFound) << one.site.name;
    if (!isFound) {
      break;
    }
  }
  return passed;
}

TEST_F(PythonOperations, AreThoseOfAPlainScriptBitForBit) {
  std::vector<std::pair<std::string, Recorder>> runs;
  nlohmann::json cases = nlohmann::json::array();
  const RunRequest any = operationsOf(DType::Float32);
  for (const DType dtype : {DType::Float32, DType::BFloat16}) {
    for (const auto& [attention, called] : {std::pair(AttentionImplementation::Sdpa, "sdpa"),
                                            std::pair(AttentionImplementation::Eager, "eager")}) {
      const RunRequest request = operationsOf(dtype, attention);
      ASSERT_TRUE(s_model->learnSites(request, std::stop_token()));
      const std::string name = std::string(toString(dtype)) + "_" + called;
      runs.emplace_back(name, runOrFail(*s_model, request));
      const auto& gradient = runs.back().second.of("logits", Pass::Backward).bytes;
      s_folder->write(name + ".gradient",
                      std::string(reinterpret_cast<const char*>(gradient.data()), gradient.size()));
      cases.push_back({{"name", name}, {"dtype", toString(dtype)}, {"attention", called}});
    }
  }
  const TokenBatch& tokens = any.microBatches[0];
  s_folder->write(
      "asked.json",
      nlohmann::json{{"ids", tokens.ids}, {"batch", tokens.batch}, {"cases", cases}}.dump());
  const auto script = s_folder->write("plain.py", kPlainScript);
  const std::string command =
      std::string(kPython) + " " + script.string() + " " + s_folder->path().string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  for (const auto& [name, recorder] : runs) {
    SCOPED_TRACE(name);
    const auto seen = nlohmann::json::parse(std::ifstream(*s_folder / (name + ".json")));
    std::ifstream file(*s_folder / (name + ".bin"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_GT(std::ranges::count_if(recorder.seen, isOperation), 200);
    const auto passed = passedOver(recorder, seen, std::as_bytes(std::span(bytes)));
    // Sums of autograd that are parts of others are no rows, nor are views that torch says are
    // none.
    for (const std::string& operation : passed) {
      EXPECT_THAT(operation, testing::AnyOf("add", "_unsafe_view"));
    }
    EXPECT_LT(std::ranges::count(passed, "add"), 16);
  }
}

TEST_F(PythonOperations, HaveTheSameNamesInEveryFormat) {
  ASSERT_TRUE(s_model->learnSites(operationsOf(DType::Float32), std::stop_token()));
  const Finished full = finish(*s_model, operationsOf(DType::Float32));
  for (const DType dtype : {DType::BFloat16, DType::Float16}) {
    const Finished run = finish(*s_model, operationsOf(dtype));
    EXPECT_THAT(run.outcome.missing, IsEmpty());
    EXPECT_THAT(run.outcome.unlisted, IsEmpty());
    EXPECT_EQ(operationNames(run.recorder), operationNames(full.recorder));
    for (const Seen& one : run.recorder.seen) {
      EXPECT_LT(relativeError(full.recorder.of(one.site.name, one.site.pass), one), 0.1)
          << one.site.name << ' ' << toString(one.site.pass);
    }
  }
  std::vector<std::string> listed;
  for (const Site& site : s_model->sites({.level = Level::Op})) {
    if (site.level == Level::Op) {
      listed.push_back(site.name + " " + std::string(toString(site.pass)));
    }
  }
  EXPECT_EQ(listed, operationNames(full.recorder));
}

TEST_F(PythonOperations, KnowTheirModulesLinesAndInputs) {
  ASSERT_TRUE(s_model->learnSites(operationsOf(DType::BFloat16), std::stop_token()));
  const Finished run = finish(*s_model, operationsOf(DType::BFloat16));
  const auto& product = run.row("model.layers.0.mlp.mul", Pass::Forward);
  EXPECT_THAT(product.forward,
              ElementsAre("model.layers.0.mlp.act_fn.silu", "model.layers.0.mlp.up_proj.mm"));
  EXPECT_THAT(product.line, StartsWith("transformers/models/llama/modeling_llama.py:"));
  // Through the view of the heads, the cast to float32 and back.
  EXPECT_THAT(run.row("model.layers.1.input_layernorm.pow", Pass::Forward).forward,
              ElementsAre("model.layers.0.add:2"));
  EXPECT_THAT(
      run.row("model.layers.0.self_attn._scaled_dot_product_flash_attention_for_cpu", Pass::Forward)
          .forward,
      ElementsAre("model.layers.0.self_attn.add",
                  "model.layers.0.self_attn.add:2",
                  "model.layers.0.self_attn.v_proj.mm"));
  const auto& gradient = run.row("model.layers.0.mlp.down_proj.mm.mm:2", Pass::Backward);
  EXPECT_THAT(gradient.backward, ElementsAre("model.layers.0.add:2.grad"));
  const auto& ofWeight = run.row("model.layers.0.mlp.down_proj.mm.mm", Pass::Backward);
  EXPECT_THAT(ofWeight.forward, ElementsAre("model.layers.0.mlp.mul"));
  EXPECT_THAT(run.row("model.layers.0.add:2.grad", Pass::Backward).backward,
              UnorderedElementsAre("model.layers.1.add.grad",
                                   "model.layers.1.input_layernorm.mul.mul:2",
                                   "model.layers.1.input_layernorm.pow.mul:2"));
  // Modules lead to the operations inside, the weights' gradients to those that made them.
  EXPECT_THAT(run.row("model.layers.0.mlp", Pass::Forward).forward,
              ElementsAre("model.layers.0.mlp.down_proj.mm"));
  EXPECT_THAT(run.row("decoder.0", Pass::Forward).forward, ElementsAre("model.layers.0.add:2"));
  EXPECT_THAT(run.row("model.layers.0.mlp.down_proj.weight", Pass::ParameterGradient).backward,
              ElementsAre("model.layers.0.mlp.down_proj.mm.mm"));
  EXPECT_THAT(run.row("logits", Pass::Backward).forward, ElementsAre("logits"));

  const Site& site = run.recorder.of("model.layers.1.mlp.down_proj.mm.mm", Pass::Backward).site;
  EXPECT_EQ(site.module, "model.layers.1.mlp.down_proj");
  EXPECT_EQ(site.layer, 1);
  for (const Seen& one : run.recorder.seen) {
    const OperationGraph::Row* row = run.outcome.graph.find(one.site.pass, one.site.name);
    ASSERT_NE(row, nullptr) << one.site.name;
    EXPECT_EQ(isOperation(one), !row->line.empty()) << one.site.name;
    const bool isInModule = one.site.name.starts_with(one.site.module);
    EXPECT_TRUE(!isOperation(one) || (isInModule && !one.site.module.empty())) << one.site.name;
  }
}

TEST_F(PythonOperations, ChangeNoBitOfTheOtherRows) {
  for (const auto attention : {AttentionImplementation::Sdpa, AttentionImplementation::Eager}) {
    RunRequest request = operationsOf(DType::BFloat16, attention);
    request.recordsGraph = attention == AttentionImplementation::Sdpa;
    ASSERT_TRUE(s_model->learnSites(request, std::stop_token()));
    Finished operations = finish(*s_model, request);
    request.level = Level::Module;
    const Finished modules = finish(*s_model, request);
    std::erase_if(operations.recorder.seen, isOperation);
    expectSameRuns(operations.recorder, modules.recorder);
    EXPECT_EQ(operations.outcome.loss, modules.outcome.loss);
    EXPECT_TRUE(modules.outcome.graph.isEmpty());
    EXPECT_EQ(operations.outcome.graph.isEmpty(), !request.recordsGraph);
  }
}

TEST_F(PythonOperations, AreToldWhereARunMakesOthers) {
  ASSERT_TRUE(s_model->learnSites(operationsOf(DType::Float32), std::stop_token()));
  const Finished run =
      finish(*s_model, operationsOf(DType::Float32, AttentionImplementation::Eager));
  const std::string attention =
      "model.layers.1.self_attn._scaled_dot_product_flash_attention_for_cpu";
  EXPECT_THAT(run.outcome.missing, Contains(Field(&Site::name, attention)));
  EXPECT_THAT(run.outcome.unlisted,
              Contains(Field(&Site::name, "model.layers.1.self_attn._softmax")));
  EXPECT_THAT(run.outcome.unlisted, Not(Contains(Field(&Site::name, HasSubstr("down_proj")))));
}

/// Other sequences, padding and the borders of pieces are cut away where it is known how.
TEST_F(PythonOperations, AreThoseOfTheComparedSequencesInEveryBatch) {
  const RunRequest alone = operationsOf(DType::Float32, AttentionImplementation::Eager);
  ASSERT_TRUE(s_model->learnSites(alone, std::stop_token()));
  const Finished plain = finish(*s_model, alone);
  for (const BatchPlan& plan : {BatchPlan{.among = 5, .place = 2, .seed = 3},
                                BatchPlan{.among = 4, .place = 1, .padding = 3},
                                BatchPlan{.among = 4, .place = 1, .padding = 3, .chunkLength = 4},
                                BatchPlan{.prompt = 5}}) {
    SCOPED_TRACE(testing::Message() << plan.among << ' ' << plan.padding << ' ' << plan.chunkLength
                                    << ' ' << plan.prompt);
    RunRequest request = alone;
    request.batch = plan;
    const Finished run = finish(*s_model, request);
    EXPECT_THAT(run.outcome.missing, IsEmpty());
    EXPECT_EQ(run.recorder.seen.size() + run.outcome.unplaced.size(), plain.recorder.seen.size());
    for (const Seen& one : run.recorder.seen) {
      const Seen& other = plain.recorder.of(one.site.name, one.site.pass);
      ASSERT_EQ(one.capture.view.shape, other.capture.view.shape) << one.site.name;
      EXPECT_LT(relativeError(other, one), 1e-5) << one.site.name << ' ' << toString(one.site.pass);
    }
    std::vector<std::string> unplaced;
    for (const Site& site : run.outcome.unplaced) {
      unplaced.push_back(site.name + " " + std::string(toString(site.pass)));
    }
    if (plan.isCached()) {  // scores have as many keys as went before, weights sum over a piece
      EXPECT_THAT(unplaced, Contains("model.layers.1.self_attn._softmax forward"));
      EXPECT_THAT(unplaced, Contains("model.layers.1.mlp.down_proj.mm.mm backward"));
      EXPECT_THAT(unplaced, Not(Contains("model.layers.1.mlp.down_proj.mm forward")));
      EXPECT_THAT(unplaced, Not(Contains("model.layers.1.mlp.down_proj.mm.mm:2 backward")));
    } else {
      EXPECT_THAT(unplaced, IsEmpty());
      EXPECT_THAT(run.outcome.unlisted, IsEmpty());
    }
  }
}

TEST_F(PythonOperations, AreListedAnewByANewProcess) {
  const RunRequest request = operationsOf(DType::Float32);
  ASSERT_TRUE(s_model->learnSites(request, std::stop_token()));
  const Recorder before = runOrFail(*s_model, request);
  Recorder recorder;
  std::stop_source stop;
  recorder.onObserve = [&stop](const Site&) {
    stop.request_stop();
    return Result<>();
  };
  EXPECT_FALSE(s_model->run(request, recorder, stop.get_token()));
  expectSameRuns(before, runOrFail(*s_model, request));
}

TEST(PythonFactoryOperations, OfAModelAndALossOfOnesOwn) {
  const test::TempDir folder;
  const auto file = folder.write("mine.py", R"(
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2
class Mine(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(37, 8)
        self.mul = torch.nn.Linear(8, 8)
    def forward(self, tokens):
        x = Twice.apply(self.mul(self.table(tokens)))
        y = x * 3
        y[..., 0] = x[..., 1]
        y.add_(1)
        chosen = y.argmax(-1)
        return torch.nn.functional.linear(y + chosen[..., None], self.table.weight)
def make():
    model = Mine()
    def loss(tokens):
        logits = model(tokens[:, :-1]).float()
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    return model, loss
)");
  const auto model = pythonOrFail({.model = {.seed = 3}, .factory = file.string() + ":make"});
  RunRequest request = operationsOf(DType::BFloat16);
  request.microBatches.push_back(sharedEngine().randomTokens(kVocabulary, 2, 9, 8).value());
  Finished run = finish(*model, request);
  EXPECT_THAT(run.outcome.missing, IsEmpty());
  EXPECT_THAT(run.outcome.unlisted, IsEmpty());
  // The module has the name that the operation would have.
  EXPECT_THAT(run.row("mul()", Pass::Forward).line, EndsWith("mine.py:6"));
  EXPECT_THAT(run.row("mul():2", Pass::Forward).forward, ElementsAre("mul()"));
  EXPECT_THAT(run.row("TwiceBackward.mul", Pass::Backward).backward,
              ElementsAre("TwiceBackward.grad"));
  // An operation in place reads what it writes over, and what was copied into a part of it.
  EXPECT_THAT(run.row("add_", Pass::Forward).forward, UnorderedElementsAre("mul():2", "mul()"));
  EXPECT_THAT(run.row("argmax", Pass::Forward).forward, ElementsAre("add_"));
  EXPECT_THAT(run.row("add", Pass::Forward).forward, ElementsAre("add_", "argmax"));
  EXPECT_EQ(run.recorder.of("argmax", Pass::Forward).capture.view.dtype, DType::Float64);
  EXPECT_EQ(run.row("_log_softmax", Pass::Forward).forward, std::vector<std::string>{"mm"});
  // Both products with the table send to it.
  EXPECT_THAT(run.outcome.graph.of(Pass::Backward), Contains(Key("table.weight.grad")));
  request.level = Level::Module;
  const Finished modules = finish(*model, request);
  std::erase_if(run.recorder.seen, isOperation);
  expectSameRuns(run.recorder, modules.recorder);
  EXPECT_EQ(run.outcome.loss, modules.outcome.loss);
}

/// What was compiled runs as at the other levels: with its bits, and without rows inside.
TEST(PythonOperationsCompiled, LayersHaveNoRowsInside) {
  const test::TempDir folder;
  TinyModel().write(folder);
  const auto model = pythonOrFail({.model = {.path = folder.path()}});
  RunRequest request = operationsOf(DType::BFloat16);
  ASSERT_TRUE(model->learnSites(request, std::stop_token()));
  request.plan.python = {
      .compile = "layers", .compileMode = "default", .compileBackend = "aot_eager"};
  Finished run = finish(*model, request);
  EXPECT_THAT(run.outcome.missing, Contains(Field(&Site::name, "model.layers.0.mlp.up_proj.mm")));
  EXPECT_THAT(run.outcome.unlisted, IsEmpty());
  EXPECT_THAT(operationNames(run.recorder), Not(Contains(StartsWith("model.layers."))));
  EXPECT_THAT(
      run.row("decoder.1", Pass::Forward).forward,
      UnorderedElementsAre("decoder.0", "model.rotary_emb.mul:2", "model.rotary_emb.mul:3"));
  EXPECT_THAT(run.row("decoder.0", Pass::Backward).backward, ElementsAre("decoder.1"));
  std::erase_if(run.recorder.seen, isOperation);
  request.level = Level::Module;
  expectSameRuns(run.recorder, finish(*model, request).recorder);
}

/// The router of an expert model in bfloat16 chooses otherwise; all that follows comes from there.
TEST(PythonOperationsStudy, NamesTheRouterWhereExpertsFlip) {
  const test::TempDir folder;
  folder.write("config.json", R"({"architectures": ["Qwen3MoeForCausalLM"],
      "model_type": "qwen3_moe", "vocab_size": 37, "hidden_size": 16, "intermediate_size": 24,
      "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
      "max_position_embeddings": 64, "num_experts": 8, "num_experts_per_tok": 2,
      "moe_intermediate_size": 8, "decoder_sparse_step": 1})");
  const std::string text = "model: {path: " + folder.path().string() +
                           ", weights: random}\ninput: {sequence_length: 64}\ndevice: cpu\n"
                           "python.executable: " +
                           loadedPython() + "\noutput_dir: " + (folder / "out").string() +
                           "\ncapture: {level: op, tensors: none}\n"
                           "variants:\n  bf16: {precision.compute_dtype: bfloat16}\n"
                           "  company: {batch.among: 3, batch.place: 1}\n";
  const auto study = study::parseStudy(text, "study.yaml");
  ASSERT_TRUE(study) << study.error().message();
  std::string log;
  const auto tell = [&log](const worker::Event& event) {
    if (const auto* message = std::get_if<worker::Message>(&event)) {
      log += message->text + "\n";
    }
  };
  const auto finished = worker::runStudy(*study, {}, sharedEngine(), tell, std::stop_token());
  ASSERT_TRUE(finished) << finished.error().message() << log;
  const auto read = report::parseReport(report::toJson(**finished), "report");
  ASSERT_TRUE(read) << read.error().message();
  const report::Run& run = *read->findRun("bf16");
  EXPECT_EQ(run.graph, (*finished)->findRun("bf16")->graph);
  const auto trace = analysis::traceDivergence(*read, run, {.excess = 2, .roundOff = 0x1p-8});
  ASSERT_TRUE(trace.first) << log;
  const report::Comparison& first = run.comparisons[trace.steps[*trace.first].comparison];
  EXPECT_EQ(first.site.name, "model.layers.0.mlp.gate.topk.indices") << log;
  // What experts are given is in another order where others are given something, too.
  EXPECT_THAT(log,
              HasSubstr("company: 36 operations have no row, since which part of them is of the "
                        "compared sequences is not known: model.layers.0.mlp.experts.index"));
  const auto& company = read->findRun("company")->comparisons;
  const auto operation = std::ranges::find(
      company, "model.layers.1.mlp.gate.mm", [](const auto& row) { return row.site.name; });
  ASSERT_NE(operation, company.end());
  EXPECT_LT(operation->metrics.at(static_cast<std::size_t>(read->metricIndex("rms_rel"))), 1e-5);
}

}  // namespace
}  // namespace ulp::engine
