#include "core/comparing/origin/overflow_origin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/tensors/tensor_statistics.h"
#include "core/base/text/format_number.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/row_statistics.h"
#include "core/comparing/measure/row_threads.h"
#include "core/comparing/origin/execution_order.h"
#include "core/dumps/model/dump.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpUnit;

Result<Finiteness> ofElements(const tensors::Tensor& tensor) {
  const TensorStatistics counted = ULP_TRY(statisticsOf(tensor));
  Finiteness result{.isKnown = true,
                    .hasNan = counted.nonFinite.nan > 0,
                    .hasPositive = counted.nonFinite.positiveInfinity > 0,
                    .hasNegative = counted.nonFinite.negativeInfinity > 0};
  if (!std::isnan(counted.minimum)) {
    result.min = counted.minimum;
    result.max = counted.maximum;
  }
  tensors::giveBack(tensor, 0, tensor.view.count());
  return result;
}

/// Calls that write numbers which nobody computed: masks are made by them.
bool writesConstants(const DumpEntry& entry) {
  return isWordOf(
      plainOperation(entry.operation),
      "where maskedfill maskedscatter full fulllike newfull fill filldiagonal triu tril "
      "setitem copy expand tensor");
}

/// What an operation cannot take, and what it makes of it.
struct Domain {
  std::string_view operation;  ///< plain
  std::string_view argument;   ///< index; empty: any
  double least = 0;            ///< below this …
  bool isPoint = false;        ///< … or only: a range that holds it
  const char* what;            ///< English
  const char* orNear;  ///< the same of a range that holds the point, but perhaps not as an element
};
constexpr const char* kRoot = ULP_TR_NOOP("the root of a negative number");
constexpr const char* kLogarithm = ULP_TR_NOOP("the logarithm of a negative number");
constexpr const char* kDivision = ULP_TR_NOOP("a division by 0");
constexpr const char* kNearDivision = ULP_TR_NOOP("a division by 0 or by a number near it");
constexpr std::array<Domain, 9> kDomains{{
    {"sqrt", "", 0, false, kRoot, kRoot},
    {"rsqrt", "", 0, false, kRoot, kRoot},
    {"log", "", 0, false, kLogarithm, kLogarithm},
    {"log1p", "", -1, false, kLogarithm, kLogarithm},
    {"reciprocal", "", 0, true, kDivision, kNearDivision},
    {"div", "1", 0, true, kDivision, kNearDivision},
    {"truediv", "1", 0, true, kDivision, kNearDivision},
    {"rtruediv", "0", 0, true, kDivision, kNearDivision},
    {"truedivide", "1", 0, true, kDivision, kNearDivision},
}};
/// These end in infinity rather than NaN at the end of their domain.
constexpr std::string_view kPoles = "rsqrt log";

bool isOutside(const Domain& domain, const Finiteness& input) {
  return domain.isPoint ? *input.min <= domain.least && *input.max >= domain.least
                        : *input.min < domain.least;
}

/// Why `row` is not finite, as far as the operation and what is recorded of its inputs tell, as the
/// rest of a sentence that begins with the name of its entry. `finiteness` is parallel to
/// `unit.rows`.
class OverflowReason {
 public:
  OverflowReason(const DumpUnit& unit,
                 const std::vector<Finiteness>& finiteness,
                 const OverflowOrigin& origin,
                 std::size_t row)
      : m_unit(unit),
        m_finiteness(finiteness),
        m_origin(origin),
        m_entry(unit.entries[origin.entry]),
        m_row(row),
        m_plain(plainOperation(m_entry.operation)) {}

  [[nodiscard]] Sentence text() const {
    switch (m_origin.kind) {
      case OverflowKind::Given:
        return given();
      case OverflowKind::Nan:
        return {ULP_TR_NOOP("puts out NaN, and what it read is finite: %1"), {causeOfNan()}};
      case OverflowKind::NanOfInfinity:
        return {m_plain == "softmax" || m_plain.find("attention") != std::string::npos
                    ? ULP_TR_NOOP("puts out NaN; among what it read, infinities stand for a mask: "
                                  "a row that is masked as a whole has no sum to divide by")
                    : ULP_TR_NOOP("puts out NaN; among what it read, infinities stand for a mask: "
                                  "a difference of infinities, or 0 times infinity"),
                {}};
      case OverflowKind::Overflow:
        break;
    }
    return overflow();
  }

