#include <cmath>
#include <utility>
#include <vector>

#include "core/json/writer.h"
#include "core/report/files/dump_origin_json.h"
#include "core/report/files/log_probability_error_json.h"
#include "core/report/files/spread_json.h"
#include "core/report/files/step_json.h"
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

/// Reports of one sample say nothing of samples.
bool hasSamples(const Provenance& provenance) {
  return provenance.samples > 1;
}

void writeProvenance(json::Writer& json, const Provenance& provenance) {
  json.key("provenance");
  json.beginObject();
  json.key("versions");
  json.beginObject();
  json.field("ulpscope", provenance.ulpscopeVersion);
  json.field("torch", provenance.torchVersion);
  json.endObject();
  json.field("device", provenance.device);
  json.field("threads", provenance.threads);
  json.field("weights_digest", provenance.weightsDigest);
  json.field("token_digest", provenance.tokenDigest);
  if (!provenance.input.empty()) {
    json.field("input", provenance.input);
  }
  if (hasSamples(provenance)) {
    json.field("samples", provenance.samples);
  }
  if (provenance.sequences != 0) {
    json.field("sequences", provenance.sequences);
    json.field("sequence_length", provenance.sequenceLength);
  }
  json.field("start", provenance.startedAt);
  json.field("seconds", provenance.seconds);
  json.endObject();
}

void writeModel(json::Writer& json, const ModelSummary& model) {
  json.key("model");
  json.beginObject();
  json.field("name", model.name);
  json.field("family", model.family);
  json.field("layers", model.layers);
  if (model.parameters != 0) {
    json.field("parameters", model.parameters);
  }
  json.endObject();
}

void writeOverrides(json::Writer& json, const Run& run) {
  json.key("overrides");
  json.beginObject();
  for (const auto& [path, value] : run.overrides) {
    json.field(path, value);
  }
  json.endObject();
}

/// Nobody has measured them of what was recorded elsewhere.
void writeMeasured(json::Writer& json, const Run& run) {
  if (run.hasLoss) {
    json.field("loss", run.loss);
  }
  if (run.hasLoss || run.seconds > 0) {
    json.field("seconds", run.seconds);
  }
  if (run.hasLoss || run.peakBytes > 0) {
    json.field("peak_bytes", run.peakBytes);
  }
}

void writeRuns(json::Writer& json, const Report& report) {
  json.key("runs");
  json.beginObject();
  for (const Run& run : report.runs) {
    json.newLine(2);
    json.key(run.name);
    json.beginObject();
    writeOverrides(json, run);
    writeMeasured(json, run);
    json.field("status", toString(run.status));
    if (run.role != RunRole::Variant) {
      json.field("role", toString(run.role));
    }
    if (hasSamples(report.provenance)) {
      json.field("samples", run.samples);
    }
    if (run.samples > 1) {
      writeSpread(json, "loss_spread", run.lossSpread);
    }
    writeStep(json, run.step);
    if (run.logProbabilities) {
      writeLogProbabilityError(json, *run.logProbabilities);
    }
    if (run.axes) {
      writeAxes(json, *run.axes);
    }
    if (!run.error.empty()) {
      json.field("error", run.error);
    }
    json.endObject();
  }
  json.newLine(1);
  json.endObject();
}

void writeNonFinite(json::Writer& json,
                    std::string_view name,
                    const numerics::NonFiniteCounts& counts) {
  json.key(name);
  json.beginObject();
  json.field("nan", counts.nan);
  json.field("+inf", counts.positiveInfinity);
  json.field("-inf", counts.negativeInfinity);
  json.endObject();
}

void writeNumbers(json::Writer& json, const std::vector<std::int64_t>& numbers) {
  json.beginArray();
  for (const std::int64_t number : numbers) {
    json.value(number);
  }
  json.endArray();
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

void writeWorst(json::Writer& json, const std::vector<WorstPair>& worst, bool isOfSeveral) {
  json.key("worst");
  json.beginArray();
  for (const WorstPair& pair : worst) {
    json.beginObject();
    json.key("index");
    writeNumbers(json, pair.index);
    json.field("reference", pair.reference);
    json.field("variant", pair.variant);
    if (isOfSeveral) {
      json.field("sample", pair.sample);
    }
    if (pair.microBatch > 0) {
      json.field("micro_batch", pair.microBatch);
    }
    json.endObject();
  }
  json.endArray();
}

void writeRowSpread(json::Writer& json,
                    const std::vector<MetricColumn>& columns,
                    const Comparison& comparison) {
  json.key("spread");
  json.beginObject();
  json.key(kGainField);
  json.beginObject();
  json.field("mean", comparison.gainError);
  writeSpreadFields(json, comparison.gainSpread);
  json.endObject();
  for (std::size_t i = 0; i < comparison.spread.size(); ++i) {
    writeSpread(json, columns.at(i).id, comparison.spread[i]);
  }
  json.endObject();
}

void writeComparison(json::Writer& json,
                     const Report& report,
                     const std::vector<MetricGroup>& groups,
                     const Comparison& comparison) {
  const Site& site = comparison.site;
  json.newLine(3);
  json.beginObject();
  json.field("name", site.name);
  json.field("module", site.module);
  json.field("layer", site.layer);
  json.field("level", toString(site.level));
  json.field("pass", toString(site.pass));
  json.key("shape");
  writeNumbers(json, comparison.shape);
  json.key("dtype");
  json.beginObject();
  json.field("reference", comparison.referenceDType);
  json.field("variant", comparison.variantDType);
  json.endObject();
  json.field("count", comparison.count);
  json.field("compared", comparison.compared);
  writeMetrics(json, groups, comparison.metrics);
  json.key("nonfinite");
  json.beginObject();
  writeNonFinite(json, "reference", comparison.referenceNonFinite);
  writeNonFinite(json, "variant", comparison.variantNonFinite);
  json.endObject();
  writeWorst(json, comparison.worst, hasSamples(report.provenance));
  if (hasSamples(report.provenance)) {
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

void writeStudy(json::Writer& json, const Report& report) {
  json.key("study");
  json.beginObject();
  json.key("effective");
  json.raw(report.effectiveJson.empty() ? "{}" : report.effectiveJson);
  json.field("yaml", report.studyYaml);
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
  const auto line = [&](void (*write)(json::Writer&, const Report&)) {
    json.newLine(1);
    write(json, report);
  };
  line([](json::Writer& out, const Report& r) { writeProvenance(out, r.provenance); });
  line(writeStudy);
  line([](json::Writer& out, const Report& r) { writeModel(out, r.model); });
  if (report.dumps) {
    line([](json::Writer& out, const Report& r) { writeDumpOrigin(out, *r.dumps); });
  }
  line([](json::Writer& out, const Report& r) { out.field("reference", r.reference); });
  line(writeRuns);
  line([](json::Writer& out, const Report& r) {
    out.key("metrics");
    out.beginArray();
    for (const MetricColumn& metric : r.metrics) {
      out.value(std::string_view(metric.id));
    }
    out.endArray();
  });
  line(writeComparisons);
  line(writeSummary);
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
