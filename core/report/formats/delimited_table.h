#pragma once

#include <string>
#include <string_view>

#include "core/report/tables/data_table.h"

namespace ulp::report {

/// One line of headings with group and unit, then the rows with every digit; `field` quotes.
[[nodiscard]] std::string delimitedTable(const DataTable& table,
                                         char separator,
                                         std::string (*field)(std::string_view));

}  // namespace ulp::report