 private:
  [[nodiscard]] Sentence given() const {
    const bool isNan = m_finiteness[m_row].hasNan;
    const dumps::DumpRow& row = m_unit.rows[m_row];
    const char* pattern =
        isNan ? ULP_TR_NOOP(
                    "its input %1 holds NaN, and everything that was recorded before is "
                    "finite")
              : ULP_TR_NOOP(
                    "its input %1 holds infinity, and everything that was recorded before "
                    "is finite");
    if (isParameter(m_entry, row)) {
      pattern = isNan ? ULP_TR_NOOP("its parameter %1 holds NaN, and nothing recorded has made it")
                      : ULP_TR_NOOP(
                            "its parameter %1 holds infinity, and nothing recorded has "
                            "made it");
    } else if (row.role == dumps::Role::OutputGradient) {
      pattern = isNan ? ULP_TR_NOOP(
                            "its incoming gradient %1 holds NaN, and everything that was "
                            "recorded before is finite")
                      : ULP_TR_NOOP(
                            "its incoming gradient %1 holds infinity, and everything that "
                            "was recorded before is finite");
    }
    return {pattern, {row.name}};
  }

  /// An input outside of what the operation can take; empty: none that is known.
  [[nodiscard]] Sentence domainError(bool isInfinite) const {
    for (const Domain& domain : kDomains) {
      for (const std::size_t row : m_entry.rows()) {
        Sentence error = isMeant(domain, row) ? domainErrorOf(domain, row, isInfinite) : Sentence();
        if (!error.isEmpty()) {
          return error;
        }
      }
    }
    return {};
  }

  [[nodiscard]] bool isMeant(const Domain& domain, std::size_t row) const {
    return domain.operation == m_plain && dumps::isRead(m_unit.rows[row].role) &&
           m_finiteness[row].min && m_finiteness[row].max &&
           (domain.argument.empty() || m_unit.rows[row].index == domain.argument);
  }

  [[nodiscard]] Sentence domainErrorOf(const Domain& domain,
                                       std::size_t row,
                                       bool isInfinite) const {
    const Finiteness& input = m_finiteness[row];
    const auto holding = [&](const char* pattern, Sentence what) {
      return Sentence{pattern,
                      {std::move(what),
                       m_unit.rows[row].name,
                       formatSignificant(*input.min),
                       formatSignificant(*input.max)}};
    };
    const bool isPole = isInfinite && *input.min <= domain.least && *input.max >= domain.least &&
                        isWordOf(m_plain, kPoles);
    if (isPole) {
      return holding(ULP_TR_NOOP("%1 of 0; %2 holds %3 to %4"), m_plain);
    }
    // Extremes on both sides of 0 do not say that 0 is among them; NaN of finite numbers does.
    const bool isNear =
        isInfinite && domain.isPoint && *input.min<domain.least&& * input.max> domain.least;
    return isOutside(domain, input) ? holding(ULP_TR_NOOP("%1; %2 holds %3 to %4"),
                                              {isNear ? domain.orNear : domain.what, {}})
                                    : Sentence();
  }

  [[nodiscard]] Sentence causeOfNan() const {
    if (Sentence cause = domainError(false); !cause.isEmpty()) {
      return cause;
    }
    return {ULP_TR_NOOP("an infinity on the way (Inf − Inf, 0 · Inf), 0 / 0, or memory that nobody "
                        "wrote"),
            {}};
  }

  [[nodiscard]] Sentence overflow() const {
    if (Sentence cause = domainError(true); !cause.isEmpty()) {
      return {ULP_TR_NOOP("puts out infinity, and what it read is finite: %1"), {cause}};
    }
    const Sentence beyond =
        m_origin.limit > 0
            ? Sentence{ULP_TR_NOOP("puts out infinity, and what it read is finite: a result beyond "
                                   "%1, the largest %2"),
                       {formatSignificant(m_origin.limit, 5), m_origin.dtype}}
            : Sentence{ULP_TR_NOOP("puts out infinity, and what it read is finite: a result beyond "
                                   "the largest number of its format"),
                       {}};
    if (!m_origin.largestInput) {
      return beyond;
    }
    return {ULP_TR_NOOP("%1; the largest number that it read is %2"),
            {beyond, formatSignificant(*m_origin.largestInput)}};
  }

  const DumpUnit& m_unit;
  const std::vector<Finiteness>& m_finiteness;
  const OverflowOrigin& m_origin;
  const DumpEntry& m_entry;
  std::size_t m_row;
  std::string m_plain;
};

class OverflowWalk {
 public:
  OverflowWalk(const DumpUnit& unit, const UnitFiniteness& finiteness)
      : m_unit(unit),
        m_finiteness(finiteness.rows),
        m_order(executionOrder(unit)),
        m_isBrokenInside(unit.entries.size()),
        m_isOriginInside(unit.entries.size()) {}

