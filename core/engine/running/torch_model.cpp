#include "core/engine/running/torch_model.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/util/accumulate.h>

#include "core/base/digest/sha256.h"
#include "core/base/list_of.h"
#include "core/base/stop_scope.h"
#include "core/base/text/split.h"
#include "core/engine/batches/piecewise_pass.h"
#include "core/engine/network/config_reader.h"
#include "core/engine/precision/convert.h"
#include "core/engine/precision/gradient_scale.h"
#include "core/engine/running/optimizer_step.h"
#include "core/engine/running/run_error.h"
#include "core/engine/running/run_settings.h"
#include "core/json/dump.h"
#include "core/json/value.h"

namespace ulp::engine {
namespace {

/// Gives what the loss was multiplied by: `asked`, else what this micro-batch bears.
double backward(const at::Tensor& loss,
                const std::optional<double>& asked,
                const Numerics& numerics,
                ParameterSet& parameters,
                RunProbe& probe) {
  double scale = asked.value_or(1);
  probe.setInBackward(true);
  if (!asked && numerics.usesFloat16()) {
    probe.setSilent(true);
    scale = largestGradientScale(loss, [&] { parameters.dropGradients(); });
    probe.setSilent(false);
  }
  probe.setGradientScale(scale);
  runBackward(loss, scale, false);
  probe.setInBackward(false);
  return scale;
}

std::string moduleOf(const ParameterSpec& spec) {
  return spec.name.substr(0, spec.name.rfind('.'));
}

std::vector<ParameterSize> sizesOf(const Network& network) {
  return listOf(network.parameters(), [](const ParameterSpec& spec) {
    return ParameterSize{spec.layer, c10::multiply_integers(spec.shape)};
  });
}

std::vector<std::string> parameterNames(const Network& network) {
  return listOf(network.parameters(), &ParameterSpec::name);
}

/// The prompts with `count` + 1 tokens behind them that are not known yet.
TokenBatch withRoom(const TokenBatch& prompts, std::int64_t count) {
  TokenBatch wide{.batch = prompts.batch, .length = prompts.length + count};
  const auto width = static_cast<std::size_t>(prompts.length) + 1;
  for (std::size_t row = 0; row * width < prompts.ids.size(); ++row) {
    const auto begin = prompts.ids.begin() + static_cast<std::ptrdiff_t>(row * width);
    wide.ids.insert(wide.ids.end(), begin, begin + prompts.length);
    wide.ids.resize(wide.ids.size() + static_cast<std::size_t>(count) + 1);
  }
  return wide;
}

/// `chosen`: int64 [batch, tokens behind the prompt], on the host.
void fillIn(TokenBatch& tokens, const at::Tensor& chosen, std::int64_t prompt) {
  const auto ids = chosen.accessor<std::int64_t, 2>();
  for (std::int64_t row = 0; row < chosen.size(0); ++row) {
    for (std::int64_t i = 0; i < chosen.size(1); ++i) {
      tokens.ids[static_cast<std::size_t>(row * (tokens.length + 1) + prompt + i)] = ids[row][i];
    }
  }
}

/// Runs `body`, whose exceptions are those of LibTorch and RunStopped of `probe`.
template <class Body>
std::invoke_result_t<Body> adapted(const RunProbe& probe,
                                   const LayerDevices& devices,
                                   Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const RunStopped&) {
    return tl::unexpected(
        probe.error().value_or(Error(ErrorCode::Internal, "a run stopped without a reason")));
  } catch (const c10::Error& e) {
    return tl::unexpected(runError(e, devices));
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::OutOfMemory, "the run needs more memory than this machine has");
  } catch (const std::exception& e) {
    return fail(ErrorCode::Internal, std::string("the run failed: ") + e.what());
  }
}

/// With the kernels that show most of their operations.
std::vector<Site> networkSites(const Network& network) {
  const c10::NoGradGuard noGrad;
  const std::unique_ptr<Network> miniature = network.miniature();
  const auto ones = [&](std::size_t index, const ParameterFormat& /*format*/) {
    return at::ones(miniature->parameters()[index].shape);
  };
  ParameterSet parameters(
      parameterNames(*miniature), ones, [](const auto& /*name*/) { return false; });
  const Numerics numerics = Numerics::showingEverything();
  SiteRecorder recorder;
  announceRows({numerics, parameters, recorder}, *miniature);
  return recorder.sites();
}

Result<at::ScalarType> initialDType(const json::Value& config) {
  ConfigReader reader(config, "config.json");
  const std::string name = reader.text("dtype", "float32");
  ULP_TRY(reader.status());
  const std::optional<DType> dtype = parseDType(name);
  if (!dtype || !isFloatingPoint(*dtype)) {
    return fail(ErrorCode::CorruptData,
                "config.json: dtype: '" + name + "' is not a floating-point type");
  }
  return scalarType(*dtype);
}

