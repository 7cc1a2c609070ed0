#include "core/report/json/json_writer.h"
#include "core/report/table_writers/table_writer.h"

namespace ulp::report {

void registerJson(TableWriterRegistry& registry);

namespace {

void appendCell(JsonWriter& json, const DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(*text);
  } else if (const double* number = std::get_if<double>(&cell)) {
    json.value(*number);
  } else {
    json.null();
  }
}

Result<std::string> writeJson(const DataTable& table) {
  JsonWriter json;
  json.beginObject();
  json.field("title", table.title);
  if (!table.source.empty()) {
    json.field("source", table.source);
  }
  json.key("columns");
  json.beginArray();
  for (const DataColumn& column : table.columns) {
    json.newLine(2);
    json.beginObject();
    json.field("title", column.title);
    json.field("unit", column.unit);
    json.field("group", column.group);
    json.endObject();
  }
  json.endArray();
  json.key("rows");
  json.beginArray();
  for (const std::vector<DataCell>& row : table.rows) {
    json.newLine(2);
    json.beginArray();
    for (const DataCell& cell : row) {
      appendCell(json, cell);
    }
    json.endArray();
  }
  json.endArray();
  json.endObject();
  return std::move(json).take() + "\n";
}

}  // namespace

void registerJson(TableWriterRegistry& registry) {
  registry.add({.id = "json", .title = "JSON", .extension = ".json", .write = writeJson});
}

}  // namespace ulp::report
