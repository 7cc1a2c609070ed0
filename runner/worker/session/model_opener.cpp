#include "runner/worker/session/model_opener.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/engine/python_engine.h"
#include "runner/worker/session/engine_settings.h"

namespace ulp::worker {
namespace {

/// Where the study sets the key that a message begins with; empty: it begins with none, or nobody
/// sets it.
std::string placeOfKey(const study::Study& study, std::string_view message) {
  const auto setting = study.settings.find(message.substr(0, message.find(':')));
  return setting == study.settings.end() || setting->second.origin == study::Origin::Default
             ? std::string()
             : study::placeOf(study, setting->first, setting->second);
}

}  // namespace

Result<engine::ModelRequest> ModelOpener::request() const {
  constexpr std::string_view kKey = "model.path";
  const study::Study& study = m_parts.study;
  engine::ModelRequest request{.path = {},
                               .randomWeights = study.randomWeights,
                               .seed = study.modelSeed,
                               .architectureJson = study.architectureJson};
  if (!study.modelFactory.empty()) {
    return request;
  }
  auto path = study::resolveModelPath(study);
  if (!path) {
    const std::string place = study::placeOf(study, kKey, study.settings.find(kKey)->second);
    return place.empty() ? tl::unexpected(path.error()) : failWhile(place, std::move(path));
  }
  request.path = *std::move(path);
  return request;
}

std::string ModelOpener::codeOfStudy() const {
  const study::Study& study = m_parts.study;
  std::vector<std::string> parts;
  if (study.trustsModelCode && study.modelFactory.empty()) {
    parts.emplace_back("what comes with the checkpoint (python.trust_code)");
  }
  if (!study.modelFactory.empty()) {
    parts.push_back(study.modelFactory + " (model.factory)");
  }
  for (const PlannedRun& run : m_runs) {
    const std::string& prepare = run.precision.python.prepare;
    if (run.isChosen && !prepare.empty()) {
      parts.push_back(fmt::format("{} (python.prepare of {})", prepare, run.name));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Result<std::unique_ptr<engine::Model>> ModelOpener::openInPython(
    const engine::ModelRequest& request) {
  const study::Study& study = m_parts.study;
  if (const std::string& device = m_parts.choice.device.id; device.find('+') != std::string::npos) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("device: {} have the layers of a model in turn, which the native engine "
                    "does; the Python engine puts a model on several devices with "
                    "python.device_map: balanced",
                    device));
  }
  ULP_TRY(checkEngineSettings(study, m_runs, EngineKind::Python));
  if (const std::string code = codeOfStudy(); !code.empty()) {
    m_parts.sink.message("info", "engine: runs code that the study names: " + code);
  }
  // What only several ranks hold does not fit on one device: its rows are listed on the host.
  const bool isDivided = m_runs.front().precision.python.ranks > 1;
  auto model =
      engine::openPythonModel({.model = request,
                               .factory = study::resolveFunction(study, study.modelFactory),
                               .program = study::resolveBeside(study, study.pythonProgram),
                               .trustsCode = study.trustsModelCode,
                               .threads = m_threads,
                               .device = isDivided ? "cpu" : m_parts.choice.device.id},
                              m_parts.engine,
                              m_parts.stop);
  if (!model) {
    const std::string place = placeOfKey(study, model.error().message());
    return place.empty() ? tl::unexpected(model.error()) : failWhile(place, std::move(model));
  }
  const engine::PythonFacts& facts = (*model)->facts();
  const std::string transformers =
      facts.transformers.empty() ? "" : fmt::format("transformers {}, ", facts.transformers);
  report::Provenance& provenance = m_parts.draft.provenance;
  provenance.torchVersion = facts.torch;
  provenance.engine = fmt::format("Python {}, {}{}", facts.python, transformers, facts.modelClass);
  m_parts.sink.message("info", fmt::format("engine: {} ({})", provenance.engine, facts.program));
  return std::unique_ptr<engine::Model>(*std::move(model));
}

Result<std::unique_ptr<engine::Model>> ModelOpener::open() {
  const study::Study& study = m_parts.study;
  const auto request = ULP_TRY(this->request());
  if (study.engine == "python" || (study.engine == "auto" && !study.modelFactory.empty())) {
    return openInPython(request);
  }
  if (!study.modelFactory.empty()) {
    return fail(ErrorCode::InvalidArgument, "model.factory needs `engine: python`");
  }
  auto native = m_parts.engine.openModel(request, m_parts.stop);
  if (native) {
    ULP_TRY(checkEngineSettings(study, m_runs, EngineKind::Native));
    m_parts.draft.provenance.torchVersion = m_parts.engine.torchVersion();
    return native;
  }
  std::error_code ignored;
  const bool mayBePython = native.error().code() == ErrorCode::Unsupported &&
                           std::filesystem::is_directory(request.path, ignored);
  if (!mayBePython) {
    return native;
  }
  const std::string why = native.error().message();
  if (study.engine != "auto") {
    return fail(ErrorCode::Unsupported, why + "; `engine: python` runs what transformers opens");
  }
  m_parts.sink.message(
      "info",
      fmt::format("engine: python, since the native engine does not open the model: {}", why));
  auto opened = openInPython(request);
  if (!opened && !opened.error().endsWork()) {
    return fail(opened.error().code(),
                fmt::format("{}\nthe native engine does not open the model either: {}",
                            opened.error().message(),
                            why));
  }
  return opened;
}

}  // namespace ulp::worker
