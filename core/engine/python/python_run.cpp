#include "core/engine/python/python_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"

namespace ulp::engine {
namespace {

using json::Object;
using json::Value;
using numerics::Operation;

constexpr std::array<std::string_view, 6> kAttentions{
    "eager", "sdpa", "sdpa_math", "sdpa_flash", "sdpa_efficient", "sdpa_cudnn"};
constexpr std::array<std::string_view, 3> kProducts{"highest", "high", "medium"};

/// The name of torch's type; empty where nothing is asked for.
std::string torchType(const std::optional<numerics::NumberFormat>& format) {
  return format ? std::string(numerics::toString(*format)) : std::string();
}

Value ruleMessage(const PrecisionRule& rule) {
  return Object{{"match", rule.match}, {"dtype", torchType(rule.formats[Operation::Compute])}};
}

bool isIn(const Site& site, const CaptureScope& scope) {
  if (site.pass == Pass::Optimizer) {
    const std::string_view tensor = std::string_view(site.name).substr(site.name.rfind('.') + 1);
    const auto shown = optimizerTensors(scope.optimizer);
    return scope.backward && std::ranges::find(shown, tensor) != shown.end();
  }
  return site.pass == Pass::ParameterGradient
             ? scope.backward && scope.parameterGradients
             : site.level <= scope.level && (scope.backward || site.pass == Pass::Forward);
}

Value optimizerMessage(const OptimizerPlan& plan) {
  return Object{{"type", plan.type == OptimizerPlan::Type::AdamW ? "adamw" : "sgd"},
                {"learning_rate", plan.learningRate},
                {"beta1", plan.beta1},
                {"beta2", plan.beta2},
                {"epsilon", plan.epsilon},
                {"weight_decay", plan.weightDecay},
                {"momentum", plan.momentum}};
}

/// [row, pass, rows that it was made from, line]
Result<> addToGraph(const Value& value, OperationGraph& graph) {
  const auto [pass, name] = ULP_TRY(rowIn(value));
  const json::Array& parts = value.items();
  if (parts.size() != 4) {
    return fail(ErrorCode::Internal, "Python's answer is not understood: a row's inputs");
  }
  OperationGraph::Row row{.line = parts[3].text()};
  for (const Value& each : parts[2].items()) {
    auto [passOfInput, input] = ULP_TRY(rowIn(each));
    (passOfInput == Pass::Forward ? row.forward : row.backward).push_back(std::move(input));
  }
  graph.of(pass).insert_or_assign(name, std::move(row));
  return {};
}

/// {"names": [...], "forward": {row: [place, ...]}, "backward": ...}
KernelRecord kernelsIn(const Value& value) {
  KernelRecord kernels;
  kernels.names = listOf(value.at("names").items(), &Value::text);
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (const auto& [row, places] : value.at(toString(pass)).members()) {
      for (const Value& place : places.items()) {
        kernels.of(pass)[row].push_back(static_cast<std::uint32_t>(place.integer()));
      }
    }
  }
  return kernels;
}

}  // namespace

Result<std::pair<Pass, std::string>> rowIn(const Value& value) {
  const json::Array& parts = value.items();
  const auto pass = parts.size() >= 2 ? parsePass(parts[1].text()) : std::nullopt;
  if (!pass) {
    return fail(ErrorCode::Internal, "Python's answer is not understood: a row");
  }
  return std::pair(*pass, parts[0].text());
}

Result<Site> siteIn(const Value& value) {
  const auto level = parseLevel(value.at("level").text());
  const auto pass = parsePass(value.at("pass").text());
  if (!level || !pass || value.at("name").text().empty()) {
    return fail(ErrorCode::Internal, "Python's answer is not understood: a site");
  }
  return Site{value.at("name").text(),
              value.at("module").text(),
              static_cast<int>(value.at("layer").integer()),
              *level,
              *pass};
}

std::vector<Site> sitesIn(const std::vector<Site>& sites, const CaptureScope& scope) {
  std::vector<Site> chosen;
  std::ranges::copy_if(
      sites, std::back_inserter(chosen), [&](const Site& site) { return isIn(site, scope); });
  return chosen;
}

