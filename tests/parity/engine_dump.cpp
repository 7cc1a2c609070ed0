// Runs the engine on the jobs of a JSON file and writes every tensor that it observes, so that
// parity.py can compare them with transformers bit for bit.
//
//   engine_dump JOBS.json [--device cpu|cuda|cuda:N]
//
// JOBS.json: {"threads": N, "models": [{"path", "random", "seed", "architecture", "runs": [{"out",
// "formats": {"compute_dtype": "bfloat16", ...}, "cast", "attention", "semantics", "norm",
// "rotary", "mlp", "float32_products", "float8", "level", "parameter_gradients", "batch", "length",
// "tokens": [...], "optimizer": {"type", "state", "lr", "weight_decay", ...}, "batch_plan":
// {"among", "place", "seed", "padding", "side", "chunk_length"}}]}]}. A run
// makes OUT.bin (elements one after another) and OUT.json (their names, passes, dtypes, shapes and
// offsets in the order of observation).

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/engine/engine.h"

namespace {

using nlohmann::json;
using namespace ulp;
using namespace ulp::engine;

class Dump final : public Observer {
 public:
  Dump(const std::string& path, std::vector<Site> expected)
      : m_file(path, std::ios::binary), m_expected(std::move(expected)) {}

  bool wants(const Site& /*site*/) override { return true; }

  Result<> observe(const Site& site, const Capture& capture) override {
    // Kernels may keep operations to themselves.
    while (m_next < m_expected.size() && m_expected[m_next] != site &&
           m_expected[m_next].level == Level::Op) {
      ++m_next;
    }
    if (m_next >= m_expected.size() || m_expected[m_next++] != site) {
      return fail(ErrorCode::Internal, "observed out of the announced order: " + site.name);
    }
    const Capture onHost = ULP_TRY(capture.onHost());
    const auto bytes = onHost.view.bytes();
    m_index.push_back({{"name", site.name},
                       {"pass", toString(site.pass)},
                       {"layer", site.layer},
                       {"dtype", toString(capture.view.dtype)},
                       {"shape", capture.view.shape},
                       {"offset", m_offset}});
    m_offset += bytes.size();
    m_file.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    if (!m_file) {
      return fail(ErrorCode::Io, "cannot write the dump");
    }
    return {};
  }

  [[nodiscard]] bool complete() const {
    return std::all_of(m_expected.begin() + static_cast<std::ptrdiff_t>(m_next),
                       m_expected.end(),
                       [](const Site& site) { return site.level == Level::Op; });
  }
  [[nodiscard]] const json& index() const { return m_index; }

