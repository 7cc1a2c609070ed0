#include "core/engine/network/probe.h"

namespace ulp::engine {

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
  std::vector<at::Tensor> same(static_cast<std::size_t>(readers), input);
  return same;
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
