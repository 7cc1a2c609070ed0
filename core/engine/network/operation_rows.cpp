#include "core/engine/network/operation_rows.h"

namespace ulp::engine {

OperationRows::OperationRows(Probe& probe, const std::string& module, int layer) {
  if (probe.showsOperations()) {
    m_probe = &probe;
    m_module = module;
    m_layer = layer;
  }
}

void OperationRows::show(std::string_view operation, const at::Tensor& value, Layout layout) const {
  if (m_probe != nullptr) {
    m_probe->operation(row(operation), value, layout);
  }
}

void OperationRows::showConstant(std::string_view operation, const at::Tensor& value) const {
  if (m_probe != nullptr) {
    m_probe->output(row(operation), value);
  }
}

Row OperationRows::row(std::string_view operation) const {
  return {m_module + "." + std::string(operation), m_module, m_layer, Level::Op};
}

}  // namespace ulp::engine
