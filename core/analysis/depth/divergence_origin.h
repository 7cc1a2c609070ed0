#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/depth/recorded_inputs.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// Why a tensor may differ more than what was compared of its inputs.
struct DivergenceOrigin {
  /// Operations of the run alone that the tensor was made from: they were compared with nothing.
  std::vector<std::string> operations{};
  std::vector<std::string> baselineOperations{};  ///< those of the baseline alone
  /// The router of the tensor's block, where other experts were chosen for some tokens and these
  /// are further off than the others; null: none, or that is not known.
  const report::RouterChoice* router = nullptr;

  [[nodiscard]] bool hasOtherOperations() const {
    return !operations.empty() || !baselineOperations.empty();
  }
};

/// Finds the origins of one run's tensors.
class DivergenceOrigins {
 public:
  /// `report` holds `run`, and must outlive it and what it finds.
  DivergenceOrigins(const report::Report& report, const report::Run& run);

  /// `row`: of the run.
  [[nodiscard]] DivergenceOrigin of(const report::Comparison& row) const;

 private:
  const report::Run& m_run;
  const OperationGraph* m_baseline = nullptr;  ///< null: one of the two runs recorded none
  std::optional<RecordedInputs> m_inputs;
  std::optional<RecordedInputs> m_baselineInputs;
};

/// The same of one tensor.
[[nodiscard]] DivergenceOrigin originOf(const report::Report& report,
                                        const report::Run& run,
                                        const report::Comparison& row);

}  // namespace ulp::analysis
