#pragma once

#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "core/engine/network/probe.h"

namespace ulp::engine {

/// Announces the operations inside a module as rows `<module>.<operation>` of level Op, where
/// somebody looks at them. Copies may outlive the forward pass, for a backward pass that computes
/// the operations anew, but not the probe.
class OperationRows {
 public:
  OperationRows(Probe& probe, const std::string& module, int layer);
  OperationRows(Probe& probe, const LayerPlace& place)
      : OperationRows(probe, place.path, place.layer) {}

  /// A result with a gradient (Probe::operation).
  void show(std::string_view operation, const at::Tensor& value, Layout layout = nullptr) const;
  /// A tensor that has none, as tables have; not inside operations that the backward pass repeats.
  void showConstant(std::string_view operation, const at::Tensor& value) const;
  /// False: what would be computed only to be shown need not be.
  [[nodiscard]] bool areSeen() const { return m_probe != nullptr; }

 private:
  [[nodiscard]] Row row(std::string_view operation) const;

  Probe* m_probe = nullptr;  ///< null: nobody looks
  std::string m_module;
  int m_layer = -1;
};

}  // namespace ulp::engine
