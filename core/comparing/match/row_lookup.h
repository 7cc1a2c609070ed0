#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Finds the rows of a call that are what rows of the other side are, by role and index, in a time
/// that hardly grows with their number: a call may have hundreds of thousands.
class RowLookup {
 public:
  /// `unit` must outlive it, and has the entry.
  RowLookup(const dumps::DumpUnit& unit, const dumps::DumpEntry& entry) : m_unit(unit) {
    lookAt(entry);
  }
  explicit RowLookup(const dumps::DumpUnit& unit) : m_unit(unit) {}

  /// Looks among the rows of another entry from here on.
  void lookAt(const dumps::DumpEntry& entry);

  /// The first row with the role and index of `row` that `isFree(row)`; kNone: there is none. A row
  /// that was not free once is not asked for again.
  template <class IsFree>
  [[nodiscard]] std::size_t sameIndex(const dumps::DumpRow& row, const IsFree& isFree) {
    return firstFree(m_byIndex, keyOf(row), isFree);
  }
  [[nodiscard]] std::size_t sameIndex(const dumps::DumpRow& row) {
    return sameIndex(row, [](std::size_t /*row*/) { return true; });
  }

  /// The same, and where there is none of a tool that spells the first of a role otherwise, the
  /// first one of the role.
  template <class IsFree>
  [[nodiscard]] std::size_t find(const dumps::DumpRow& row, const IsFree& isFree) {
    const std::size_t same = sameIndex(row, isFree);
    return same != dumps::kNone || !isFirst(row) ? same
                                                 : firstFree(m_firsts, keyOfFirst(row), isFree);
  }
  [[nodiscard]] std::size_t find(const dumps::DumpRow& row) {
    return find(row, [](std::size_t /*row*/) { return true; });
  }

 private:
  using Key = std::pair<dumps::Role, std::string_view>;
  /// Rows by key, those of one key in their order.
  struct Group {
    Key key;
    std::size_t row = 0;
    std::size_t taken = 0;  ///< of the first of a key: how many of them are not free
  };
  using Groups = std::vector<Group>;

  [[nodiscard]] static Key keyOf(const dumps::DumpRow& row) { return {row.role, row.index}; }
  [[nodiscard]] static Key keyOfFirst(const dumps::DumpRow& row) { return {row.role, {}}; }
  [[nodiscard]] static bool isFirst(const dumps::DumpRow& row);

  template <class IsFree>
  [[nodiscard]] static std::size_t firstFree(Groups& groups, const Key& key, const IsFree& isFree) {
    const auto begin = std::ranges::lower_bound(groups, key, {}, &Group::key);
    if (begin == groups.end()) {
      return dumps::kNone;
    }
    for (auto at = begin + static_cast<std::ptrdiff_t>(begin->taken);
         at != groups.end() && at->key == key;
         ++at) {
      if (isFree(at->row)) {
        return at->row;
      }
      ++begin->taken;
    }
    return dumps::kNone;
  }

  const dumps::DumpUnit& m_unit;
  Groups m_byIndex;
  Groups m_firsts;  ///< with empty indices
};

}  // namespace ulp::analysis