  [[nodiscard]] OverflowSearch run() && {
    // Who is broken must be known of calls that a module's entry stands before.
    for (const std::size_t entry : m_order) {
      if (broken(entry, false)) {
        markOuter(entry, m_isBrokenInside);
      }
    }
    for (const std::size_t entry : m_order) {
      visit(entry);
    }
    countTensors();
    return std::move(m_result);
  }

 private:
  [[nodiscard]] auto rowsIn(std::size_t entry) const { return m_unit.entries[entry].rows(); }
  [[nodiscard]] bool isRead(std::size_t row) const { return dumps::isRead(m_unit.rows[row].role); }

  template <class Fits>
  [[nodiscard]] std::optional<std::size_t> findRow(std::size_t entry, const Fits& fits) const {
    const auto rows = rowsIn(entry);
    const auto found = std::ranges::find_if(rows, fits);
    return found == rows.end() ? std::nullopt : std::optional(*found);
  }
  template <class Fits>
  [[nodiscard]] bool anyRow(std::size_t entry, const Fits& fits) const {
    return findRow(entry, fits).has_value();
  }

  /// Infinities that are meant.
  [[nodiscard]] bool isMaskOf(std::size_t entry, std::size_t row) const {
    if (!m_finiteness[row].isLikeMask()) {
      return false;
    }
    if (isRead(row)) {
      return !m_hasNegativeOrigin;
    }
    return writesConstants(m_unit.entries[entry]) || anyRow(entry, [&](std::size_t read) {
             return isRead(read) && (m_finiteness[read].hasNegative || isMasked(m_unit.rows[read]));
           });
  }
  [[nodiscard]] bool isBroken(std::size_t entry, std::size_t row) const {
    return !m_finiteness[row].isFinite() && !isMaskOf(entry, row);
  }
  /// The first row that is not finite, of what a call read or of what it made.
  [[nodiscard]] std::optional<std::size_t> broken(std::size_t entry, bool isSoughtRead) const {
    return findRow(entry, [&](std::size_t row) {
      return isRead(row) == isSoughtRead && isBroken(entry, row);
    });
  }

  void markOuter(std::size_t entry, std::vector<bool>& marks) const {
    dumps::anyEnclosing(m_unit, entry, [&](std::size_t call) {
      marks[call] = true;
      return false;
    });
  }

  void visit(std::size_t entry) {
    const auto read = broken(entry, true);
    const auto made = broken(entry, false);
    if (read && isGiven(entry, *read)) {
      add(entry, *read, OverflowKind::Given);
    } else if (made && !read && isMaker(entry)) {
      add(entry, *made, kindOf(entry, *made));
    } else if (made) {
      m_result.carriers.push_back(m_unit.entries[entry].name);
    }
    m_isAnyBroken = m_isAnyBroken || made || read;
    if (m_unit.entries[entry].pass == Pass::Forward && (made || read)) {
      m_brokenCalls.insert(callKey(m_unit.entries[entry]));
    }
  }

  /// Nothing recorded before has made what the call read.
  [[nodiscard]] bool isGiven(std::size_t entry, std::size_t read) const {
    if (m_isOriginInside[entry] || isInsideOrigin(entry)) {
      return false;
    }
    return isParameter(m_unit.entries[entry], m_unit.rows[read]) ? !isKnownParameter(entry, read)
                                                                 : !m_isAnyBroken;
  }

  /// A module's parameter is an argument of the calls inside it, which may stand behind it.
  [[nodiscard]] bool isInsideOrigin(std::size_t entry) const {
    return dumps::anyEnclosing(
        m_unit, entry, [this](std::size_t call) { return m_isOrigin.contains(call); });
  }

  /// The same module is often called again.
  [[nodiscard]] bool isKnownParameter(std::size_t entry, std::size_t read) const {
    return m_parameters.contains(parameterKey(entry, read));
  }

  [[nodiscard]] std::string parameterKey(std::size_t entry, std::size_t row) const {
    return m_unit.entries[entry].module + "|" + m_unit.rows[row].index;
  }

  [[nodiscard]] bool isMaker(std::size_t entry) const {
    const bool hasReads =
        anyRow(entry, [&](std::size_t row) { return isRead(row) && m_finiteness[row].isKnown; });
    // Where inputs were not recorded, what is broken already may have come in.
    if (m_isBrokenInside[entry] || (!hasReads && m_isAnyBroken)) {
      return false;
    }
    return m_unit.entries[entry].pass == Pass::Forward ||
           !m_brokenCalls.contains(callKey(m_unit.entries[entry]));
  }

  [[nodiscard]] OverflowKind kindOf(std::size_t entry, std::size_t made) const {
    if (!m_finiteness[made].hasNan) {
      return OverflowKind::Overflow;
    }
    const bool hasInfinity = anyRow(
        entry, [&](std::size_t row) { return isRead(row) && !m_finiteness[row].isFinite(); });
    return hasInfinity ? OverflowKind::NanOfInfinity : OverflowKind::Nan;
  }