Result<StoredWeights> obtainWeights(const ModelSource& source,
                                    const Network& network,
                                    const ModelRequest& request,
                                    const std::stop_token& stop) {
  if (!request.randomWeights) {
    return loadWeights(source, network, stop);
  }
  const auto dtype = ULP_TRY(initialDType(source.config));
  return randomWeights(network, request.seed, dtype, stop);
}

ModelInfo describe(const ModelSource& source, const Network& network) {
  ModelInfo info;
  info.name = source.name;
  info.family = source.family->info.id;
  info.layers = static_cast<int>(network.facts().layers);
  info.vocabularySize = network.facts().vocabularySize;
  info.maxPositions = network.facts().maxPositions;
  for (const ParameterSpec& spec : network.parameters()) {
    info.parameters += static_cast<std::uint64_t>(c10::multiply_integers(spec.shape));
  }
  return info;
}

}  // namespace

TorchModel::TorchModel(std::shared_ptr<Devices> devices,
                       std::unique_ptr<Network> network,
                       StoredWeights weights,
                       ModelInfo info)
    : m_devices(std::move(devices)),
      m_network(std::move(network)),
      m_weights(std::move(weights)),
      m_cast(m_weights.tensors),
      m_info(std::move(info)) {
  registerBuiltin(m_losses);
}

Result<std::unique_ptr<Model>> TorchModel::open(const FamilyRegistry& registry,
                                                std::shared_ptr<Devices> devices,
                                                const ModelRequest& request,
                                                const std::stop_token& stop) {
  auto source = ULP_TRY(resolveModel(registry, request));
  auto network = ULP_TRY(source.family->configure(source.config, source.configOrigin));
  std::unique_ptr<BackgroundDigest> digest;
  if (!source.weightFiles.empty()) {
    digest = std::make_unique<BackgroundDigest>(source.weightFiles, stop);
  }
  auto weights = ULP_TRY(obtainWeights(source, *network, request, stop));
  ModelInfo info = describe(source, *network);
  std::unique_ptr<TorchModel> model(
      new TorchModel(std::move(devices), std::move(network), std::move(weights), std::move(info)));
  if (digest == nullptr) {
    const json::Object identity{{"config", source.config}, {"seed", request.seed}};
    model->m_randomDigest = ULP_TRY(sha256(json::dump(identity, {.isSorted = true})));
  }
  model->m_digest = std::move(digest);
  return model;
}

Result<std::string> TorchModel::weightsDigest() const {
  return m_digest != nullptr ? m_digest->get() : m_randomDigest;
}

const std::vector<Site>& TorchModel::allSites() const {
  std::call_once(m_sitesListed, [this] { m_allSites = networkSites(*m_network); });
  return m_allSites;
}

std::vector<Site> TorchModel::sites(const CaptureScope& scope) const {
  std::vector<Site> sites;
  std::ranges::copy_if(allSites(), std::back_inserter(sites), [&scope](const Site& site) {
    return site.level <= scope.level && (scope.backward || site.pass == Pass::Forward);
  });
  if (!scope.backward) {
    return sites;
  }
  const std::vector<ParameterSpec>& specs = m_network->parameters();
  if (scope.parameterGradients) {
    for (const ParameterSpec& spec : specs) {
      sites.push_back(
          {spec.name, moduleOf(spec), spec.layer, Level::Module, Pass::ParameterGradient});
    }
  }
  for (const ParameterSpec& spec : specs) {
    for (const std::string_view tensor : optimizerTensors(scope.optimizer)) {
      sites.push_back({optimizerRow(spec.name, tensor),
                       moduleOf(spec),
                       spec.layer,
                       Level::Module,
                       Pass::Optimizer});
    }
  }
  return sites;
}

std::vector<std::string> TorchModel::modules() const {
  std::set<std::string> modules{std::string(kLossModule)};
  for (const Site& site : allSites()) {
    if (!site.module.empty()) {
      modules.insert(site.module);
    }
  }
  return {modules.begin(), modules.end()};
}

Result<> TorchModel::check(const PrecisionPlan& plan, const std::string& device) const {
  // Kinds are enough here; the devices themselves are opened by their first run.
  const std::vector<at::Device> kinds = listOf(split(device, '+'), [](std::string_view name) {
    return at::Device(name.starts_with("cuda") ? at::kCUDA : at::kCPU);
  });
  const auto numerics = Numerics::resolve(plan, {kinds, sizesOf(*m_network)}, modules());
  return numerics ? Result<>() : tl::unexpected(numerics.error());
}

void TorchModel::dropOtherCasts(const Numerics& numerics) {
  const std::vector<ParameterSpec>& specs = m_network->parameters();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    m_cast.keepOnly(
        i, parameterFormat(numerics.at(moduleOf(specs[i]))), numerics.devices().ofParameter(i));
  }
}

