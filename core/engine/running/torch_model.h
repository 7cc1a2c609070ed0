#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/step_loss.h"
#include "core/engine/network/network.h"
#include "core/engine/precision/numerics.h"
#include "core/engine/running/devices.h"
#include "core/engine/running/run_probe.h"
#include "core/engine/running/training_step.h"
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

  /// Waits for the digest of the weights.
  const ModelInfo& info() const override;
  std::vector<Site> sites(const CaptureScope& scope) const override;
  Result<> check(const PrecisionPlan& plan, const std::string& device) const override;
  Result<RunOutcome> run(const RunRequest& request,
                         Observer& observer,
                         const std::stop_token& stop) override;

 private:
  TorchModel(std::shared_ptr<Devices> devices,
             std::unique_ptr<Network> network,
             StoredWeights weights,
             ModelInfo info);
  /// Throws what LibTorch throws, and RunStopped.
  [[nodiscard]] RunOutcome runStep(const StepInput& input,
                                   const Numerics& numerics,
                                   StepLoss& loss,
                                   RunProbe& probe,
                                   const RunRequest& request);
  /// Sites of the forward and backward pass at level Op.
  [[nodiscard]] const std::vector<Site>& allSites() const;
  /// Lists the modules that rules may match.
  [[nodiscard]] std::vector<std::string> modules() const;
  [[nodiscard]] ParameterSet parametersOf(const Numerics& numerics,
                                          RunProbe& probe,
                                          const CaptureScope& scope);
  /// Shows what a step left of each parameter: its gradient, then what the optimizer makes of it.
  void showParameters(RunProbe& probe,
                      ParameterSet& parameters,
                      const Numerics& numerics,
                      const OptimizerPlan& optimizer) const;

  std::shared_ptr<Devices> m_devices;
  std::unique_ptr<Network> m_network;
  LossRegistry m_losses;
  StoredWeights m_weights;
  CastWeights m_cast;
  mutable std::once_flag m_sitesListed;
  mutable std::vector<Site> m_allSites;
  mutable std::mutex m_infoMutex;
  mutable ModelInfo m_info;
  mutable std::unique_ptr<BackgroundDigest> m_digest;
};

}  // namespace ulp::engine