Object leversMessage(const PrecisionPlan& plan, const std::string& device, int threads) {
  const std::string compute = torchType(plan.formats[Operation::Compute]);
  const PythonPlan& python = plan.python;
  return {{"dtype", compute.empty() ? std::string("float32") : compute},
          {"cast", plan.cast == Cast::Module ? "module" : "load"},
          {"lm_head", torchType(plan.formats[Operation::LmHead])},
          {"attention",
           python.attention.empty()
               ? std::string(kAttentions.at(static_cast<std::size_t>(plan.attention)))
               : python.attention},
          {"float32_products", kProducts.at(static_cast<std::size_t>(plan.float32Products))},
          {"deterministic", plan.deterministic},
          {"threads", plan.threads > 0 ? plan.threads : threads},
          {"autocast", torchType(python.autocast)},
          {"prepare", python.prepare},
          {"compile", python.compile},
          {"compile_mode", python.compileMode},
          {"compile_backend", python.compileBackend},
          {"quantization", python.quantization},
          {"device", python.device.empty() ? device : python.device},
          {"device_map", python.deviceMap},
          {"cache", python.cache},
          {"ranks", python.ranks},
          {"launcher", python.launcher},
          {"parallel", python.parallel},
          {"reduce", python.reduce},
          {"rules", listOf(plan.rules, ruleMessage)}};
}

Object PythonRun::message(std::string_view what) const {
  json::Array batches;
  for (std::size_t i = 0; i < m_request.microBatches.size(); ++i) {
    batches.push_back(batchMessage(i));
  }
  Object message = leversMessage(m_request.plan, m_request.device, m_parts.threads);
  message["do"] = what;
  message["backward"] = m_request.backward;
  message["operations"] = m_request.level == Level::Op;
  message["graph"] = m_request.recordsGraph;
  message["parameter_gradients"] = m_request.backward && m_request.parameterGradients;
  message["kernels"] = m_request.recordsKernels;
  message["optimizer"] = optimizerMessage(m_request.optimizer);
  message["wants"] = m_wanted;
  message["batch"] = planMessage();
  message["batches"] = std::move(batches);
  return message;
}

Value PythonRun::planMessage() const {
  const BatchPlan& plan = m_request.batch;
  return Object{{"among", plan.among},
                {"place", plan.place},
                {"seed", plan.seed},
                {"padding", plan.padding},
                {"padded_left", plan.side == BatchPlan::Side::Left},
                {"chunk_length", plan.chunkLength},
                {"prompt", plan.prompt},
                {"cache_dtype", torchType(plan.cacheFormat)}};
}

Value PythonRun::batchMessage(std::size_t microBatch) const {
  const TokenBatch& tokens = m_request.microBatches[microBatch];
  std::vector<std::int64_t> positions;
  const std::int64_t padding = tokens.documents.padding;
  if (m_losses != nullptr && (tokens.documents.documents() > 1 || padding > 0)) {
    const auto each = m_losses->positions(microBatch);
    positions.assign(each.begin(), each.end());
  }
  return Object{{"ids", tokens.ids},
                {"batch", tokens.batch},
                {"length", tokens.length},
                {"positions", std::move(positions)},
                {"padding", padding}};
}

Result<> PythonRun::prepare() {
  if (!m_parts.hasOwnLoss) {
    m_losses = ULP_TRY(m_parts.engine.stepLosses(m_request, m_parts.vocabularySize));
  }
  for (std::size_t i = 0; i < m_parts.sites.size(); ++i) {
    if (isIn(m_parts.sites[i], m_request) && m_observer.wants(m_parts.sites[i])) {
      m_wanted.push_back(i);
    }
  }
  return {};
}

Result<Object> PythonRun::listing() {
  ULP_TRY(prepare());
  return message("operations");
}

Result<RunOutcome> PythonRun::run(const std::stop_token& stop) {
  ULP_TRY(prepare());
  ULP_TRY(m_parts.process.reportSeen());
  ULP_TRY(m_parts.process.send(message("run")));
  while (true) {
    m_isGoingOn = false;
    const auto message = ULP_TRY(m_parts.process.receive(stop));
    if (message.contains("done")) {
      return outcomeOf(message.at("done"));
    }
    m_isGoingOn = true;
    ULP_TRY(answer(message));
  }
}

