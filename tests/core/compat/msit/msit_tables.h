#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text/parse_number.h"
#include "tests/core/compat/expected_table.h"

/// Tables of msit beside ours.
namespace ulp::compat::test {

/// Paths of other machines agree from the folder of the process on.
inline std::string tailOf(const std::string& path) {
  for (const std::string_view mark : {"/torch_tensors/", "/tensors/"}) {
    if (const std::size_t place = path.find(mark); place != std::string::npos) {
      return path.substr(place);
    }
  }
  return path;
}

/// Of a text that is nothing else.
inline std::optional<double> numberIn(const std::string& text) {
  return parseNumber<double>(text);
}

/// Words and numbers are the same but for what docs/formats/msit.md names: PyTorch's exp() and
/// sqrt() differ from the C library's in the last bit.
inline bool isEqualCell(const std::string& column,
                        const std::string& ours,
                        const std::string& theirs) {
  if (column.ends_with("_path")) {
    return tailOf(ours) == tailOf(theirs);
  }
  const bool isKl = column == "kl_divergence";
  if (ours == theirs || (!isKl && column != "relative_euclidean_distance")) {
    return ours == theirs;
  }
  const auto own = numberIn(ours);
  const auto other = numberIn(theirs);
  return own && other && std::abs(*own - *other) <= (isKl ? 5e-7 : 2e-7 * std::abs(*other));
}

/// Column of a row.
inline const std::string& cell(const Table& table, std::size_t row, const std::string& column) {
  const auto place = std::find(table.front().begin(), table.front().end(), column);
  return table[row].at(static_cast<std::size_t>(place - table.front().begin()));
}

/// Where each tensor of one operation meets each of another, msit takes them in the order of the
/// file system, and so are they numbered.
inline bool isEachWithEach(const Table& table, std::size_t row) {
  return cell(table, row, "my_data_path").find("QKVLinearSplitPack") != std::string::npos;
}

/// The first cell of a row that differs, in words; empty: none.
inline std::string differenceInRow(const Table& ours, const Table& theirs, std::size_t row) {
  const std::vector<std::string>& columns = theirs.front();
  if (ours[row].size() != columns.size() || theirs[row].size() != columns.size()) {
    return "row " + std::to_string(row) + " has another number of columns";
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool isFree = columns[i] == "data_id" && isEachWithEach(theirs, row);
    if (!isFree && !isEqualCell(columns[i], ours[row][i], theirs[row][i])) {
      return "row " + std::to_string(row) + ", " + columns[i] + ": " + ours[row][i] +
             " instead of " + theirs[row][i];
    }
  }
  return "";
}

/// The first cell that differs, in words; empty: none.
inline std::string firstDifference(const Table& ours, const Table& theirs) {
  if (ours.empty() || theirs.empty() || ours.front() != theirs.front()) {
    return "the columns differ";
  }
  for (std::size_t row = 1; row < std::min(ours.size(), theirs.size()); ++row) {
    if (std::string difference = differenceInRow(ours, theirs, row); !difference.empty()) {
      return difference;
    }
  }
  return ours.size() == theirs.size()
             ? ""
             : std::to_string(ours.size()) + " rows instead of " + std::to_string(theirs.size());
}

}  // namespace ulp::compat::test
