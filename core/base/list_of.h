#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace ulp {

/// Lists what `of` gives for each element of a range, in order: a function, or a member of the
/// elements, as in `listOf(runs, &Run::name)`.
template <std::ranges::input_range Range, class Of>
[[nodiscard]] auto listOf(Range&& range, const Of& of) {
  using Each = std::ranges::range_reference_t<Range>;
  std::vector<std::remove_cvref_t<std::invoke_result_t<const Of&, Each>>> list;
  if constexpr (std::ranges::sized_range<Range>) {
    list.reserve(std::ranges::size(range));
  }
  for (Each each : range) {
    list.push_back(std::invoke(of, std::forward<Each>(each)));
  }
  return list;
}

/// Tells whether the rows of a table stand in the order of the enumerators that are their `of`.
template <class Rows, class Enum, class Row>
[[nodiscard]] constexpr bool followEnum(const Rows& rows, Enum Row::*of) {
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    if (rows[i].*of != static_cast<Enum>(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace ulp
