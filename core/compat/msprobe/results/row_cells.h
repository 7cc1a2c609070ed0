#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

/// The cells of one row after the other, in the parts that the tables of both generations have in
/// common.
class RowCells {
 public:
  explicit RowCells(const Sides& sides) : m_sides(sides) {}

  /// Begins a row with the cells below identityTitles(). `missing` stands for what the target does
  /// not say.
  void begin(const dumps::msprobe::Record& target,
             const dumps::msprobe::Record* golden,
             std::string_view missing);
  void add(std::string text);
  void add(std::span<const std::string> texts);
  void add(std::span<const Cell> cells);
  void add(const Metrics& metrics);
  void addFlag(bool flag);
  /// Below "NPU MD5" and "BENCH MD5".
  void addChecksums(const dumps::msprobe::Record& target, const dumps::msprobe::Record* golden);
  /// Below statisticsTitles().
  void addStatistics(const dumps::msprobe::Record& target, const dumps::msprobe::Record* golden);
  /// Below addOriginTitles(): the stack, and the names of the files.
  void addOrigin(const Pair& pair, bool isFirstOfEntry);

  [[nodiscard]] const std::vector<Cell>& cells() const { return m_cells; }

 private:
  const Sides& m_sides;
  std::vector<Cell> m_cells;
};

void append(std::vector<std::string>& to, std::vector<std::string> more);
inline constexpr const char* kGradTitle = "Requires_grad Consistent";
/// The last titles of both generations.
void addOriginTitles(std::vector<std::string>& titles, const Sides& sides);

/// Calls `handle(first, next)` for the pairs [first, next) of each entry.
template <class Handle>
void eachEntry(const Sides& sides, const Handle& handle) {
  for (std::size_t first = 0; first < sides.pairs.size();) {
    std::size_t next = first;
    while (next < sides.pairs.size() && sides.pairs[next].entry == sides.pairs[first].entry) {
      ++next;
    }
    handle(first, next);
    first = next;
  }
}

}  // namespace ulp::compat::msprobe
