#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "core/engine/torch_model/numerics.h"
#include "core/engine/torch_model/probe.h"

namespace ulp::engine {

/// Parameters of one run by their Hugging Face names: leaves of the autograd graph in the compute
/// dtype, on the run's device.
class ParameterSet {
 public:
  void add(std::string name, at::Tensor leaf);
  /// Throws c10::Error: a network asks only for parameters that it declared.
  [[nodiscard]] const at::Tensor& at(const std::string& name) const;
  /// Undefined when there is none, as at::linear() wants it.
  [[nodiscard]] at::Tensor optional(const std::string& name) const;
  /// In the order of the state dict.
  [[nodiscard]] const std::vector<std::pair<std::string, at::Tensor>>& ordered() const {
    return m_ordered;
  }

 private:
  std::vector<std::pair<std::string, at::Tensor>> m_ordered;
  std::unordered_map<std::string, std::size_t> m_index;
};

/// What a network's forward pass works with.
struct ForwardPass {
  const Numerics& numerics;
  const ParameterSet& parameters;
  Probe& probe;
};

}  // namespace ulp::engine
