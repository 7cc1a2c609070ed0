#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/base/text/sentence.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// What of a recorded tensor is no finite number.
struct Finiteness {
  bool isKnown = false;  ///< statistics or elements say; else nothing below does
  bool hasNan = false;
  bool hasPositive = false;   ///< +infinity
  bool hasNegative = false;   ///< -infinity
  std::optional<double> min;  ///< of the finite elements, where they are known
  std::optional<double> max;

  [[nodiscard]] bool isFinite() const { return !hasNan && !hasPositive && !hasNegative; }
  /// -infinity among finite numbers and nothing else: what masks look like.
  [[nodiscard]] bool isLikeMask() const {
    return hasNegative && !hasNan && !hasPositive && max.has_value();
  }
  /// Largest |x| of the finite elements.
  [[nodiscard]] std::optional<double> largest() const;
};

/// Of recorded statistics, as torch makes them: a NaN anywhere makes the maximum NaN.
[[nodiscard]] Finiteness finitenessOf(const dumps::DumpRow& row);

/// Parallel to DumpUnit::rows.
struct UnitFiniteness {
  std::vector<Finiteness> rows;
  std::vector<std::string> problems;  ///< tensors that could not be read: `row: file: what`
};

struct FinitenessOptions {
  bool readsElements = true;  ///< of tensors without statistics
  int threads = 0;            ///< 0: one a core
};

/// Statistics where a row has them; else its elements, read in whatever order and by all threads.
/// Errors: Cancelled, OutOfMemory; what cannot be read is in `problems`.
[[nodiscard]] Result<UnitFiniteness> finitenessOf(const dumps::DumpUnit& unit,
                                                  const FinitenessOptions& options,
                                                  const std::stop_token& stop = {},
                                                  const dumps::Progress& progress = {});

enum class OverflowKind : std::uint8_t {
  Overflow,       ///< infinity of finite numbers
  Nan,            ///< NaN of finite numbers
  NanOfInfinity,  ///< NaN of numbers among which infinities stood for a mask
  Given           ///< nothing recorded has made it: a parameter, an input, an unrecorded call
};
[[nodiscard]] std::string_view toString(OverflowKind kind);

/// A call with finite inputs and outputs that are not.
struct OverflowOrigin {
  OverflowKind kind = OverflowKind::Overflow;
  std::size_t entry = 0;               ///< in DumpUnit::entries
  std::string name;                    ///< of the entry
  std::string rowName;                 ///< of the tensor that is not finite
  Site site;                           ///< of the same
  std::string dtype;                   ///< of the same, as torch names it; empty: not recorded
  double limit = 0;                    ///< its largest finite number; 0: not known
  std::optional<double> largestInput;  ///< largest |x| that the call read, where that is known
  std::vector<std::string> enclosing;  ///< the module calls around it, innermost first
  std::vector<std::string> stack;      ///< frames, innermost first
  Sentence reason;                     ///< as the rest of one that begins with the name
  std::size_t firstCarrier = 0;        ///< in OverflowSearch::carriers
};

/// Where the numbers of a unit stop being finite.
struct OverflowSearch {
  std::vector<OverflowOrigin> origins;  ///< in order of execution; the first one is what to look at
  /// Calls that read what is not finite and put it out again, in order, each once: after a step
  /// that diverged these are most of all calls, and origins many.
  std::vector<std::string> carriers;
  std::size_t knownTensors = 0;   ///< of which it is known whether they are finite
  std::size_t brokenTensors = 0;  ///< of these not finite; masks do not count

  /// Those behind `origin`.
  [[nodiscard]] std::span<const std::string> carriersOf(const OverflowOrigin& origin) const {
    return std::span(carriers).subspan(origin.firstCarrier);
  }
};

/// Follows NaN and infinity through one unit, forward first. -infinity among finite numbers is a
/// mask where a call writes constants or where it read a mask. A module call makes nothing that
/// calls inside it made; a backward call nothing that its forward call had.
[[nodiscard]] OverflowSearch findOverflow(const dumps::DumpUnit& unit,
                                          const UnitFiniteness& finiteness);

}  // namespace ulp::analysis
