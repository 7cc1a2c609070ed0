#include "core/analysis/depth/recorded_inputs.h"

namespace ulp::analysis {

RecordedInputs::RecordedInputs(const report::Run& run) : m_graph(run.graph) {
  for (const report::Comparison& row : run.comparisons) {
    m_compared.emplace(row.site.name, row.site.pass);
  }
}

bool RecordedInputs::knows(const Site& site) const {
  return m_graph.find(site.pass, site.name) != nullptr;
}

std::vector<RecordedInputs::Key> RecordedInputs::readBy(const Site& site) const {
  std::vector<Key> found;
  std::set<Key> visited;
  std::vector<Key> waiting{{site.name, site.pass}};
  bool isSite = true;
  while (!waiting.empty()) {
    const Key key = std::move(waiting.back());
    waiting.pop_back();
    if (!visited.insert(key).second) {
      continue;
    }
    if (!isSite && m_compared.contains(key)) {
      found.push_back(key);
      continue;
    }
    isSite = false;
    if (const OperationGraph::Row* row = m_graph.find(key.second, key.first)) {
      for (const std::string& input : row->forward) {
        waiting.emplace_back(input, Pass::Forward);
      }
      for (const std::string& input : row->backward) {
        waiting.emplace_back(input, Pass::Backward);
      }
    }
  }
  return found;
}

}  // namespace ulp::analysis
