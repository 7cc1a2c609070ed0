#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/site.h"

namespace ulp {

/// What the rows of a run were made from, and where they stand in the program.
struct OperationGraph {
  struct Row {
    std::vector<std::string> forward{};   ///< rows of the forward pass that it was made from
    std::vector<std::string> backward{};  ///< of the backward pass
    std::string line{};  ///< "transformers/…/modeling_llama.py:64"; empty: unknown

    friend bool operator==(const Row&, const Row&) = default;
  };
  using Rows = std::map<std::string, Row, std::less<>>;

  std::array<Rows, kPasses.size()> rows{};  ///< by pass

  [[nodiscard]] bool isEmpty() const { return std::ranges::all_of(rows, &Rows::empty); }
  [[nodiscard]] const Rows& of(Pass pass) const { return rows[static_cast<std::size_t>(pass)]; }
  [[nodiscard]] Rows& of(Pass pass) { return rows[static_cast<std::size_t>(pass)]; }
  /// Null: nothing is known of the row.
  [[nodiscard]] const Row* find(Pass pass, std::string_view row) const {
    const auto found = of(pass).find(row);
    return found == of(pass).end() ? nullptr : &found->second;
  }

  friend bool operator==(const OperationGraph&, const OperationGraph&) = default;
};

}  // namespace ulp