Result<std::vector<TokenBatch>> PythonRun::generate(std::int64_t count,
                                                    const ChoiceWatch& watch,
                                                    const std::stop_token& stop) {
  Object request = message("generate");
  request["count"] = count;
  ULP_TRY(m_parts.process.send(request));
  auto answered = ULP_TRY(m_parts.process.receive(stop));
  const auto all = static_cast<std::int64_t>(m_request.microBatches.size()) * (count + 1);
  while (answered.contains("chosen")) {
    watch(answered.at("chosen").integer(), all);
    answered = ULP_TRY(m_parts.process.receive(stop));
  }
  std::vector<TokenBatch> generated;
  for (const Value& ids : answered.at("generated").items()) {
    const TokenBatch& prompts = m_request.microBatches.at(generated.size());
    generated.push_back({.ids = listOf(ids.items(), &Value::integer),
                         .batch = prompts.batch,
                         .length = prompts.length + count});
  }
  return generated;
}

Result<> PythonRun::answer(const Value& message) {
  if (message.contains("capture")) {
    return show(message);
  }
  if (message.contains("choice")) {
    return showChoice(message);
  }
  if (message.contains("loss_of")) {
    return evaluateLoss(message);
  }
  if (message.contains("micro_batch")) {
    m_microBatch = static_cast<std::size_t>(message.at("micro_batch").integer());
    m_observer.microBatchBegins(m_microBatch, m_request.microBatches.size());
  }
  return {};
}

Result<Capture> PythonRun::captureIn(const Value& message) const {
  const std::string& name = message.at("dtype").text();
  const auto dtype = parseDType(name);
  if (!dtype) {
    return fail(ErrorCode::Unsupported,
                fmt::format("tensors of type {} cannot be compared; leave them out with "
                            "capture.exclude",
                            name));
  }
  numerics::TensorView view{.dtype = *dtype};
  for (const Value& extent : message.at("shape").items()) {
    view.shape.push_back(extent.integer());
  }
  const auto offset = static_cast<std::uint64_t>(message.at("offset").integer());
  const std::shared_ptr<SharedMemory>& memory = m_parts.process.memory();
  view.data = ULP_TRY(memory->at(offset, view.sizeBytes())).data();
  const std::shared_ptr<const void> owner(
      view.data, [memory, offset](const void*) { memory->release(offset); });
  return Capture{.view = std::move(view), .owner = owner};
}

Result<> PythonRun::show(const Value& message) {
  const auto index = static_cast<std::size_t>(message.at("capture").integer());
  if (index >= m_parts.sites.size()) {
    return fail(ErrorCode::Internal, "Python shows a site that it has not listed");
  }
  const Site& site = m_parts.sites[index];
  std::uint64_t size = 0;
  {
    auto capture = ULP_TRY(whileDoing(site.name, captureIn(message)));
    capture.keys = ULP_TRY(whileDoing(site.name, keysIn(message)));
    size = capture.view.sizeBytes();
    ULP_TRY(m_observer.observe(site, capture));
  }
  return m_parts.process.noteSeen(size);
}

Result<std::shared_ptr<const std::vector<std::int64_t>>> PythonRun::keysIn(
    const Value& message) const {
  if (!message.contains("keys")) {
    return nullptr;
  }
  const auto capture = ULP_TRY(captureIn(message.at("keys")));
  auto keys = std::make_shared<std::vector<std::int64_t>>(capture.view.count());
  if (capture.view.dtype != DType::Int64) {
    return fail(ErrorCode::Internal, "Python's answer is not understood: keys");
  }
  std::memcpy(keys->data(), capture.view.data, capture.view.sizeBytes());
  ULP_TRY(m_parts.process.noteSeen(capture.view.sizeBytes()));
  return keys;
}

Result<> PythonRun::showChoice(const Value& message) {
  const ExpertChoice choice{.router = ULP_TRY(siteIn(message.at("choice"))),
                            .block = message.at("block").text(),
                            .chosen = ULP_TRY(captureIn(message.at("chosen"))),
                            .scores = ULP_TRY(captureIn(message.at("scores")))};
  ULP_TRY(m_observer.observeChoice(choice));
  ULP_TRY(m_parts.process.noteSeen(choice.chosen.view.sizeBytes()));
  return m_parts.process.noteSeen(choice.scores.view.sizeBytes());
}

