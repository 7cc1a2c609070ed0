#include "core/comparing/origin/gradient_error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/row_difference.h"

namespace ulp::analysis {
namespace {

/// The error of such a gradient, at least.
constexpr double kMostlyNoise = 0.25;

/// Of the parameter that a gradient is of.
std::string nameOf(const dumps::DumpEntry& entry, const dumps::DumpRow& row) {
  return fmt::format("{}.{}", entry.module, row.index);
}

double ownErrorOf(const RowDifference& difference) {
  return difference.isBroken() ? std::numeric_limits<double>::infinity() : errorOf(difference);
}

/// Sums over the gradients of a pass.
struct GradientSums {
  double different = 0;
  double whole = 0;
  GradientError result;

  void add(const dumps::DumpRow& row, const RowDifference& difference) {
    const auto count = static_cast<double>(statisticsOf(row).count);
    const double squares = difference.baselineRms * difference.baselineRms * count;
    const double error = errorOf(difference);
    result.isBroken = result.isBroken || difference.isBroken();
    if (std::isfinite(squares) && std::isfinite(error)) {
      different += error * error * squares;
      whole += squares;
    }
  }
  void addOwn(const dumps::DumpEntry& entry, const dumps::DumpRow& row, double error) {
    if (error >= kMostlyNoise) {
      result.ofNoise[nameOf(entry, row)] = error;
    }
  }
  /// Of a parameter, which one side alone has.
  void addMissing(const MissingRow& missing, const dumps::DumpUnit& unit) {
    const dumps::DumpRow& row = unit.rows[missing.row];
    const double norm = row.statistics.norm.value_or(0);
    if (std::isfinite(norm)) {
      different += norm * norm;
      whole += missing.isOfBaseline ? norm * norm : 0;
    }
    addOwn(unit.entries[missing.entry], row, 1);
  }
  /// Checksums alone tell that gradients differ.
  [[nodiscard]] double error() const {
    const bool isUnknown =
        whole == 0 && std::ranges::any_of(result.ofNoise, [](const auto& parameter) {
          return std::isinf(parameter.second);
        });
    return whole > 0   ? std::sqrt(different / whole)
           : isUnknown ? std::numeric_limits<double>::infinity()
                       : 0;
  }
};

}  // namespace

std::optional<double> GradientError::of(const dumps::DumpEntry& entry,
                                        const dumps::DumpRow& row) const {
  if (row.role == dumps::Role::Parameter) {
    const auto own = ofNoise.find(nameOf(entry, row));
    return own == ofNoise.end() ? std::nullopt : std::optional(own->second);
  }
  const std::string prefix = entry.module + ".";
  std::optional<double> largest;
  for (auto each = ofNoise.lower_bound(prefix);
       each != ofNoise.end() && each->first.starts_with(prefix);
       ++each) {
    if (each->first.find('.', prefix.size()) == std::string::npos) {
      largest = std::max(largest.value_or(0), each->second);
    }
  }
  return largest;
}

void GradientError::add(const GradientError& other) {
  error = std::max(error, other.error);
  isBroken = isBroken || other.isBroken;
  for (const auto& [parameter, its] : other.ofNoise) {
    double& own = ofNoise[parameter];
    own = std::max(own, its);
  }
}

GradientError gradientErrorOf(const PairedCalls& pairs, const std::vector<MissingRow>& missing) {
  for (const Pass pass : {Pass::ParameterGradient, Pass::Backward}) {
    GradientSums sums;
    for (const std::size_t pair : pairs.order()) {
      for (const std::size_t row : pairs.rows(pair)) {
        const RowDifference& difference = pairs.difference(row);
        const dumps::DumpEntry& entry = pairs.entry(pair);
        if (entry.pass != pass || difference.basis < Basis::Checksums) {
          continue;
        }
        sums.add(pairs.row(row), difference);
        if (pairs.row(row).role == dumps::Role::ParameterGradient) {
          sums.addOwn(entry, pairs.row(row), ownErrorOf(difference));
        }
      }
    }
    for (const MissingRow& row : missing) {
      if (row.pass == pass && isOfParameters(pass)) {
        const UnitComparison& units = pairs.units();
        sums.addMissing(row, row.isOfBaseline ? *units.baseline : *units.candidate);
      }
    }
    sums.result.error = sums.error();
    if (sums.whole > 0 || sums.result.isAny()) {
      return std::move(sums.result);
    }
  }
  return {};
}

}  // namespace ulp::analysis
