#include "core/comparing/origin/overflow_origin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>
#include <utility>

#include "core/analysis/findings/rule_input.h"
#include "core/comparing/match/dump_site.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/origin/overflow_reason.h"
#include "core/dumps/model/enclosing_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpUnit;

/// Calls that write numbers which nobody computed: masks are made by them.
bool writesConstants(const DumpEntry& entry) {
  constexpr std::array<std::string_view, 14> kWriters{"where",
                                                      "maskedfill",
                                                      "maskedscatter",
                                                      "full",
                                                      "fulllike",
                                                      "newfull",
                                                      "fill",
                                                      "filldiagonal",
                                                      "triu",
                                                      "tril",
                                                      "setitem",
                                                      "copy",
                                                      "expand",
                                                      "tensor"};
  const std::string plain = plainOperation(entry.operation);
  return std::find(kWriters.begin(), kWriters.end(), plain) != kWriters.end();
}

class Search {
 public:
  Search(const DumpUnit& unit, const UnitFiniteness& finiteness)
      : m_unit(unit),
        m_finiteness(finiteness.rows),
        m_order(executionOrder(unit)),
        m_isBrokenInside(unit.entries.size()),
        m_isOriginInside(unit.entries.size()) {}

  [[nodiscard]] OverflowSearch run() && {
    // Who is broken must be known of calls that a module's entry stands before.
    for (const std::size_t entry : m_order) {
      if (brokenMade(entry)) {
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
  [[nodiscard]] std::pair<std::size_t, std::size_t> rowsOf(std::size_t entry) const {
    const DumpEntry& its = m_unit.entries[entry];
    return {its.firstRow, its.firstRow + its.rowCount};
  }

  template <class Fits>
  [[nodiscard]] std::optional<std::size_t> findRow(std::size_t entry, const Fits& fits) const {
    const auto [first, end] = rowsOf(entry);
    for (std::size_t row = first; row < end; ++row) {
      if (fits(row)) {
        return row;
      }
    }
    return std::nullopt;
  }

  /// Infinities that are meant.
  [[nodiscard]] bool isMaskOf(std::size_t entry, std::size_t row) const {
    if (!m_finiteness[row].isLikeMask()) {
      return false;
    }
    if (dumps::isRead(m_unit.rows[row].role)) {
      return !m_hasNegativeOrigin;
    }
    return writesConstants(m_unit.entries[entry]) || findRow(entry, [&](std::size_t read) {
             return dumps::isRead(m_unit.rows[read].role) &&
                    (m_finiteness[read].hasNegative || isMasked(m_unit.rows[read]));
           });
  }
  [[nodiscard]] bool isBroken(std::size_t entry, std::size_t row) const {
    return !m_finiteness[row].isFinite() && !isMaskOf(entry, row);
  }
  [[nodiscard]] std::optional<std::size_t> brokenRead(std::size_t entry) const {
    return findRow(entry, [&](std::size_t row) {
      return dumps::isRead(m_unit.rows[row].role) && isBroken(entry, row);
    });
  }
  [[nodiscard]] std::optional<std::size_t> brokenMade(std::size_t entry) const {
    return findRow(entry, [&](std::size_t row) {
      return !dumps::isRead(m_unit.rows[row].role) && isBroken(entry, row);
    });
  }

  void markOuter(std::size_t entry, std::vector<bool>& marks) const {
    dumps::anyEnclosing(m_unit, entry, [&](std::size_t call) {
      marks[call] = true;
      return false;
    });
  }

  void visit(std::size_t entry) {
    const auto read = brokenRead(entry);
    const auto made = brokenMade(entry);
    if (read && isGiven(entry, *read)) {
      add(entry, *read, OverflowKind::Given);
    } else if (made && !read && isMaker(entry)) {
      add(entry, *made, kindOf(entry, *made));
    } else if (made) {
      m_result.carriers.push_back(m_unit.entries[entry].name);
    }
    m_isAnyBroken = m_isAnyBroken || made || read;
    if (m_unit.entries[entry].pass == Pass::Forward && (made || read)) {
      m_brokenCalls.insert(callOf(entry));
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
        findRow(entry, [&](std::size_t row) {
          return dumps::isRead(m_unit.rows[row].role) && m_finiteness[row].isKnown;
        }).has_value();
    // Where inputs were not recorded, what is broken already may have come in.
    if (m_isBrokenInside[entry] || (!hasReads && m_isAnyBroken)) {
      return false;
    }
    return m_unit.entries[entry].pass == Pass::Forward || !m_brokenCalls.contains(callOf(entry));
  }

  [[nodiscard]] OverflowKind kindOf(std::size_t entry, std::size_t made) const {
    if (!m_finiteness[made].hasNan) {
      return OverflowKind::Overflow;
    }
    const bool hasInfinity =
        findRow(entry, [&](std::size_t row) {
          return dumps::isRead(m_unit.rows[row].role) && !m_finiteness[row].isFinite();
        }).has_value();
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
    origin.reason = overflowReason(m_unit, m_finiteness, origin, row);
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
    const auto [first, end] = rowsOf(entry);
    for (std::size_t row = first; row < end; ++row) {
      const auto own = m_finiteness[row].largest();
      if (dumps::isRead(m_unit.rows[row].role) && own) {
        largest = std::max(largest.value_or(0), *own);
      }
    }
    return largest;
  }

  void countTensors() {
    for (const std::size_t entry : m_order) {
      const auto [first, end] = rowsOf(entry);
      for (std::size_t row = first; row < end; ++row) {
        m_result.knownTensors += m_finiteness[row].isKnown ? 1 : 0;
        m_result.brokenTensors += isBroken(entry, row) ? 1 : 0;
      }
    }
  }

  /// The same for a call and its backward pass.
  [[nodiscard]] std::string callOf(std::size_t entry) const {
    const DumpEntry& its = m_unit.entries[entry];
    return fmt::format("{}|{}|{}", its.module, its.operation, its.call);
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

std::string_view toString(OverflowKind kind) {
  switch (kind) {
    case OverflowKind::Nan:
      return "nan";
    case OverflowKind::NanOfInfinity:
      return "nan_of_infinity";
    case OverflowKind::Given:
      return "given";
    case OverflowKind::Overflow:
      break;
  }
  return "overflow";
}

OverflowSearch findOverflow(const DumpUnit& unit, const UnitFiniteness& finiteness) {
  return Search(unit, finiteness).run();
}

}  // namespace ulp::analysis
