#include "core/engine/network/probe.h"

namespace ulp::engine {

OperationRows::OperationRows(Probe& probe, const std::string& module, int layer) {
  if (probe.showsOperations()) {
    m_probe = &probe;
    m_module = module;
    m_layer = layer;
  }
}

void OperationRows::show(std::string_view operation,
                         const at::Tensor& value,
                         Axes axes,
                         Layout layout) const {
  if (m_probe != nullptr) {
    m_probe->operation(row(operation, axes), value, layout);
  }
}

void OperationRows::showConstant(std::string_view operation,
                                 const at::Tensor& value,
                                 Axes axes) const {
  if (m_probe != nullptr) {
    m_probe->output(row(operation, axes), value);
  }
}

Row OperationRows::row(std::string_view operation, Axes axes) const {
  return {m_module + "." + std::string(operation), m_module, m_layer, Level::Op, axes};
}

void SiteRecorder::output(const Row& row, const at::Tensor& /*value*/) {
  m_forward.push_back(row.in(Pass::Forward));
}

void SiteRecorder::totalGradient(const Row& row, const at::Tensor& /*value*/) {
  m_backward.push_back(row.in(Pass::Backward));
}

std::vector<at::Tensor> SiteRecorder::ownGradient(const Row& row,
                                                  const at::Tensor& input,
                                                  int readers) {
  m_backward.push_back(row.in(Pass::Backward));
  return std::vector<at::Tensor>(static_cast<std::size_t>(readers), input);
}

void SiteRecorder::derivedGradient(const Row& row,
                                   const at::Tensor& /*output*/,
                                   std::function<at::Tensor(const at::Tensor&)> /*toInput*/) {
  m_backward.push_back(row.in(Pass::Backward));
}

void SiteRecorder::operation(const Row& row, const at::Tensor& /*value*/, Layout /*layout*/) {
  m_forward.push_back(row.in(Pass::Forward));
  m_backward.push_back(row.in(Pass::Backward));
}

std::vector<Site> SiteRecorder::sites() const {
  std::vector<Site> all = m_forward;
  all.insert(all.end(), m_backward.rbegin(), m_backward.rend());
  return all;
}

}  // namespace ulp::engine
