#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/site.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// What the rows of a run were made from, as it was recorded. Of a row that was not compared, those
/// that it was made from stand in.
class RecordedInputs {
 public:
  using Key = std::pair<std::string, Pass>;

  /// `run` must outlive it.
  explicit RecordedInputs(const report::Run& run);

  [[nodiscard]] bool knows(const Site& site) const;
  /// The compared rows that `site` was made from; parameters and tokens are none.
  [[nodiscard]] std::vector<Key> readBy(const Site& site) const;

 private:
  const OperationGraph& m_graph;
  std::set<Key> m_compared;
};

}  // namespace ulp::analysis
