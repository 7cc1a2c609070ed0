#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/site.h"

namespace ulp {

/// Which kernels of a device ran for the rows of a run. Rows of parameters have none: autograd
/// makes the gradient of a weight in the step that makes the gradient of its module's input.
struct KernelRecord {
  /// Places in `names` by the row's name, each once, in the order in which they first ran.
  using Rows = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

  std::vector<std::string> names;  ///< as the profiler spells them, templates and all; each once
  std::array<Rows, kPasses.size()> rows{};  ///< by pass

  [[nodiscard]] bool isEmpty() const { return names.empty(); }
  /// Tells whether every row's places lie in `names`.
  [[nodiscard]] bool isConsistent() const;
  [[nodiscard]] const Rows& of(Pass pass) const { return rows[static_cast<std::size_t>(pass)]; }
  [[nodiscard]] Rows& of(Pass pass) { return rows[static_cast<std::size_t>(pass)]; }
  /// The names of a row's kernels; empty: none is recorded. They live as long as the record, which
  /// is consistent.
  [[nodiscard]] std::vector<std::string_view> of(Pass pass, std::string_view row) const;

  friend bool operator==(const KernelRecord&, const KernelRecord&) = default;
};

}  // namespace ulp
