#include "core/engine/torch_model/forward_pass.h"

namespace ulp::engine {

void ParameterSet::add(std::string name, at::Tensor leaf) {
  m_index.emplace(name, m_ordered.size());
  m_ordered.emplace_back(std::move(name), std::move(leaf));
}

const at::Tensor& ParameterSet::at(const std::string& name) const {
  const auto found = m_index.find(name);
  TORCH_CHECK(found != m_index.end(), "the network did not declare the parameter ", name);
  return m_ordered[found->second].second;
}

at::Tensor ParameterSet::optional(const std::string& name) const {
  const auto found = m_index.find(name);
  return found == m_index.end() ? at::Tensor() : m_ordered[found->second].second;
}

}  // namespace ulp::engine
