#pragma once

#include <cstddef>
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
  explicit RecordedInputs(const report::Run& run) : RecordedInputs(run, run.graph) {}
  /// With the graph of a run that was compared with `run`, and whose rows are asked for.
  RecordedInputs(const report::Run& run, const OperationGraph& graph);

  [[nodiscard]] bool knows(const Site& site) const;
  /// The compared rows that `site` was made from; parameters and tokens are none.
  [[nodiscard]] std::vector<Key> readBy(const Site& site) const { return read(site, nullptr).rows; }

  /// What was made from rows of which some have no counterpart.
  struct Reading {
    std::vector<Key> rows;  ///< compared; none that only an operation of `alone` read
    std::vector<Key> alone;
  };
  /// What `site` was made from beside a run with the graph `other`, which may not have all
  /// operations.
  [[nodiscard]] Reading readBeside(const Site& site, const OperationGraph& other) const {
    return read(site, &other);
  }

 private:
  [[nodiscard]] Reading read(const Site& site, const OperationGraph* other) const;

  const OperationGraph& m_graph;
  std::set<Key> m_compared;
};

/// Counts the operations, and their gradients, that one of two runs alone made. 0 where one of them
/// recorded none.
[[nodiscard]] std::size_t countLoneOperations(const OperationGraph& one,
                                              const OperationGraph& other);

}  // namespace ulp::analysis
