#include <cmath>
#include <utility>
#include <vector>

#include "core/json/record.h"
#include "core/report/files/report_json.h"
#include "core/report/files/row_json.h"
#include "core/report/files/run_json.h"
#include "core/report/model/report.h"
#include "core/report/summary/summary.h"

namespace ulp::report {
namespace {

/// Metrics whose ids share the part before the first dot become one nested object.
struct MetricGroup {
  std::string_view name;
  bool isNested = false;
  std::vector<std::pair<std::string_view, std::size_t>> members;  ///< rest of the id, column
};

std::vector<MetricGroup> groupMetrics(const std::vector<MetricColumn>& columns) {
  std::vector<MetricGroup> groups;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view id = columns[i].id;
    const std::size_t dot = id.find('.');
    if (dot == std::string_view::npos) {
      groups.push_back({id, false, {{id, i}}});
      continue;
    }
    const std::string_view name = id.substr(0, dot);
    auto group = groups.begin();
    while (group != groups.end() && !(group->isNested && group->name == name)) {
      ++group;
    }
    if (group == groups.end()) {
      group = groups.insert(group, {name, true, {}});
    }
    group->members.emplace_back(id.substr(dot + 1), i);
  }
  return groups;
}

void writeRuns(json::Writer& json, const Report& report) {
  json.key("runs");
  json.beginObject();
  for (const Run& run : report.runs) {
    json.newLine(2);
    json.key(run.name);
    json::writeRecord(json, run, kRunFields, hasSamples(report.provenance) ? "" : kSamplesField);
  }
  json.newLine(1);
  json.endObject();
}

void writeMetrics(json::Writer& json,
                  const std::vector<MetricGroup>& groups,
                  const std::vector<double>& values) {
  const auto valueAt = [&](std::size_t i) { return i < values.size() ? values[i] : std::nan(""); };
  for (const MetricGroup& group : groups) {
    if (!group.isNested) {
      json.field(group.name, valueAt(group.members.front().second));
      continue;
    }
    json.key(group.name);
    json.beginObject();
    for (const auto& [name, column] : group.members) {
      json.field(name, valueAt(column));
    }
    json.endObject();
  }
}

void writeRowSpread(json::Writer& json,
                    const std::vector<MetricColumn>& columns,
                    const Comparison& comparison) {
  json.key("spread");
  json.beginObject();
  json.key(kGainField);
  json.beginObject();
  json.field("mean", comparison.gainError);
  json::writeFields(json, comparison.gainSpread, kSpreadFields);
  json.endObject();
  for (std::size_t i = 0; i < comparison.spread.size(); ++i) {
    json.key(columns.at(i).id);
    json::writeRecord(json, comparison.spread[i], kSpreadFields);
  }
  json.endObject();
}

void writeComparison(json::Writer& json,
                     const Report& report,
                     const std::vector<MetricGroup>& groups,
                     const Comparison& comparison) {
  const bool isOfSeveral = hasSamples(report.provenance);
  json.newLine(3);
  json.beginObject();
  json::writeFields(json, comparison.site, kSiteFields);
  json::writeFields(json, comparison, kTensorFields);
  writeMetrics(json, groups, comparison.metrics);
  json.key("nonfinite");
  json::writeRecord(json, comparison, kNonFinitePair);
  json.key("worst");
  json::writeRecord(json, comparison.worst, kWorstFields, isOfSeveral ? "" : kWorstSampleField);
  if (isOfSeveral) {
    writeRowSpread(json, report.metrics, comparison);
  } else if (!std::isnan(comparison.gainError)) {
    json.field(kGainField, comparison.gainError);
  }
  json.endObject();
}

void writeComparisons(json::Writer& json, const Report& report) {
  const std::vector<MetricGroup> groups = groupMetrics(report.metrics);
  json.key("comparisons");
  json.beginObject();
  for (const Run& run : report.runs) {
    if (run.name == report.reference) {
      continue;
    }
    json.newLine(2);
    json.key(run.name);
    json.beginArray();
    for (const Comparison& comparison : run.comparisons) {
      writeComparison(json, report, groups, comparison);
    }
    json.newLine(2);
    json.endArray();
  }
  json.newLine(1);
  json.endObject();
}

void writeSummaryRow(json::Writer& json,
                     const SummaryRow& row,
                     const std::vector<std::size_t>& columns) {
  json.newLine(3);
  json.key(row.run);
  json.beginObject();
  for (const std::size_t i : columns) {
    json.key(summaryColumns()[i].id);
    if (row.cells[i].site.name.empty()) {
      json.null();
    } else {
      json.value(row.cells[i].value);
    }
  }
  json.endObject();
}

/// Those of both passes, and of the gradients of parameters those that some variant has.
std::vector<std::size_t> writtenColumns(const std::vector<SummaryRow>& rows) {
  std::vector<std::size_t> columns = shownColumns(rows, &SummaryRow::cells);
  std::erase_if(columns,
                [](std::size_t column) { return !isOfParameters(summaryColumns()[column].pass); });
  for (std::size_t i = summaryColumns().size(); i-- > 0;) {
    if (!isOfParameters(summaryColumns()[i].pass)) {
      columns.insert(columns.begin(), i);
    }
  }
  return columns;
}

void writeSummary(json::Writer& json, const Report& report) {
  json.key("summary");
  json.beginObject();
  for (const std::string_view metric : {"rms_rel", "rms_diff"}) {
    if (report.metricIndex(metric) < 0) {
      continue;
    }
    json.newLine(2);
    json.key(metric);
    json.beginObject();
    const std::vector<SummaryRow> rows = summarise(report, metric);
    const std::vector<std::size_t> columns = writtenColumns(rows);
    for (const SummaryRow& row : rows) {
      writeSummaryRow(json, row, columns);
    }
    json.endObject();
  }
  json.newLine(1);
  json.endObject();
}

/// The fields of `extraJson` without its braces.
std::string_view innerFields(std::string_view extraJson) {
  return extraJson.size() > 2 ? extraJson.substr(1, extraJson.size() - 2) : std::string_view{};
}

}  // namespace

std::string toJson(const Report& report) {
  json::Writer json;
  json.beginObject();
  json.newLine(1);
  json.field("schema", kSchema);
  for (const json::Field<Report>& field : kHeadFields) {
    json.newLine(1);
    field.write(json, field.name, report);
  }
  json.newLine(1);
  writeRuns(json, report);
  json.newLine(1);
  json.key("metrics");
  json::writeItems(json, report.metrics, [&](const MetricColumn& metric) {
    json.value(std::string_view(metric.id));
  });
  json.newLine(1);
  writeComparisons(json, report);
  json.newLine(1);
  writeSummary(json, report);
  const std::string_view extra = innerFields(report.extraJson);
  if (!extra.starts_with("\"findings\":")) {
    json.newLine(1);
    json.key("findings");
    json.beginArray();
    json.endArray();
  }
  if (!extra.empty()) {
    json.newLine(1);
    json.raw(extra);
  }
  json.newLine(0);
  json.endObject();
  json.newLine(0);
  return std::move(json).take() + "\n";
}

}  // namespace ulp::report