ParameterSet TorchModel::parametersOf(const Numerics& numerics,
                                      RunProbe& probe,
                                      const CaptureScope& scope) {
  const auto cast = [this, devices = numerics.devices()](std::size_t index,
                                                         const ParameterFormat& format) {
    return m_cast.cast(index, format, devices.ofParameter(index));
  };
  // Now, so that the time of the run is without it.
  const std::vector<ParameterSpec>& specs = m_network->parameters();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    probe.checkStop();
    static_cast<void>(cast(i, parameterFormat(numerics.at(moduleOf(specs[i])))));
  }
  const auto isOptimized = [&](const std::string& name) {
    return std::ranges::any_of(optimizerTensors(scope.optimizer), [&](std::string_view tensor) {
      return probe.wants(Pass::Optimizer, optimizerRow(name, tensor));
    });
  };
  const auto wantsGradient = [&](const std::string& name) {
    return scope.backward && (probe.wants(Pass::ParameterGradient, name) || isOptimized(name));
  };
  using Accumulation = ParameterSet::Accumulation;
  return {parameterNames(*m_network),
          cast,
          wantsGradient,
          numerics.isFastLlm() ? Accumulation::EachUse : Accumulation::Sum};
}

/// The gradients are let go of one by one unless an optimizer follows, which then takes the
/// parameters one by one.
void TorchModel::showParameters(RunProbe& probe,
                                ParameterSet& parameters,
                                const Numerics& numerics,
                                const OptimizerPlan& optimizer) {
  const c10::NoGradGuard noGrad;
  const std::vector<ParameterSpec>& specs = m_network->parameters();
  std::vector<Capture> gradients(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const at::Tensor gradient = parameters.takeGradient(specs[i].name);
    if (gradient.defined()) {
      Capture shown = probe.parameterGradient(specs[i].name, gradient);
      gradients[i] = optimizer.type == OptimizerPlan::Type::None ? Capture() : std::move(shown);
    }
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (gradients[i].owner != nullptr) {
      const at::Device device = numerics.devices().ofParameter(i);
      const OptimizerStep step(optimizer,
                               numerics.at(moduleOf(specs[i])).backward,
                               {.name = specs[i].name,
                                .stored = [this, i, device] { return m_cast.storedOn(device, i); },
                                .gradient = gradients[i],
                                .device = device});
      showOptimizerStep(probe, step);
      gradients[i] = {};
    }
  }
}

template <class Body>
auto TorchModel::compute(const RunRequest& request,
                         Observer& observer,
                         const std::stop_token& stop,
                         const Body& body) -> Computed<Body> {
  const StopScope scope(stop);  // This library has a scope of its own for each thread.
  const auto input = ULP_TRY(stepInput(request, m_network->facts().vocabularySize));
  const auto device = ULP_TRY(m_devices->resolve(request.device));
  const LayerDevices devices(device, sizesOf(*m_network));
  const auto numerics = ULP_TRY(Numerics::resolve(request.plan, devices, modules()));
  RunProbe probe(observer, stop, sites(request), devices);
  at::init_num_threads();  // LibTorch keeps the number for each calling thread
  const RunSettings settings(request.plan, devices);
  ULP_TRY(m_weights.checkIntact());
  auto outcome = adapted(probe, devices, [&] { return body(input, numerics, probe); });
  if (!outcome) {
    ULP_TRY(recover(outcome.error(), devices));
  }
  ULP_TRY(m_weights.checkIntact());
  return outcome;
}

Result<RunOutcome> TorchModel::run(const RunRequest& request,
                                   Observer& observer,
                                   const std::stop_token& stop) {
  const auto step =
      [&](const StepInput& input, const Numerics& numerics, RunProbe& probe) -> Result<RunOutcome> {
    auto loss = ULP_TRY(makeStepLoss(
        m_losses,
        request.loss,
        input,
        numerics.isFastLlm() ? CrossEntropyKernel::FastLlm : CrossEntropyKernel::Transformers));
    return runStep(input, numerics, loss, probe, request);
  };
  return compute(request, observer, stop, step);
}

Result<std::vector<TokenBatch>> TorchModel::generate(const RunRequest& request,
                                                     std::int64_t count,
                                                     const ChoiceWatch& watch,
                                                     const std::stop_token& stop) {
  RunRequest wanted = request;
  wanted.backward = false;
  wanted.batch.prompt = request.microBatches.empty() ? 0 : request.microBatches.front().length;
  for (TokenBatch& tokens : wanted.microBatches) {
    tokens = withRoom(tokens, count);
  }
  NothingObserved nothing;
  const std::int64_t all = static_cast<std::int64_t>(wanted.microBatches.size()) * (count + 1);
  const auto choose = [&](const StepInput& input,
                          const Numerics& numerics,
                          RunProbe& probe) -> Result<std::vector<TokenBatch>> {
    return chooseAll(input, numerics, probe, wanted, [&, chosen = std::int64_t{0}]() mutable {
      watch(++chosen, all);
    });
  };
  return compute(wanted, nothing, stop, choose);
}

