#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <utility>

#include "core/engine/find_python.h"
#include "core/engine/python/python_process.h"
#include "core/engine/python/python_run.h"
#include "core/engine/python_engine.h"
#include "core/json/parse.h"

namespace ulp::engine {
namespace {

using json::Object;
using json::Value;
using numerics::Operation;

Result<> appendSites(const Value& list, std::vector<Site>& sites) {
  for (const Value& each : list.items()) {
    auto site = ULP_TRY(siteIn(each));
    sites.push_back(std::move(site));
  }
  return {};
}

Result<> checkFormat(const std::optional<numerics::NumberFormat>& format, std::string_view key) {
  if (!format || (!numerics::isSimulated(*format) && itemSize(numerics::carrierOf(*format)) >= 2)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("precision.{}: '{}' is no format that modules of PyTorch compute in; the "
                          "Python engine takes float64, float32, bfloat16, float16",
                          key,
                          numerics::toString(*format)));
}

Result<> checkRequest(const RunRequest& request, bool hasOwnLoss) {
  if (hasOwnLoss && !request.batch.isPlain()) {
    return fail(
        ErrorCode::Unsupported,
        "batch.* and input.generate: what the function of model.factory makes of a batch is "
        "its own");
  }
  return {};
}

class OwnPythonModel final : public PythonModel {
 public:
  OwnPythonModel(PythonRequest request, Engine& engine)
      : m_request(std::move(request)), m_engine(engine) {}

  [[nodiscard]] Result<> open(const std::stop_token& stop) {
    if (!m_request.program.has_parent_path()) {
      m_request.program = ULP_TRY(findPython(m_request.program.native()));
    } else if (std::error_code ignored; !std::filesystem::exists(m_request.program, ignored)) {
      return fail(ErrorCode::NotFound,
                  fmt::format("python.executable: there is no {}; name a Python that has torch",
                              m_request.program.string()));
    }
    m_facts.program = m_request.program.string();
    ULP_TRY(begin(stop));
    const auto digest = ULP_TRY(ask({{"do", "digest"}}, stop));
    m_digest = digest.at("digest").text();
    return {};
  }

  [[nodiscard]] const ModelInfo& info() const override { return m_info; }
  [[nodiscard]] const PythonFacts& facts() const override { return m_facts; }
  [[nodiscard]] Result<std::string> weightsDigest() const override { return m_digest; }
  [[nodiscard]] std::vector<Site> sites(const CaptureScope& scope) const override {
    return sitesIn(m_sites, scope);
  }

  [[nodiscard]] Result<> check(const PrecisionPlan& plan,
                               const std::string& device) const override {
    ULP_TRY(checkFormats(plan));
    if (m_process == nullptr || !m_process->isRunning()) {
      return {};
    }
    Object message = leversMessage(plan, device, m_request.threads);
    message["do"] = "check";
    return ask(message, std::stop_token()).map([](const Value&) {});
  }

  [[nodiscard]] static Result<> checkFormats(const PrecisionPlan& plan) {
    for (const Operation operation : {Operation::Compute, Operation::LmHead}) {
      ULP_TRY(checkFormat(plan.formats[operation], numerics::keyOf(operation)));
    }
    for (const PrecisionRule& rule : plan.rules) {
      ULP_TRY(checkFormat(rule.formats[Operation::Compute], "rules"));
    }
    return {};
  }

  [[nodiscard]] Result<> learnSites(const RunRequest& request,
                                    const std::stop_token& stop) override {
    if (request.level != Level::Op) {
      return {};
    }
    ULP_TRY(makeReady(request, stop));
    NothingObserved nothing;
    auto listing = ULP_TRY(PythonRun(parts(), request, nothing).listing());
    ULP_TRY(list(listing, stop));
    m_listing = std::move(listing);
    return {};
  }

  [[nodiscard]] Result<RunOutcome> run(const RunRequest& request,
                                       Observer& observer,
                                       const std::stop_token& stop) override {
    ULP_TRY(makeReady(request, stop));
    if (request.level == Level::Op && m_listing.empty()) {
      ULP_TRY(learnSites(request, stop));
    }
    PythonRun run(parts(), request, observer);
    auto outcome = run.run(stop);
    const bool lostDevice = !outcome && outcome.error().code() == ErrorCode::Device;
    if (run.isGoingOn() || lostDevice) {
      m_process.reset();
    }
    if (lostDevice) {  // to the process that was ended: the next run has another
      return fail(ErrorCode::InvalidArgument, outcome.error().message());
    }
    return outcome;
  }

  [[nodiscard]] Result<std::vector<TokenBatch>> generate(const RunRequest& request,
                                                         std::int64_t count,
                                                         const ChoiceWatch& watch,
                                                         const std::stop_token& stop) override {
    RunRequest wanted = request;
    wanted.backward = false;
    wanted.batch.prompt = request.microBatches.empty() ? 0 : request.microBatches.front().length;
    ULP_TRY(makeReady(wanted, stop));
    NothingObserved nothing;
    return PythonRun(parts(), wanted, nothing).generate(count, watch, stop);
  }

