#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/files/mapped_file.h"
#include "core/base/result.h"
#include "core/engine/network/network.h"
#include "core/engine/weights/model_source.h"

namespace ulp::engine {

/// The parameters of a model as they are stored.
struct StoredWeights {
  std::vector<at::Tensor> tensors;                      ///< one per ParameterSpec, in its order
  std::set<std::shared_ptr<const MappedFile>> files{};  ///< that elements are mapped from

  /// Checks whether what was computed with them so far may be believed. Error: CorruptData (a file
  /// became shorter or was changed).
  [[nodiscard]] Result<> checkIntact() const;
};

/// Checks names, shapes and dtypes against the network, then maps or decodes every tensor. Errors:
/// CorruptData (missing, unexpected or wrong-shaped tensor, with file and name), Cancelled.
[[nodiscard]] Result<StoredWeights> loadWeights(const ModelSource& source,
                                                const Network& network,
                                                const std::stop_token& stop);

/// Draws the weights that `AutoModelForCausalLM.from_config` makes after `torch.manual_seed(seed)`,
/// bit for bit: every constructor of the network draws first and the results are dropped, then the
/// base model and at last the head are initialised, all from one generator and in `dtype`.
[[nodiscard]] Result<StoredWeights> randomWeights(const Network& network,
                                                  std::uint64_t seed,
                                                  at::ScalarType dtype,
                                                  const std::stop_token& stop);

}  // namespace ulp::engine
