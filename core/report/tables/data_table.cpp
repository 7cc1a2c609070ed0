#include "core/report/tables/data_table.h"

#include <ranges>

namespace ulp::report {

std::vector<DataColumn> columnsOf(std::string_view headings, const std::string& group) {
  constexpr std::string_view kPercent = ", %";
  std::vector<DataColumn> columns;
  for (const auto heading : std::views::split(headings, std::string_view("; "))) {
    const std::string_view text(heading.begin(), heading.end());
    const bool isPercent = text.ends_with(kPercent);
    columns.push_back(
        {.title = std::string(text.substr(0, text.size() - (isPercent ? kPercent.size() : 0))),
         .unit = isPercent ? "%" : "",
         .group = group});
  }
  return columns;
}

}  // namespace ulp::report