  [[nodiscard]] Result<double> errorInPieces(const RunRequest& request,
                                             const std::stop_token& stop) override {
    ULP_TRY(makeReady(request, stop));
    NothingObserved nothing;
    Object message = ULP_TRY(PythonRun(parts(), request, nothing).listing());
    message["do"] = "pieces";
    const auto told = ULP_TRY(ask(message, stop));
    return told.at("error").number();
  }

  [[nodiscard]] Result<RowsOfSequences> rowsOfSequences(const RunRequest& request,
                                                        const std::stop_token& stop) override {
    ULP_TRY(makeReady(request, stop));
    NothingObserved nothing;
    Object message = ULP_TRY(PythonRun(parts(), request, nothing).listing());
    message["do"] = "sequences";
    const auto told = ULP_TRY(ask(message, stop));
    RowsOfSequences rows;
    for (const Value& each : told.at("of_sequences").items()) {
      auto row = ULP_TRY(rowIn(each));
      rows[std::move(row)] = each.items().size() > 2 && each.items()[2].boolean();
    }
    return rows;
  }

  [[nodiscard]] std::vector<std::string> takeNotes() override { return std::exchange(m_notes, {}); }

 private:
  /// Checks a request, and starts a process where none waits for it.
  [[nodiscard]] Result<> makeReady(const RunRequest& request, const std::stop_token& stop) {
    ULP_TRY(checkFormats(request.plan));
    ULP_TRY(checkRequest(request, !m_request.factory.empty()));
    return m_process == nullptr || !m_process->isRunning() ? begin(stop) : Result<>();
  }

  [[nodiscard]] PythonRunParts parts() {
    return {.process = *m_process,
            .sites = m_sites,
            .engine = m_engine,
            .notes = m_notes,
            .vocabularySize = m_info.vocabularySize,
            .threads = m_request.threads,
            .hasOwnLoss = !m_request.factory.empty()};
  }

  [[nodiscard]] Result<Value> ask(const Object& message, const std::stop_token& stop) const {
    ULP_TRY(m_process->send(message));
    return m_process->receive(stop);
  }

  /// Starts a process and has it open the model; there is none where that fails.
  [[nodiscard]] Result<> begin(const std::stop_token& stop) {
    m_process = ULP_TRY(PythonProcess::start(m_request.program));
    auto opened = openModel(stop);
    if (!opened) {
      m_process.reset();
    }
    return opened;
  }

  [[nodiscard]] Result<> openModel(const std::stop_token& stop) {
    const ModelRequest& model = m_request.model;
    auto architecture =
        ULP_TRY(json::parseObject(model.architectureJson.empty() ? "{}" : model.architectureJson));
    const auto opened = ULP_TRY(ask({{"do", "open"},
                                     {"path", model.path.string()},
                                     {"factory", m_request.factory},
                                     {"random", model.randomWeights},
                                     {"seed", model.seed},
                                     {"architecture", std::move(architecture)},
                                     {"trusts_code", m_request.trustsCode},
                                     {"threads", m_request.threads},
                                     {"device", m_request.device}},
                                    stop));
    describe(opened.at("opened"));
    ULP_TRY(list({{"do", "sites"}}, stop));
    return m_listing.empty() ? Result<>() : list(m_listing, stop);
  }

  [[nodiscard]] Result<> list(const Object& request, const std::stop_token& stop) {
    const auto listed = ULP_TRY(ask(request, stop));
    m_sites.clear();
    ULP_TRY(appendSites(listed.at("sites"), m_sites));
    return appendSites(listed.at("parameters"), m_sites);
  }

  void describe(const Value& opened) {
    const std::filesystem::path source =
        m_request.factory.empty() ? m_request.model.path : std::filesystem::path(m_request.factory);
    m_info = {.name = source.filename().string(),
              .family = opened.at("family").text(),
              .layers = static_cast<int>(opened.at("layers").integer()),
              .vocabularySize = opened.at("vocabulary").integer(),
              .maxPositions = opened.at("positions").integer(),
              .parameters = static_cast<std::uint64_t>(opened.at("parameters").integer())};
    m_facts.python = opened.at("python").text();
    m_facts.torch = opened.at("torch").text();
    m_facts.transformers = opened.at("transformers").text();
    m_facts.modelClass = opened.at("class").text();
  }

  PythonRequest m_request;
  Engine& m_engine;
  PythonFacts m_facts;
  ModelInfo m_info;
  std::string m_digest;
  std::vector<Site> m_sites;  ///< numbered as in Python; those of parameters last
  std::vector<std::string> m_notes;
  Object m_listing;  ///< what lists operations; empty: nobody asked for them
  std::unique_ptr<PythonProcess> m_process;
};

}  // namespace

Result<std::unique_ptr<PythonModel>> openPythonModel(const PythonRequest& request,
                                                     Engine& engine,
                                                     const std::stop_token& stop) {
  auto model = std::make_unique<OwnPythonModel>(request, engine);
  ULP_TRY(model->open(stop));
  return model;
}

}  // namespace ulp::engine
