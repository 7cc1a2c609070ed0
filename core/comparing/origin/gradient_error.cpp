#include <cmath>

#include "core/comparing/origin/culprit.h"

namespace ulp::analysis {

GradientError gradientErrorOf(const PairedCalls& pairs, const std::vector<MissingRow>& missing) {
  for (const Pass pass : {Pass::ParameterGradient, Pass::Backward}) {
    GradientError result;
    double different = 0;
    double whole = 0;
    for (const std::size_t pair : pairs.order()) {
      for (const std::size_t row : pairs.rows(pair)) {
        const RowDifference& difference = pairs.difference(row);
        if (pairs.entry(pair).pass != pass || difference.basis < Basis::Statistics) {
          continue;
        }
        const auto count = static_cast<double>(statisticsOf(pairs.row(row)).count);
        const double squares = difference.baselineRms * difference.baselineRms * count;
        const double error = errorOf(difference);
        result.isBroken = result.isBroken || difference.isBroken();
        if (std::isfinite(squares) && std::isfinite(error)) {
          different += error * error * squares;
          whole += squares;
        }
      }
    }
    for (const MissingRow& row : missing) {
      const auto& unit = row.isOfBaseline ? *pairs.units().baseline : *pairs.units().candidate;
      const double norm = unit.rows[row.row].statistics.norm.value_or(0);
      if (row.pass == pass && pass == Pass::ParameterGradient && std::isfinite(norm)) {
        different += norm * norm;
        whole += row.isOfBaseline ? norm * norm : 0;
      }
    }
    if (whole > 0 || result.isBroken) {
      result.error = whole > 0 ? std::sqrt(different / whole) : 0;
      return result;
    }
  }
  return {};
}

}  // namespace ulp::analysis
