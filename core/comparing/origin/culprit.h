#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text/sentence.h"
#include "core/comparing/measure/unit_comparison.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/origin/gradient_error.h"

namespace ulp::analysis {

/// When an error counts as made at an entry rather than carried to it. Unit: the round-off of the
/// coarser of the two formats, or a factor.
struct CulpritLimits {
  /// A parameter, or another tensor that nothing recorded has made, may differ by this many
  /// round-offs: it was rounded once.
  double sourceRoundOffs = 2;
  /// An operation may add this many round-offs in float32 and finer, and a parameter be this far
  /// off after the first step: the one before it carries gradients of other roundings …
  double madeRoundOffs = 64;
  /// … and this many in coarser formats, in which it rounds its inputs and its result.
  double madeRoundOffsCoarse = 12;
  /// What comes in may grow by this factor in a call …
  double growth = 16;
  /// … and by this one in its backward pass, where differences of near numbers are common.
  double growthBackward = 32;
  /// A parameter may be off by this many times the square root of the error of its own gradient in
  /// a step before where that is mostly noise: an optimizer that divides a gradient by its size
  /// (Adam, Lion) turns elements that are smaller than their error around.
  double growthOptimizer = 8;
};

enum class CulpritKind : std::uint8_t {
  Source,     ///< a tensor differs that nothing recorded has made: a parameter, an input, a buffer
  Operation,  ///< what went in agrees, what came out does not
  Gap,        ///< what went in differs, and all that was recorded before agrees: made in between
  Received,   ///< another rank sent it: Culprit::remote says which, and where it starts there
  Missing,    ///< one side has no such gradient of a call that both ran
  Unequal     ///< the ranks of one side had it alike, and have not when it is used
};
[[nodiscard]] std::string_view toString(CulpritKind kind);

enum class Sureness : std::uint8_t { Low, Medium, High };
[[nodiscard]] std::string_view toString(Sureness sureness);
/// The same for people.
[[nodiscard]] Sentence wordOf(Sureness sureness);

/// Where an error starts that came from another rank.
struct RemoteOrigin {
  std::size_t unit = 0;   ///< in DumpComparison::units
  std::string unitLabel;  ///< "step 0, rank 1"
  std::string rowName;    ///< what that rank put into the communication, and differs
  double error = 0;       ///< of that tensor; infinite: checksums alone
  std::string origin{};   ///< the call where the error starts there; empty: no single call made it
  std::string rowOfOrigin{};
  Sentence reason{};  ///< of that call
};

/// Where two runs part.
struct Culprit {
  CulpritKind kind = CulpritKind::Operation;
  Sureness sureness = Sureness::Low;
  /// In the baseline's entries; Missing from the baseline: the call before it.
  std::size_t entry = 0;
  std::string name;  ///< of the entry
  std::size_t row =
      0;      ///< of the tensor that shows it, in UnitMatching::rows; kNone: Missing, Unequal
  Site site;  ///< of the same, as the report calls it
  std::string rowName;  ///< of the same, as the tool calls it
  /// The module calls around it, innermost first.
  std::vector<std::string> enclosing;
  std::vector<std::string> stack;  ///< frames of the candidate, else of the baseline
  /// Of that tensor; NaN: checksums alone, the baseline holds zeros, or one side has none.
  double error = 0;
  double carried = 0;     ///< the largest error that came in; infinite: not known
  double allowed = 0;     ///< what carried errors and rounding account for
  bool isBroken = false;  ///< NaN and infinity are not where and what the baseline's are
  Sentence reason;        ///< as the rest of one that begins with the name
  Sentence sureBecause;   ///< why so sure, or why not
  /// Calls that one side alone has inside the same module call, of Missing all other gradients that
  /// are, in English; empty: none.
  std::string structure;
  std::optional<RemoteOrigin> remote{};
};

/// What walking through the entries came to.
struct Verdict {
  std::vector<Culprit>
      culprits;  ///< in order of execution, broken ones first; the first is the origin
  std::size_t comparedRows = 0;  ///< that the walk could judge
  std::size_t equalRows = 0;
  double largestError = 0;  ///< of what was judged; NaN rows left out
  bool hasMoved = false;    ///< parameters differ by what gradients of steps before account for
};

/// The error that rounding accounts for in one operation.
[[nodiscard]] double roundingOf(double roundOff, const CulpritLimits& limits);
/// Follows the error through a unit in the order of execution and names the entries that made it:
/// those that put out a larger error than what they read and the rounding of their format account
/// for. What an input was made by is told by equal checksums or statistics in the baseline. A
/// number that stopped being finite counts before any error. Dumps of formats of different width
/// are judged by the coarser one, so that a healthy bfloat16 run has no culprit. A verdict of
/// checksums alone knows equal and different. `before` is of steps before this one: what the
/// optimizer made of their gradients a parameter carries, be it recorded or hidden in a module: of
/// gradients that stopped being finite anything. Whole numbers of another shape that nothing has
/// made are other data, and the culprit. Of an expert that gets a few tokens more or less the error
/// is that of as many tokens. The first of `missing` (missingRows()) is a culprit as well; what is
/// read behind it and nothing recorded has made is then no news.
[[nodiscard]] Verdict findCulprits(const PairedCalls& pairs,
                                   const CulpritLimits& limits = {},
                                   const GradientError& before = {},
                                   const std::vector<MissingRow>& missing = {});

}  // namespace ulp::analysis
