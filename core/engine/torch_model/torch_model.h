#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/torch_model/devices.h"
#include "core/engine/torch_model/model_source.h"
#include "core/engine/torch_model/network.h"
#include "core/engine/torch_model/weights.h"
#include "core/engine/torch_model/weights_digest.h"

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
  std::vector<Site> sites(Level level, bool parameterGradients) const override;
  Result<RunOutcome> run(const RunRequest& request,
                         Observer& observer,
                         const std::stop_token& stop) override;

 private:
  TorchModel(std::shared_ptr<Devices> devices,
             std::unique_ptr<Network> network,
             StoredWeights weights,
             ModelInfo info);
  [[nodiscard]] Result<> checkRequest(const RunRequest& request) const;
  /// Sites of the forward and backward pass at level Module.
  [[nodiscard]] const std::vector<Site>& moduleSites() const;

  std::shared_ptr<Devices> m_devices;
  std::unique_ptr<Network> m_network;
  StoredWeights m_weights;
  CastWeights m_cast;
  mutable std::once_flag m_sitesListed;
  mutable std::vector<Site> m_moduleSites;
  mutable std::mutex m_infoMutex;
  mutable ModelInfo m_info;
  mutable std::unique_ptr<BackgroundDigest> m_digest;
};

}  // namespace ulp::engine
