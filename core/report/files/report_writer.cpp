#include <cmath>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/json/record.h"
#include "core/report/files/report_json.h"
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
  json.field("runs", [&] {
    for (const Run& run : report.runs) {
      json.newLine(2);
      json.key(run.name);
      json::writeRecord(json, run, kRunFields, hasSamples(report.provenance) ? "" : kSamplesField);
    }
    json.newLine(1);
  });
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
    json.field(group.name, [&] {
      for (const auto& [name, column] : group.members) {
        json.field(name, valueAt(column));
      }
    });
  }
}

void writeRowSpread(json::Writer& json,
                    const std::vector<MetricColumn>& columns,
                    const Comparison& comparison) {
  json.field("spread", [&] {
    json.field(kGainField, [&] {
      json.field("mean", comparison.gainError);
      json::writeFields(json, comparison.gainSpread, kSpreadFields);
    });
    for (std::size_t i = 0; i < comparison.spread.size(); ++i) {
      json.key(columns.at(i).id);
      json::writeRecord(json, comparison.spread[i], kSpreadFields);
    }
  });
}

void writeComparison(json::Writer& json,
                     const Report& report,
                     const std::vector<MetricGroup>& groups,
                     const Comparison& comparison) {
  const bool isOfSeveral = hasSamples(report.provenance);
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
}

void writeComparisons(json::Writer& json, const Report& report) {
  const std::vector<MetricGroup> groups = groupMetrics(report.metrics);
  const auto write = [&](const Comparison& comparison) {
    writeComparison(json, report, groups, comparison);
  };
  json.field("comparisons", [&] {
    for (const Run& run : report.runs) {
      if (run.name == report.reference) {
        continue;
      }
      json.newLine(2);
      json.objects(run.name, run.comparisons, write, {.items = 3, .end = 2});
    }
    json.newLine(1);
  });
}

void writeSummaryRow(json::Writer& json,
                     const SummaryRow& row,
                     const std::vector<std::size_t>& columns) {
  json.newLine(3);
  json.field(row.run, [&] {
    for (const std::size_t i : columns) {
      const bool isThere = !row.cells[i].site.name.empty();
      json.field(summaryColumns()[i].id,
                 isThere ? std::optional(row.cells[i].value) : std::nullopt);
    }
  });
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
  json.field("summary", [&] {
    for (const std::string_view metric : {"rms_rel", "rms_diff"}) {
      if (report.metricIndex(metric) < 0) {
        continue;
      }
      json.newLine(2);
      json.field(metric, [&] {
        const std::vector<SummaryRow> rows = summarise(report, metric);
        const std::vector<std::size_t> columns = writtenColumns(rows);
        for (const SummaryRow& row : rows) {
          writeSummaryRow(json, row, columns);
        }
      });
    }
    json.newLine(1);
  });
}

/// The fields of `extraJson` without its braces.
std::string_view innerFields(std::string_view extraJson) {
  return extraJson.size() > 2 ? extraJson.substr(1, extraJson.size() - 2) : std::string_view{};
}

}  // namespace

std::string toJson(const Report& report) {
  return json::document(kSchema, [&](json::Writer& json) {
    for (const json::Field<Report>& field : kHeadFields) {
      json.newLine(1);
      field.write(json, field.name, report);
    }
    json.newLine(1);
    writeRuns(json, report);
    json.newLine(1);
    json.field("metrics", listOf(report.metrics, &MetricColumn::id));
    json.newLine(1);
    writeComparisons(json, report);
    json.newLine(1);
    writeSummary(json, report);
    const std::string_view extra = innerFields(report.extraJson);
    if (!extra.starts_with("\"findings\":")) {
      json.newLine(1);
      json.field("findings", std::vector<std::string>());
    }
    if (!extra.empty()) {
      json.newLine(1);
      json.raw(extra);
    }
  });
}

}  // namespace ulp::report
