#include "core/engine/torch_model/torch_model.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/engine/torch_model/convert.h"
#include "core/engine/torch_model/run_probe.h"

namespace ulp::engine {
namespace {

const Row kLogits{"logits", "lm_head", -1, Level::Layer};
const Row kLoss{"loss", "", -1, Level::Layer};

struct Batch {
  at::Tensor inputs;  ///< [batch, length]
  at::Tensor labels;  ///< [batch * length]
};

Batch toDevice(const TokenBatch& tokens, const at::Device& device) {
  const at::Tensor ids = at::tensor(tokens.ids, at::TensorOptions().dtype(at::kLong))
                             .view({tokens.batch, tokens.length + 1})
                             .to(device);
  return {ids.slice(1, 0, tokens.length), ids.slice(1, 1, tokens.length + 1).reshape({-1})};
}

/// Mean over all positions of the cross-entropy of the logits in float32 (float64 stays).
at::Tensor forward(const ForwardPass& pass, const Network& network, const Batch& batch) {
  const at::Tensor logits = network.logits(pass, batch.inputs);
  pass.probe.totalGradient(kLogits, logits);
  pass.probe.output(kLogits, logits);
  const at::ScalarType math = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  at::Tensor loss =
      at::cross_entropy_loss(logits.to(math).reshape({-1, logits.size(-1)}), batch.labels);
  pass.probe.output(kLoss, loss);
  return loss;
}

void reportParameterGradients(RunProbe& probe, const ParameterSet& parameters) {
  for (const auto& [name, leaf] : parameters.ordered()) {
    const at::Tensor gradient = leaf.grad();
    if (gradient.defined()) {
      probe.parameterGradient(name, gradient);
    }
    leaf.mutable_grad().reset();
  }
}

/// What an exception of LibTorch means to the user.
Error errorOf(const c10::Error& e, const at::Device& device) {
  const std::string message = e.what_without_backtrace();
  const bool outOfMemory = dynamic_cast<const c10::OutOfMemoryError*>(&e) != nullptr ||
                           message.find("can't allocate memory") != std::string::npos;
  if (outOfMemory) {
    return {ErrorCode::OutOfMemory,
            "the run needs more memory than " + device.str() + " has (" + message +
                "); use a shorter sequence or a smaller micro batch"};
  }
  return {device.is_cuda() ? ErrorCode::Device : ErrorCode::Internal, "LibTorch: " + message};
}

/// Runs `body`, whose exceptions are those of LibTorch and RunStopped of `probe`.
template <class Body>
Result<RunOutcome> adapted(const RunProbe& probe, const at::Device& device, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const RunStopped&) {
    return tl::unexpected(
        probe.error().value_or(Error(ErrorCode::Internal, "a run stopped without a reason")));
  } catch (const c10::Error& e) {
    return tl::unexpected(errorOf(e, device));
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::OutOfMemory, "the run needs more memory than this machine has");
  } catch (const std::exception& e) {
    return fail(ErrorCode::Internal, std::string("the run failed: ") + e.what());
  }
}

ParameterSet miniatureParameters(const Network& network) {
  ParameterSet parameters;
  for (const ParameterSpec& spec : network.parameters()) {
    parameters.add(spec.name, at::ones(spec.shape));
  }
  return parameters;
}

std::vector<Site> networkSites(const Network& network) {
  const c10::NoGradGuard noGrad;
  const std::unique_ptr<Network> miniature = network.miniature();
  const ParameterSet parameters = miniatureParameters(*miniature);
  const Numerics numerics;
  SiteRecorder recorder;
  forward({numerics, parameters, recorder}, *miniature, toDevice({{0, 1}, 1, 1}, at::kCPU));
  return recorder.sites();
}

Result<at::ScalarType> initialDType(const nlohmann::json& config) {
  const auto name = config.value("dtype", std::string("float32"));
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
  const auto dtype = initialDType(source.config);
  if (!dtype) {
    return tl::unexpected(dtype.error());
  }
  return randomWeights(network, request.seed, *dtype, stop);
}

