#pragma once

#include <optional>
#include <string>

#include "core/numerics/rounding/number_format.h"

/// Part of engine.h.
namespace ulp::engine {

/// Levers of the Python engine alone (python_engine.h).
struct PythonPlan {
  std::optional<numerics::NumberFormat> autocast{};  ///< torch.autocast of forward pass and loss
  std::string prepare{};  ///< "FILE.py:FUNCTION", called with the module before the run
  /// What transformers calls it; "default": what the model takes; empty: PrecisionPlan::attention.
  std::string attention{};
  std::string compile{};         ///< "layers", "model"; empty: nothing is compiled
  std::string compileMode{};     ///< of torch.compile
  std::string compileBackend{};  ///< of torch.compile
  std::string quantization{};    ///< JSON, quantization_config of transformers; empty: none
  std::string device{};          ///< of torch; empty: that of the request
  std::string deviceMap{};       ///< of transformers; empty: none
  std::string cache{};           ///< JSON, arguments of a cache of transformers; empty: its own
  int ranks = 1;                 ///< processes among which the model is divided
  std::string launcher{};        ///< "torchrun", "srun", or a command that starts them
  std::string parallel{};        ///< "tensor", "fsdp": how the model is divided
  std::string reduce{};          ///< order in which ranks' sums are added; "default": the backend's
};

}  // namespace ulp::engine
