#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/step_loss.h"
#include "core/engine/network/network.h"
#include "core/engine/precision/numerics.h"
#include "core/engine/running/devices.h"
#include "core/engine/running/run_probe.h"
#include "core/engine/running/training_step.h"
#include "core/engine/weights/cast_weights.h"
#include "core/engine/weights/model_source.h"
#include "core/engine/weights/weights.h"
#include "core/engine/weights/weights_digest.h"

namespace ulp::engine {

/// A network with its stored weights.
class TorchModel final : public Model {
 public:
  /// The families and devices behind the arguments must outlive the model.
  [[nodiscard]] static Result<std::unique_ptr<Model>> open(const FamilyRegistry& registry,
                                                           std::shared_ptr<Devices> devices,
                                                           const ModelRequest& request,
                                                           const std::stop_token& stop);

  const ModelInfo& info() const override { return m_info; }
  Result<std::string> weightsDigest() const override;
  std::vector<Site> sites(const CaptureScope& scope) const override;
  Result<> check(const PrecisionPlan& plan, const std::string& device) const override;
  Result<RunOutcome> run(const RunRequest& request,
                         Observer& observer,
                         const std::stop_token& stop) override;
  Result<std::vector<TokenBatch>> generate(const RunRequest& request,
                                           std::int64_t count,
                                           const ChoiceWatch& watch,
                                           const std::stop_token& stop) override;

 private:
  template <class Body>
  using Computed = std::invoke_result_t<const Body&, const StepInput&, const Numerics&, RunProbe&>;

  TorchModel(std::shared_ptr<Devices> devices,
             std::unique_ptr<Network> network,
             StoredWeights weights,
             ModelInfo info);
  /// Runs `body` on the devices of a request that is checked; what it throws becomes an error.
  template <class Body>
  [[nodiscard]] auto compute(const RunRequest& request,
                             Observer& observer,
                             const std::stop_token& stop,
                             const Body& body) -> Computed<Body>;
  /// Throws what LibTorch throws, and RunStopped.
  [[nodiscard]] RunOutcome runStep(const StepInput& input,
                                   const Numerics& numerics,
                                   StepLoss& loss,
                                   RunProbe& probe,
                                   const RunRequest& request);
  /// The micro-batches with what is chosen behind their prompts; calls `chose` behind each
  /// position. Throws what runStep() throws.
  [[nodiscard]] std::vector<TokenBatch> chooseAll(const StepInput& input,
                                                  const Numerics& numerics,
                                                  RunProbe& probe,
                                                  const RunRequest& request,
                                                  const std::function<void()>& chose);
  /// Makes the devices ready for other runs after one that failed. Error: Device, where that
  /// cannot be.
  [[nodiscard]] Result<> recover(const Error& failure, const LayerDevices& devices);
  /// Sites of the forward and backward pass at level Op.
  [[nodiscard]] const std::vector<Site>& allSites() const;
  /// Lists the modules that rules may match.
  [[nodiscard]] std::vector<std::string> modules() const;
  /// Frees what earlier runs cast and this one does not use, so that its peak is its own.
  void dropOtherCasts(const Numerics& numerics);
  [[nodiscard]] ParameterSet parametersOf(const Numerics& numerics,
                                          RunProbe& probe,
                                          const CaptureScope& scope);
  /// Shows what a step left of each parameter: its gradient, then what the optimizer makes of it.
  void showParameters(RunProbe& probe,
                      ParameterSet& parameters,
                      const Numerics& numerics,
                      const OptimizerPlan& optimizer);

  std::shared_ptr<Devices> m_devices;
  std::unique_ptr<Network> m_network;
  LossRegistry m_losses;
  StoredWeights m_weights;
  CastWeights m_cast;
  mutable std::once_flag m_sitesListed;
  mutable std::vector<Site> m_allSites;
  ModelInfo m_info;
  std::string m_randomDigest;                        ///< of random weights
  std::unique_ptr<const BackgroundDigest> m_digest;  ///< of weight files; null: there are none
};

}  // namespace ulp::engine
