#include "core/report/table_writers/table_writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ulp::report {

void TableWriterRegistry::add(TableWriter writer) {
  m_writers.push_back(std::move(writer));
}

const TableWriter* TableWriterRegistry::find(std::string_view id) const {
  const auto found = std::find_if(
      m_writers.begin(), m_writers.end(), [&](const TableWriter& w) { return w.id == id; });
  return found == m_writers.end() ? nullptr : &*found;
}

TableWriterRegistry builtinTableWriters() {
  TableWriterRegistry registry;
  registerBuiltin(registry);
  return registry;
}

Result<std::string> writeTable(const DataTable& table, std::string_view format) {
  const TableWriterRegistry registry = builtinTableWriters();
  if (const TableWriter* writer = registry.find(format)) {
    return writer->write(table);
  }
  std::vector<std::string> ids;
  for (const TableWriter& writer : registry.all()) {
    ids.push_back(writer.id);
  }
  return fail(
      ErrorCode::InvalidArgument,
      fmt::format("a table cannot be written as '{}'; choose {}", format, fmt::join(ids, ", ")));
}

}  // namespace ulp::report