Result<> PythonRun::evaluateLoss(const Value& message) {
  {
    const auto logits = ULP_TRY(whileDoing("logits", captureIn(message)));
    std::span<std::byte> gradient;
    if (m_request.backward) {
      const auto offset = static_cast<std::uint64_t>(message.at("gradient").integer());
      gradient = ULP_TRY(m_parts.process.memory()->at(offset, logits.view.sizeBytes()));
    }
    ULP_TRY(m_losses->evaluate(logits.view, gradient));
  }
  if (m_microBatch + 1 == m_request.microBatches.size()) {
    ULP_TRY(showLoss());
  }
  ULP_TRY(m_parts.process.noteSeen(0));
  return m_parts.process.send({{"evaluated", true}});
}

Result<> PythonRun::showLoss() {
  const auto loss = std::ranges::find_if(m_wanted, [this](std::size_t index) {
    return m_parts.sites[index].name == "loss" && m_parts.sites[index].level == Level::Layer;
  });
  return loss == m_wanted.end() ? Result<>()
                                : m_observer.observe(m_parts.sites[*loss], m_losses->value());
}

Result<std::vector<Site>> PythonRun::operationsIn(const Value& list) const {
  std::vector<Site> found;
  for (const Value& each : list.items()) {
    auto [pass, name] = ULP_TRY(rowIn(each));
    const auto known = std::ranges::find_if(
        m_parts.sites, [&](const Site& site) { return site.pass == pass && site.name == name; });
    found.push_back(known != m_parts.sites.end()
                        ? *known
                        : Site{.name = std::move(name), .level = Level::Op, .pass = pass});
  }
  return found;
}

Result<> PythonRun::addOperations(const Value& operations, RunOutcome& outcome) const {
  for (const Value& row : operations.at("graph").items()) {
    ULP_TRY(addToGraph(row, outcome.graph));
  }
  // As the observer sees it, Ulpscope makes the loss of the logits.
  if (m_losses != nullptr && m_request.recordsGraph) {
    outcome.graph.of(Pass::Forward)["loss"].forward = {"logits"};
  }
  outcome.missing = ULP_TRY(operationsIn(operations.at("missing")));
  outcome.unlisted = ULP_TRY(operationsIn(operations.at("unlisted")));
  outcome.unplaced = ULP_TRY(operationsIn(operations.at("unplaced")));
  return {};
}

Result<RunOutcome> PythonRun::outcomeOf(const Value& done) const {
  RunOutcome outcome{.seconds = done.at("seconds").number(),
                     .peakBytes = static_cast<std::uint64_t>(done.at("peak_bytes").integer())};
  outcome.microBatches = static_cast<std::int64_t>(m_request.microBatches.size());
  if (done.contains("kernels")) {
    outcome.kernels = kernelsIn(done.at("kernels"));
    if (!outcome.kernels.isConsistent()) {
      return fail(ErrorCode::Internal, "Python's answer is not understood: kernels");
    }
  }
  for (const auto& [path, digest] : done.at("code").members()) {
    outcome.codeFiles[path] = digest.text();
  }
  for (const Value& note : done.at("notes").items()) {
    m_parts.notes.push_back(note.text());
  }
  if (done.contains("operations")) {
    ULP_TRY(addOperations(done.at("operations"), outcome));
  }
  if (m_losses != nullptr) {
    m_losses->describe(outcome);
    return outcome;
  }
  // A number that is not finite is none of JSON's.
  const auto value = ULP_TRY(captureIn(done));
  outcome.loss = numerics::elementAt(value.view, 0);
  ULP_TRY(m_parts.process.noteSeen(value.view.sizeBytes()));
  outcome.terms.push_back({.term = LossTerm{}, .value = outcome.loss});
  for (const TokenBatch& tokens : m_request.microBatches) {
    outcome.labels += tokens.batch * tokens.length;
    outcome.documents += tokens.batch;
  }
  return outcome;
}

}  // namespace ulp::engine
