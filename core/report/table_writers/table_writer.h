#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/report/tables/data_table.h"

namespace ulp::report {

/// A format in which a single table leaves the program. Formats for machines (csv, tsv, json, xlsx)
/// keep every digit, formats for reading show the table as it is shown.
struct TableWriter {
  std::string id;         ///< "csv"
  std::string title;      ///< "Comma-separated values"
  std::string extension;  ///< ".csv"
  Result<std::string> (*write)(const DataTable& table) = nullptr;
};

class TableWriterRegistry {
 public:
  void add(TableWriter writer);
  [[nodiscard]] const std::vector<TableWriter>& all() const { return m_writers; }
  [[nodiscard]] const TableWriter* find(std::string_view id) const;

 private:
  std::vector<TableWriter> m_writers;
};

void registerBuiltin(TableWriterRegistry& registry);
[[nodiscard]] TableWriterRegistry builtinTableWriters();
/// Errors: InvalidArgument for an unknown format, naming those that there are; Unsupported for a
/// table that the format cannot hold; Io.
[[nodiscard]] Result<std::string> writeTable(const DataTable& table, std::string_view format);

}  // namespace ulp::report
