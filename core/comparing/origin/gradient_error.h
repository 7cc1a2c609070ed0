#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/comparing/origin/execution_order.h"

namespace ulp::analysis {

/// How far the gradients that an optimizer may have taken from units are off; infinite: different,
/// nobody knows how much.
struct GradientError {
  double error = 0;  ///< of all of them together, relative to their norm
  bool isBroken = false;
  /// Of each parameter whose gradient is mostly noise, by the path of its module and its own name:
  /// "model.norm.weight".
  std::map<std::string, double> ofNoise{};

  /// Something may have moved parameters apart.
  [[nodiscard]] bool isAny() const { return error > 0 || isBroken; }
  /// Of the parameter that a row holds; of an argument of a function, the largest of its module.
  /// Nothing: its gradient was not compared, or is no noise.
  [[nodiscard]] std::optional<double> of(const dumps::DumpEntry& entry,
                                         const dumps::DumpRow& row) const;
  /// The larger of both.
  void add(const GradientError& other);
};

/// A gradient that one side alone has, although the other side's program ran the call that it is of
/// and recorded such gradients of other calls.
struct MissingRow {
  bool isOfBaseline = true;      ///< the side that has it
  std::size_t entry = 0;         ///< in the entries of that side
  std::size_t row = 0;           ///< in the rows of that side
  Pass pass = Pass::Backward;    ///< of the entry
  bool isWholeEntry = false;     ///< the other side has nothing of the entry
  std::size_t place = 0;         ///< in PairedCalls::order(): it belongs before that pair
  bool hasOthersOfClass = true;  ///< the other side has the same of another call of the class
};

/// Of the gradients of parameters; where none were recorded, of all gradients. Of `missing` those
/// of parameters are off by all that they are.
[[nodiscard]] GradientError gradientErrorOf(const PairedCalls& pairs,
                                            const std::vector<MissingRow>& missing = {});

}  // namespace ulp::analysis
