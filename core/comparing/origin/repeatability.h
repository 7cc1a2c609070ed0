#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/site.h"
#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/origin/gradient_error.h"

namespace ulp::analysis {

/// A kind of operation that may give another result of the same inputs when it runs again.
struct NondeterministicOperation {
  std::string_view title;   ///< "scatter_add", as PyTorch spells it
  std::string_view when;    ///< the condition, as the rest of a sentence that begins with the title
  std::string_view remedy;  ///< what makes it repeatable, or takes its place
};

/// What PyTorch documents as not deterministic (torch.use_deterministic_algorithms, the notes on
/// reproducibility), with what belongs to the same question: libraries that choose algorithms,
/// random numbers, memory that nobody wrote. `operation` is an API or the class of a module:
/// "Tensor.scatter_add_", "MaxPool3d". Null: none that is known.
[[nodiscard]] const NondeterministicOperation* nondeterministic(std::string_view operation,
                                                                Pass pass);

/// The first tensor in the order of execution that does not hold the same in both units, however
/// small the difference.
struct FirstDifference {
  std::size_t entry = 0;  ///< in the baseline's entries
  std::string name;       ///< of the entry
  std::string rowName;
  Site site;
  CulpritKind kind = CulpritKind::Operation;
  double error = 0;             ///< NaN: checksums alone
  std::size_t equalBefore = 0;  ///< tensors before it that are equal
  /// A parameter that an optimizer has made of gradients that differ in a step before, or what a
  /// module made whose parameters were not recorded (Gap).
  bool isMoved = false;
};

/// Calls of an operation that is known to be non-deterministic, at the first difference or before.
struct Suspect {
  std::string name;    ///< of the call nearest to the difference
  std::string title;   ///< "embedding, backward"
  std::string when;    ///< the condition under which it is non-deterministic
  std::string remedy;  ///< "torch.use_deterministic_algorithms(True)"
  std::size_t calls = 0;
  std::size_t distance = 0;  ///< entries from the nearest call to the difference; 0: its own
  /// What every one of the calls put out was recorded, and is equal.
  bool isCleared = false;
};

/// Whether a run that was repeated gave the same.
struct Repeatability {
  std::optional<FirstDifference> first;
  /// The candidate looks like the baseline's program run again: the same calls, formats and shapes,
  /// and something before the difference is equal. Else suspects say nothing.
  bool isRepeat = false;
  /// Nearest first, those that are cleared last. None where the runs were given different numbers
  /// (FirstDifference::kind is Source), or parameters have moved.
  std::vector<Suspect> suspects;
};

/// Bit by bit, unlike findCulprits(): nothing is put down to rounding. `before` is of the gradients
/// of steps before this one.
[[nodiscard]] Repeatability judgeRepeatability(const PairedCalls& pairs,
                                               const GradientError& before = {});

}  // namespace ulp::analysis