  void add(std::size_t entry, std::size_t row, OverflowKind kind) {
    const DumpEntry& its = m_unit.entries[entry];
    OverflowOrigin origin{.kind = kind,
                          .entry = entry,
                          .name = its.name,
                          .rowName = m_unit.rows[row].name,
                          .site = siteOf(m_unit, entry, row),
                          .firstCarrier = m_result.carriers.size()};
    if (const auto dtype = elementTypeOf(m_unit.rows[row])) {
      origin.dtype = toString(*dtype);
      const FormatLimits* limits = formatLimits(origin.dtype);
      origin.limit = limits == nullptr ? 0 : limits->largest;
    }
    origin.largestInput = largestInput(entry);
    origin.enclosing = dumps::enclosingCalls(m_unit, entry);
    if (its.stack != dumps::kNone) {
      origin.stack = m_unit.stacks[its.stack];
    }
    origin.reason = OverflowReason(m_unit, m_finiteness, origin, row).text();
    m_result.origins.push_back(std::move(origin));
    m_isOrigin.insert(entry);
    markOuter(entry, m_isOriginInside);
    m_hasNegativeOrigin = m_hasNegativeOrigin || m_finiteness[row].hasNegative;
    if (kind == OverflowKind::Given) {
      m_parameters.insert(parameterKey(entry, row));
    }
  }

  [[nodiscard]] std::optional<double> largestInput(std::size_t entry) const {
    std::optional<double> largest;
    for (const std::size_t row : rowsIn(entry)) {
      const auto own = m_finiteness[row].largest();
      if (isRead(row) && own) {
        largest = std::max(largest.value_or(0), *own);
      }
    }
    return largest;
  }

  void countTensors() {
    for (const std::size_t entry : m_order) {
      for (const std::size_t row : rowsIn(entry)) {
        m_result.knownTensors += m_finiteness[row].isKnown ? 1 : 0;
        m_result.brokenTensors += isBroken(entry, row) ? 1 : 0;
      }
    }
  }

  const DumpUnit& m_unit;
  const std::vector<Finiteness>& m_finiteness;
  std::vector<std::size_t> m_order;  ///< entries as they ran
  std::vector<bool> m_isBrokenInside;
  std::vector<bool> m_isOriginInside;
  std::unordered_set<std::size_t> m_isOrigin;
  std::unordered_set<std::string> m_brokenCalls;  ///< forward
  std::unordered_set<std::string> m_parameters;   ///< that were given broken
  bool m_isAnyBroken = false;
  bool m_hasNegativeOrigin = false;
  OverflowSearch m_result;
};

}  // namespace

std::optional<double> Finiteness::largest() const {
  return min && max ? std::optional(std::max(std::abs(*min), std::abs(*max))) : std::nullopt;
}

Finiteness finitenessOf(const dumps::DumpRow& row) {
  const dumps::Statistics& numbers = row.statistics;
  Finiteness result{.isKnown = numbers.max && numbers.min};
  if (!result.isKnown) {
    return result;
  }
  const numerics::NonFiniteCounts proven = recordedStatisticsOf(row).nonFinite;
  result.hasNan = proven.nan > 0;
  result.hasPositive = proven.positiveInfinity > 0;
  result.hasNegative = proven.negativeInfinity > 0;
  if (std::isfinite(*numbers.max)) {
    result.max = *numbers.max;
  }
  if (std::isfinite(*numbers.min)) {
    result.min = *numbers.min;
  }
  return result;
}

Result<UnitFiniteness> finitenessOf(const dumps::DumpUnit& unit,
                                    const FinitenessOptions& options,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  UnitFiniteness result;
  std::vector<std::size_t> unknown;
  result.rows.reserve(unit.rows.size());
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    result.rows.push_back(finitenessOf(unit.rows[row]));
    if (!result.rows.back().isKnown && unit.rows[row].hasElements && options.readsElements) {
      unknown.push_back(row);
    }
  }
  result.problems =
      ULP_TRY(lookAtTensors({.unit = unit,
                             .rows = unknown,
                             .threads = options.threads,
                             .stop = stop,
                             .stopped = "stopped while looking for what is not finite",
                             .progress = progress},
                            result.rows,
                            ofElements));
  return result;
}

std::string_view toString(OverflowKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"overflow", "nan", "nan_of_infinity", "given"};
  return kNames.at(static_cast<std::size_t>(kind));
}

OverflowSearch findOverflow(const DumpUnit& unit, const UnitFiniteness& finiteness) {
  return OverflowWalk(unit, finiteness).run();
}

}  // namespace ulp::analysis