ModelInfo describe(const ModelSource& source, const Network& network) {
  ModelInfo info;
  info.name = source.name;
  info.family = source.family->info().id;
  info.layers = static_cast<int>(network.facts().layers);
  info.vocabularySize = network.facts().vocabularySize;
  info.maxPositions = network.facts().maxPositions;
  for (const ParameterSpec& spec : network.parameters()) {
    std::uint64_t count = 1;
    for (const std::int64_t size : spec.shape) {
      count *= static_cast<std::uint64_t>(size);
    }
    info.parameters += count;
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
      m_info(std::move(info)) {}

Result<std::unique_ptr<Model>> TorchModel::open(const FamilyRegistry& registry,
                                                std::shared_ptr<Devices> devices,
                                                const ModelRequest& request,
                                                const std::stop_token& stop) {
  auto source = resolveModel(registry, request);
  if (!source) {
    return tl::unexpected(std::move(source.error()));
  }
  auto network = source->family->configure(source->config, source->configOrigin);
  if (!network) {
    return tl::unexpected(std::move(network.error()));
  }
  std::unique_ptr<BackgroundDigest> digest;
  if (!source->weightFiles.empty()) {
    digest = std::make_unique<BackgroundDigest>(source->weightFiles);
  }
  auto weights = obtainWeights(*source, **network, request, stop);
  if (!weights) {
    return tl::unexpected(std::move(weights.error()));
  }
  ModelInfo info = describe(*source, **network);
  if (digest == nullptr) {
    const nlohmann::json identity = {{"config", source->config}, {"seed", request.seed}};
    auto computed = sha256(identity.dump());
    if (!computed) {
      return tl::unexpected(std::move(computed.error()));
    }
    info.weightsDigest = std::move(*computed);
  }
  std::unique_ptr<TorchModel> model(new TorchModel(
      std::move(devices), std::move(*network), std::move(*weights), std::move(info)));
  model->m_digest = std::move(digest);
  return model;
}

const ModelInfo& TorchModel::info() const {
  const std::lock_guard lock(m_infoMutex);
  if (m_digest != nullptr) {
    m_info.weightsDigest = m_digest->get().value_or(std::string());
    m_digest.reset();
  }
  return m_info;
}

const std::vector<Site>& TorchModel::moduleSites() const {
  std::call_once(m_sitesListed, [this] { m_moduleSites = networkSites(*m_network); });
  return m_moduleSites;
}

std::vector<Site> TorchModel::sites(Level level, bool parameterGradients) const {
  std::vector<Site> sites;
  std::copy_if(moduleSites().begin(),
               moduleSites().end(),
               std::back_inserter(sites),
               [level](const Site& site) { return site.level <= level; });
  if (parameterGradients) {
    for (const ParameterSpec& spec : m_network->parameters()) {
      const std::string module = spec.name.substr(0, spec.name.rfind('.'));
      sites.push_back({spec.name, module, spec.layer, Level::Module, Pass::ParameterGradient});
    }
  }
  return sites;
}

Result<> TorchModel::checkRequest(const RunRequest& request) const {
  const TokenBatch& tokens = request.tokens;
  if (request.level == Level::Op) {
    return fail(ErrorCode::Unsupported,
                "capture.level: op is not supported by this engine; use layer or module");
  }
  if (tokens.batch < 1 || tokens.length < 1 ||
      tokens.ids.size() / static_cast<std::size_t>(tokens.batch) !=
          static_cast<std::size_t>(tokens.length) + 1 ||
      tokens.ids.size() % static_cast<std::size_t>(tokens.batch) != 0) {
    return fail(ErrorCode::InvalidArgument,
                "input: " + std::to_string(tokens.ids.size()) + " tokens are not " +
                    std::to_string(tokens.batch) + " x (" + std::to_string(tokens.length) +
                    " + 1)");
  }
  const std::int64_t vocabulary = m_network->facts().vocabularySize;
  const auto outside = std::find_if(tokens.ids.begin(), tokens.ids.end(), [&](std::int64_t id) {
    return id < 0 || id >= vocabulary;
  });
  if (outside != tokens.ids.end()) {
    return fail(ErrorCode::InvalidArgument,
                "input: token " + std::to_string(*outside) + " at position " +
                    std::to_string(outside - tokens.ids.begin()) +
                    " lies outside the vocabulary of " + std::to_string(vocabulary));
  }
  return {};
}

Result<RunOutcome> TorchModel::run(const RunRequest& request,
                                   Observer& observer,
                                   const std::stop_token& stop) {
  if (auto checked = checkRequest(request); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  const auto device = m_devices->resolve(request.device);
  if (!device) {
    return tl::unexpected(device.error());
  }
  const auto numerics = resolveNumerics(request.plan, *device);
  if (!numerics) {
    return tl::unexpected(numerics.error());
  }
  RunProbe probe(observer, stop, sites(request.level, request.parameterGradients));
  return adapted(probe, *device, [&] {
    const c10::AutoGradMode gradients(true);
    at::init_num_threads();  // LibTorch keeps the number for each calling thread
    probe.checkStop();
    Devices::resetPeak(*device);
    const ParameterSet parameters =
        makeParameters(*m_network, m_cast.cast(m_weights, *numerics), [&](const std::string& name) {
          return probe.wants(Pass::ParameterGradient, name);
        });
    const Batch batch = toDevice(request.tokens, *device);
    Devices::synchronize(*device);
    const auto start = std::chrono::steady_clock::now();
    at::Tensor loss = forward({*numerics, parameters, probe}, *m_network, batch);
    loss.backward();
    Devices::synchronize(*device);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    RunOutcome outcome;
    outcome.seconds = (elapsed - probe.observerTime()).count();
    outcome.loss = loss.item<double>();
    loss.reset();
    reportParameterGradients(probe, parameters);
    outcome.peakBytes = Devices::peakBytes(*device);
    return outcome;
  });
}

}  // namespace ulp::engine
