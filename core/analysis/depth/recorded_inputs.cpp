#include "core/analysis/depth/recorded_inputs.h"

#include <algorithm>

namespace ulp::analysis {

RecordedInputs::RecordedInputs(const report::Run& run, const OperationGraph& graph)
    : m_graph(graph) {
  for (const report::Comparison& row : run.comparisons) {
    m_compared.emplace(row.site.name, row.site.pass);
  }
}

bool RecordedInputs::knows(const Site& site) const {
  return m_graph.find(site.pass, site.name) != nullptr;
}

RecordedInputs::Reading RecordedInputs::read(const Site& site, const OperationGraph* other) const {
  Reading found;
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
      found.rows.push_back(key);
      continue;
    }
    const OperationGraph::Row* row = m_graph.find(key.second, key.first);
    if (!isSite && row != nullptr && other != nullptr &&
        other->find(key.second, key.first) == nullptr) {
      found.alone.push_back(key);
      continue;
    }
    isSite = false;
    if (row != nullptr) {
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

std::size_t countLoneOperations(const OperationGraph& one, const OperationGraph& other) {
  if (one.isEmpty() || other.isEmpty()) {
    return 0;
  }
  std::size_t count = 0;
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    const auto countIn = [&](const OperationGraph& here, const OperationGraph& there) {
      return std::ranges::count_if(
          here.of(pass), [&](const auto& row) { return there.find(pass, row.first) == nullptr; });
    };
    count += static_cast<std::size_t>(countIn(one, other) + countIn(other, one));
  }
  return count;
}

}  // namespace ulp::analysis