std::vector<TokenBatch> TorchModel::chooseAll(const StepInput& input,
                                              const Numerics& numerics,
                                              RunProbe& probe,
                                              const RunRequest& request,
                                              const std::function<void()>& chose) {
  const c10::NoGradGuard noGrad;
  dropOtherCasts(numerics);
  ParameterSet parameters = parametersOf(numerics, probe, request);
  std::vector<TokenBatch> generated(input.batches.begin(), input.batches.end());
  for (std::size_t i = 0; i < generated.size(); ++i) {
    WideBatch batch =
        wideBatch(request.batch, generated[i], input.layouts[i], numerics, m_network->facts());
    probe.microBatchBegins(i, generated.size(), batch.compared);
    const at::Tensor chosen = chooseTokens({.numerics = numerics,
                                            .parameters = parameters,
                                            .probe = probe,
                                            .hasBackward = false,
                                            .isLast = i + 1 == generated.size()},
                                           *m_network,
                                           batch,
                                           request.batch.prompt + request.batch.padding,
                                           chose);
    fillIn(generated[i], chosen.cpu(), request.batch.prompt);
  }
  return generated;
}

Result<> TorchModel::recover(const Error& failure, const LayerDevices& devices) {
  if (failure.code() != ErrorCode::Cancelled && Devices::areLost(devices)) {
    return tl::unexpected(lostDevice(devices, failure));
  }
  if (failure.code() == ErrorCode::OutOfMemory) {
    m_cast.clear();
    Devices::releaseUnused(devices);
  }
  return {};
}

RunOutcome TorchModel::runStep(const StepInput& input,
                               const Numerics& numerics,
                               StepLoss& loss,
                               RunProbe& probe,
                               const RunRequest& request) {
  const LayerDevices& devices = numerics.devices();
  const c10::AutoGradMode gradients(request.backward);
  probe.checkStop();
  dropOtherCasts(numerics);
  Devices::resetPeak(devices);
  ParameterSet parameters = parametersOf(numerics, probe, request);
  std::vector<MicroBatch> batches;
  for (std::size_t i = 0; i < input.batches.size(); ++i) {
    batches.push_back(microBatchOn(
        request.batch, input.batches[i], input.layouts[i], numerics, m_network->facts()));
  }
  Devices::synchronize(devices);
  DeviceMoments memory{.begin = Devices::allocatedBytes(devices)};
  const auto start = std::chrono::steady_clock::now();
  std::optional<double> scale = numerics.plan().gradientScale;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const MicroBatch& batch = batches[i];
    const bool isLast = i + 1 == batches.size();
    probe.microBatchBegins(i, batches.size(), batch.input.compared);
    if (isLast && request.recordsKernels && devices.haveCuda()) {
      probe.recordKernels(sites(request));
    }
    const at::Tensor value = forward({.numerics = numerics,
                                      .parameters = parameters,
                                      .probe = probe,
                                      .hasBackward = request.backward,
                                      .isLast = isLast},
                                     *m_network,
                                     batch,
                                     loss);
    memory.forward = Devices::allocatedBytes(devices);
    memory.forwardPeak = Devices::peakBytes(devices);
    if (request.backward) {
      scale = backward(value, scale, numerics, parameters, probe);
    }
    if (!isLast) {
      parameters.foldGradients();
    }
  }
  Devices::synchronize(devices);
  memory.backward = Devices::allocatedBytes(devices);
  memory.backwardPeak = Devices::peakBytes(devices);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  RunOutcome outcome;
  outcome.gradientScale = request.backward ? *scale : 1;
  outcome.seconds = (elapsed - probe.observerTime()).count();
  outcome.loss = loss.value().item<double>();
  loss.describe(outcome);
  outcome.attentionKernels = probe.attentionKernels();
  outcome.kernels = probe.takeKernels();
  showParameters(probe, parameters, numerics, request.optimizer);
  const std::uint64_t spare = m_cast.spareBytes();
  outcome.peakBytes = Devices::peakBytes(devices) - spare;
  if (devices.haveCuda()) {
    memory.reserved = Devices::reservedPeakBytes(devices);
    for (std::uint64_t* bytes : {&memory.begin,
                                 &memory.forward,
                                 &memory.forwardPeak,
                                 &memory.backward,
                                 &memory.backwardPeak}) {
      *bytes -= std::min(*bytes, spare);
    }
    outcome.memory = memory;
  }
  return outcome;
}

}  // namespace ulp::engine
