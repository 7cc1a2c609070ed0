#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/pairs/sides.h"

namespace ulp::compat::msprobe {

/// A row of a table of either generation before it is written.
struct ComparedRow {
  const dumps::msprobe::Record* target = nullptr;
  const dumps::msprobe::Record* golden = nullptr;  ///< null: unmatched
  std::array<Cell, 4> difference{};                ///< max, min, mean, norm; statistics only
  std::array<std::string, 4> relative{};
  Metrics metrics{};  ///< tensors only
  std::string result{};
  std::string message{};
  Fill fill = Fill::None;

  /// Whether both sides say the same of requires_grad.
  [[nodiscard]] bool isGradConsistent() const;
};

/// Gives the cell of a checksum, "N/A" where there is none; null: likewise.
[[nodiscard]] std::string checksumOf(const dumps::msprobe::Record* record);
/// Fills the differences of statistics as 26.x prints them.
void compareStatistics26(ComparedRow& row);

/// Title of the cell that tells isGradConsistent().
inline constexpr std::string_view kGradTitle = "Requires_grad Consistent";
/// Titles of what RowCells::valuesOf() gives.
[[nodiscard]] std::vector<std::string> valueTitles(Mode mode);
/// Titles of what RowCells::cellsOf() gives; `verdict` are those of result and message, with commas
/// between them.
[[nodiscard]] std::vector<std::string> tableTitles(const Sides& sides, std::string_view verdict);

/// The cells of one row after the other. What it returns holds until the next row.
class RowCells {
 public:
  /// 8.x writes "None" for what the target does not say, 26.x "N/A"; of checksums 8.x has no
  /// message.
  RowCells(const Sides& sides, Generation generation) : m_sides(sides), m_generation(generation) {}

  /// Names and types of both sides, then what is compared of them in a mode.
  const std::vector<Cell>& valuesOf(const ComparedRow& row, Mode mode);
  /// The values, the verdict, the stack where there are any, and the names of files of tensors.
  const std::vector<Cell>& cellsOf(const ComparedRow& row, const Pair& pair, bool isFirstOfEntry);

 private:
  void add(std::string text) { m_cells.push_back(textCell(std::move(text))); }
  void addStatistics(const ComparedRow& row);

  const Sides& m_sides;
  Generation m_generation;
  std::vector<Cell> m_cells;
};

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

/// Writes the rows of a table: `make(pair)` compares one, `judge(rows)` judges those of an entry.
template <class Make, class Judge>
void writeRows(
    const Sides& sides, RowCells& cells, const Make& make, const Judge& judge, TableFile& file) {
  std::vector<decltype(make(std::size_t{0}))> rows;
  eachEntry(sides, [&](std::size_t first, std::size_t next) {
    rows.clear();
    for (std::size_t each = first; each < next; ++each) {
      rows.push_back(make(each));
    }
    judge(rows, first);
    for (std::size_t each = first; each < next; ++each) {
      const ComparedRow& row = rows[each - first];
      file.addRow(cells.cellsOf(row, sides.pairs[each], each == first), row.fill);
    }
  });
}

}  // namespace ulp::compat::msprobe
