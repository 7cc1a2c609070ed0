#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/torch_model/model_source.h"
#include "core/engine/torch_model/network.h"
#include "core/engine/torch_model/numerics.h"

namespace ulp::engine {

/// The parameters of a model as they are stored: one tensor per ParameterSpec, in its order.
using StoredWeights = std::vector<at::Tensor>;

/// Checks names, shapes and dtypes against the network, then maps or decodes every tensor. Errors:
/// CorruptData (missing, unexpected or wrong-shaped tensor, with file and name), Cancelled.
[[nodiscard]] Result<StoredWeights> loadWeights(const ModelSource& source,
                                                const Network& network,
                                                const std::stop_token& stop);

/// What `AutoModelForCausalLM.from_config` makes after `torch.manual_seed(seed)`, bit for bit:
/// every constructor of the network draws first and the results are dropped, then the base model
/// and at last the head are initialised, all from one generator and in `dtype`.
[[nodiscard]] Result<StoredWeights> randomWeights(const Network& network,
                                                  std::uint64_t seed,
                                                  at::ScalarType dtype,
                                                  const std::stop_token& stop);

/// The weights as the runs of one study need them one after the other. Successive runs often share
/// a format, so that the last cast stays.
class CastWeights {
 public:
  /// On the device and in the compute dtype of `numerics`; shares the stored elements where no cast
  /// is needed. What an earlier call made for another device or dtype is dropped first.
  [[nodiscard]] const StoredWeights& cast(const StoredWeights& stored, const Numerics& numerics);

 private:
  at::Device m_device = at::kCPU;
  at::ScalarType m_dtype = at::kFloat;
  StoredWeights m_weights;  ///< empty until the first call
};

using GradientFilter = std::function<bool(const std::string&)>;

/// Leaves of the autograd graph for one run, which share the elements of `weights`. Only those get
/// a gradient whose name `wantsGradient` accepts.
[[nodiscard]] ParameterSet makeParameters(const Network& network,
                                          const StoredWeights& weights,
                                          const GradientFilter& wantsGradient);

}  // namespace ulp::engine