 private:
  std::ofstream m_file;
  std::vector<Site> m_expected;
  std::size_t m_next = 0;  ///< in m_expected
  json m_index = json::array();
  std::uint64_t m_offset = 0;
};

PrecisionPlan planOf(const json& run) {
  PrecisionPlan plan;
  for (const auto& [key, name] : run.at("formats").items()) {
    const auto operation = numerics::parseOperationKey(key).value();
    plan.formats[operation] = numerics::parseNumberFormat(name.get<std::string>()).value();
  }
  const auto kernel = [&](const char* key) {
    return run.value(key, "transformers") == "fused" ? Kernel::Fused : Kernel::Transformers;
  };
  plan.norm = kernel("norm");
  plan.rotary = kernel("rotary");
  plan.mlp = kernel("mlp");
  plan.semantics = run.value("semantics", "transformers") == "fast_llm" ? Semantics::FastLlm
                                                                        : Semantics::Transformers;
  plan.cast = run.at("cast") == "module" ? Cast::Module : Cast::Load;
  plan.attention = run.at("attention") == "eager" ? AttentionImplementation::Eager
                                                  : AttentionImplementation::Sdpa;
  plan.float32Products = run.value("float32_products", "highest") == "high"
                             ? MatmulPrecision::High
                             : MatmulPrecision::Highest;
  if (run.contains("float8")) {
    plan.float8.scaling = run.at("float8") == "row" ? Float8Scaling::Row : Float8Scaling::Tensor;
    plan.float8.kernel = Float8Kernel::ScaledMm;
  }
  return plan;
}

OptimizerPlan optimizerOf(const json& settings) {
  OptimizerPlan plan;
  plan.learningRate = settings.at("lr").get<double>();
  plan.weightDecay = settings.at("weight_decay").get<double>();
  if (settings.at("type") == "sgd") {
    plan.type = OptimizerPlan::Type::Sgd;
    plan.momentum = settings.at("momentum").get<double>();
    return plan;
  }
  plan.type = OptimizerPlan::Type::AdamW;
  plan.beta1 = settings.at("betas").at(0).get<double>();
  plan.beta2 = settings.at("betas").at(1).get<double>();
  plan.epsilon = settings.at("eps").get<double>();
  return plan;
}

BatchPlan batchOf(const json& settings) {
  return {.among = settings.value("among", std::int64_t{0}),
          .place = settings.value("place", std::int64_t{0}),
          .seed = settings.value("seed", std::uint64_t{0}),
          .padding = settings.value("padding", std::int64_t{0}),
          .side = settings.value("side", "left") == "left" ? BatchPlan::Side::Left
                                                           : BatchPlan::Side::Right,
          .chunkLength = settings.value("chunk_length", std::int64_t{0})};
}

RunRequest requestOf(const json& run) {
  RunRequest request;
  request.plan = planOf(run);
  if (run.contains("optimizer")) {
    const json& settings = run.at("optimizer");
    request.optimizer = optimizerOf(settings);
    request.plan.formats[numerics::Operation::Optimizer] =
        numerics::parseNumberFormat(settings.at("state").get<std::string>()).value();
  }
  request.level = parseLevel(run.at("level").get<std::string>()).value();
  request.parameterGradients = run.at("parameter_gradients").get<bool>();
  TokenBatch tokens{run.at("tokens").get<std::vector<std::int64_t>>(),
                    run.at("batch").get<std::int64_t>(),
                    run.at("length").get<std::int64_t>()};
  if (run.contains("documents")) {
    DocumentLayout& documents = tokens.documents;
    documents.lengths = run.at("documents").get<std::vector<std::int64_t>>();
    documents.padding = run.at("padding").get<std::int64_t>();
    documents.unlabelled =
        run.at("unlabelled").get<std::vector<std::pair<std::int64_t, std::int64_t>>>();
    tokens.policy = {run.at("advantages").get<std::vector<float>>(),
                     run.at("old_log_probabilities").get<std::vector<float>>()};
  }
  request.microBatches = {std::move(tokens)};
  if (run.contains("batch_plan")) {
    request.batch = batchOf(run.at("batch_plan"));
  }
  if (run.contains("loss")) {
    request.loss.terms.clear();
    for (const json& term : run.at("loss")) {
      request.loss.terms.push_back({term.at("type").get<std::string>(),
                                    term.value("weight", 1.0),
                                    term.value("epsilon_low", 0.2),
                                    term.value("epsilon_high", 0.2)});
    }
  }
  return request;
}

Result<> runOne(Model& model, const json& run, const std::string& device) {
  RunRequest request = requestOf(run);
  request.device = device;
  const auto out = run.at("out").get<std::string>();
  Dump dump(out + ".bin", model.sites(request));
  const auto outcome = model.run(request, dump, std::stop_token());
  if (!outcome) {
    return tl::unexpected(outcome.error());
  }
  if (!dump.complete()) {
    return fail(ErrorCode::Internal, out + ": fewer tensors were observed than announced");
  }
  std::ofstream(out + ".json") << json{{"loss", outcome->loss},
                                       {"seconds", outcome->seconds},
                                       {"peak_bytes", outcome->peakBytes},
                                       {"tensors", dump.index()}};
  return {};
}

Result<> runAll(const json& jobs, const std::string& device) {
  const auto engine = loadEngine();
  if (!engine) {
    return tl::unexpected(engine.error());
  }
  (*engine)->setThreads(jobs.at("threads").get<int>());
  for (const json& entry : jobs.at("models")) {
    ModelRequest request;
    request.path = entry.at("path").get<std::string>();
    request.randomWeights = entry.value("random", false);
    request.seed = entry.value("seed", std::uint64_t{0});
    request.architectureJson = entry.value("architecture", std::string());
    const auto model = (*engine)->openModel(request, std::stop_token());
    if (!model) {
      return tl::unexpected(model.error());
    }
    for (const json& run : entry.at("runs")) {
      if (auto done = runOne(**model, run, device); !done) {
        return done;
      }
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool hasDevice = words.size() == 3 && words[1] == "--device";
    if (words.size() != 1 && !hasDevice) {
      std::cerr << "usage: engine_dump JOBS.json [--device cpu|cuda|cuda:N]\n";
      return 2;
    }
    std::ifstream file(words[0]);
    const Result<> done = runAll(json::parse(file), hasDevice ? words[2] : "cpu");
    if (!done) {
      std::cerr << "engine_dump: " << done.error().message() << '\n';
      return 3;
    }
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "engine_dump: " << e.what() << '\n';
    return 2;
  }
}
