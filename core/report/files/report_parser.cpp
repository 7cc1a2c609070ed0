#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text/name_limit.h"
#include "core/base/undefined.h"
#include "core/json/record.h"
#include "core/report/files/fast_llm_report.h"
#include "core/report/files/report_json.h"
#include "core/report/files/run_json.h"
#include "core/report/model/one_dump.h"
#include "core/report/model/report.h"

namespace ulp::report {
namespace {

constexpr std::string_view kSchemaName = "ulpscope.report/";

struct Magic {
  std::string_view bytes;
  std::string_view what;
};

constexpr std::array kMagics{
    Magic{"\x89HDF\r\n\x1a\n",
          "an HDF5 file; the tensors of a run are shown with its report: open the run folder"},
    Magic{"GGUF", "a model in GGUF; name it as model.path of a study and run that"},
    Magic{"PK\x03\x04",
          "a ZIP archive or a workbook; reports are read from JSON: open the run folder"}};

/// The fields of the outermost object, as far as the text is JSON.
std::set<std::string, std::less<>> fieldsOf(std::string_view text) {
  std::set<std::string, std::less<>> fields;
  json::Reader json(text, "");
  json.readObject([&](std::string_view field) {
    fields.emplace(field);
    json.skipValue();
  });
  return fields;
}

/// Says what a known file is that is no report of Ulpscope, and what to do with it, as the end of a
/// sentence: "a dump of msprobe …; …". Nothing for files that are not known.
std::optional<std::string> describeForeignFile(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (bytes.starts_with(magic.bytes)) {
      return std::string(magic.what);
    }
  }
  const auto fields = fieldsOf(bytes);
  const auto has = [&](std::string_view field) { return fields.contains(field); };
  if (has("task") && has("data") && (has("dump_data_dir") || has("level"))) {
    return "a dump of msprobe, which holds one run and no comparison; compare it with another one: "
           "ulpscope-cli compare A B, or File > Compare dumps in the window";
  }
  return std::nullopt;
}

/// Ulpscope computes some sixty, and dumps add those of their tools.
constexpr std::size_t kMostMetrics = 1000;
/// What the values of rows may take in memory, in a small file and for each byte of a larger one.
/// Every row has a place for every metric, so that rows that name different ones make much of
/// little; those that Ulpscope writes take half of the bytes that they have in the file.
constexpr std::size_t kFreeBytes = std::size_t{64} << 20U;
constexpr std::size_t kMostBytesOfAByte = 8;

/// Views have a place for every tensor of every run: so many are there whatever the report, and for
/// each row so many more. Runs of other ranks or experts have tensors of their own, and a model is
/// not split into more parts than this.
constexpr std::size_t kFreePlaces = std::size_t{1} << 24U;
constexpr std::size_t kMostPlacesOfARow = 256;

/// Columns in order of first appearance. Rows name their metrics in the same order, so the column
/// after the last one found is tried first.
class MetricColumns {
 public:
  std::size_t indexOf(std::string_view id) {
    if (m_next < m_columns.size() && m_columns[m_next].id == id) {
      return m_next++;
    }
    const auto [found, isNew] = m_index.try_emplace(std::string(id), m_columns.size());
    if (isNew) {
      m_columns.push_back({std::string(id)});
    }
    m_next = found->second + 1;
    return found->second;
  }
  [[nodiscard]] std::size_t size() const { return m_columns.size(); }
  void startRow() { m_next = 0; }
  std::vector<MetricColumn> take() && { return std::move(m_columns); }

 private:
  std::vector<MetricColumn> m_columns;
  std::unordered_map<std::string, std::size_t> m_index;
  std::size_t m_next = 0;
};

class ReportParser {
 public:
  ReportParser(std::string_view text, std::string_view origin, const std::stop_token& stop)
      : m_text(text), m_origin(origin), m_json(text, origin), m_stop(stop) {}

  Result<Report> parse() {
    ULP_TRY(checkSchema());
    m_json.readObject([&](std::string_view key) { readTopLevel(key); });
    ULP_TRY(m_json.finish());
    ULP_TRY(assemble());
    return std::move(m_report);
  }

 private:
  /// Looks at the schema before anything else: what follows may mean something else in a newer one.
  Result<> checkSchema() {
    json::Reader scan(m_text, m_origin);
    std::string schema;
    scan.readObject([&](std::string_view key) {
      if (key == "schema") {
        schema = scan.readString();
        checkVersion(scan, schema);
        // The first error stops the scan; the rest of a good file is left to the real pass.
        scan.fail(ErrorCode::Cancelled, "found");
      } else {
        scan.skipValue();
      }
    });
    auto finished = scan.finish();
    const bool isReport = finished || finished.error().code() == ErrorCode::Cancelled;
    if (isReport && !schema.empty()) {
      return {};
    }
    if (schema.empty()) {
      if (const auto other = describeForeignFile(m_text)) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("{}: not an Ulpscope report but {}", m_origin, *other));
      }
    }
    if (!isReport) {
      return finished;
    }
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: not an Ulpscope report: the field 'schema' is missing; open the "
                            "folder of a run, or the precision_report.json in it",
                            m_origin));
  }

  static void checkVersion(json::Reader& scan, const std::string& schema) {
    if (schema == kSchema || !scan.isOk()) {
      return;
    }
    if (schema.starts_with(kSchemaName)) {
      scan.fail(ErrorCode::Unsupported,
                fmt::format("the report is of schema '{}' and this version reads '{}'; open it "
                            "with a newer Ulpscope",
                            schema,
                            kSchema));
    } else {
      scan.fail(ErrorCode::CorruptData,
                fmt::format("not an Ulpscope report: '{}' is not '{}'", schema, kSchema));
    }
  }

  void readTopLevel(std::string_view key) {
    if (key == "schema" || key == "summary") {
      m_json.skipValue();
    } else if (key == "runs") {
      m_json.readObject([&](std::string_view name) { readRun(name); });
    } else if (key == "metrics") {
      m_json.readArray([&] {
        m_columns.indexOf(m_json.readString());
        checkColumns();
      });
    } else if (key == "comparisons") {
      m_json.readObject([&](std::string_view run) { readComparisons(run); });
    } else if (!json::readField(m_json, m_report, kHeadFields, key)) {
      keepExtra(key);
    }
  }

  void keepExtra(std::string_view key) {
    const std::string_view raw = m_json.skipValue();
    if (key == "findings" && std::ranges::count(raw, '{') == 0) {
      return;  // an empty list is written anyway
    }
    json::Writer field;
    field.key(key);
    field.raw(raw);
    // toJson() looks for findings at the front.
    std::string& kept = key == "findings" ? m_findings : m_report.extraJson;
    kept += (kept.empty() ? "" : ",") + std::move(field).take();
  }

  void checkName(std::string_view name, std::size_t most) {
    if (const auto fits = checkNameLength(name, most); !fits) {
      m_json.fail(fits.error().code(), fits.error().message());
    }
  }

  void readRun(std::string_view name) {
    checkName(name, kLongestTensorName);
    if (!m_runIndex.try_emplace(std::string(name), m_report.runs.size()).second) {
      m_json.fail(ErrorCode::CorruptData, "the run is listed twice");
      return;
    }
    Run run = finishedRun(name);
    json::readRecord(m_json, run, kRunFields);
    m_report.runs.push_back(std::move(run));
  }

  void readComparisons(std::string_view run) {
    checkName(run, kLongestTensorName);
    std::vector<Comparison>& rows = m_comparisons[std::string(run)];
    // Runs mostly have as many rows as the one before.
    rows.reserve(m_rowsExpected);
    m_json.readArray([&] {
      if (m_stop.stop_requested()) {
        m_json.fail(ErrorCode::Cancelled, "stopped");
        return;
      }
      rows.push_back(readComparison());
      checkSize(rows.back());
    });
    m_rowsExpected = rows.size();
  }

  void checkSize(const Comparison& row) {
    m_valuesOfMetric += sizeof(double) + (row.spread.empty() ? 0 : sizeof(Spread));
    checkColumns();
  }

  /// Of all rows so far: each has a value of every metric.
  void checkColumns() {
    const std::size_t most = kFreeBytes + kMostBytesOfAByte * m_text.size();
    if (m_columns.size() > kMostMetrics) {
      m_json.fail(
          ErrorCode::CorruptData,
          fmt::format("more than {} different metrics; no report has as many", kMostMetrics));
    } else if (m_columns.size() * m_valuesOfMetric > most) {
      m_json.fail(ErrorCode::CorruptData,
                  fmt::format("the rows name {} different metrics, and their values would take "
                              "more than the {} bytes that a file of this size may",
                              m_columns.size(),
                              most));
    }
  }

  Comparison readComparison() {
    Comparison row;
    row.metrics.reserve(m_columns.size());
    m_columns.startRow();
    m_json.readObject([&](std::string_view field) {
      if (!json::readField(m_json, row.site, kSiteFields, field) &&
          !json::readField(m_json, row, kTensorFields, field) && !readErrorField(row, field)) {
        readMetricField(row.metrics, field);
      }
    });
    if (row.site.name.empty()) {
      m_json.fail(ErrorCode::CorruptData, "the field 'name' is missing");
    }
    checkName(row.site.name, kLongestRowName);
    checkName(row.site.module, kLongestRowName);
    return row;
  }

  bool readErrorField(Comparison& row, std::string_view field) {
    if (field == kGainField) {
      row.gainError = m_json.readNumber();
    } else if (field == "spread") {
      m_json.readObject([&](std::string_view metric) { readRowSpread(row, metric); });
    } else {
      return json::readField(m_json, row, kElementFields, field);
    }
    return true;
  }

  void readRowSpread(Comparison& row, std::string_view metric) {
    if (metric == kGainField) {
      m_json.readObject([&](std::string_view field) {
        if (field == "mean") {
          row.gainError = m_json.readNumber();
        } else if (!json::readField(m_json, row.gainSpread, kSpreadFields, field)) {
          m_json.skipValue();
        }
      });
      return;
    }
    const std::size_t index = m_columns.indexOf(metric);
    if (index >= row.spread.size()) {
      row.spread.resize(index + 1);
    }
    json::readRecord(m_json, row.spread[index] = Spread(), kSpreadFields);
  }

  /// A field of a row that is none of the others is a metric when it is a number, or a group of
  /// metrics when it is an object; anything else is of a newer writer and passed over.
  void readMetricField(std::vector<double>& metrics, std::string_view field) {
    if (m_json.peek() != json::Reader::Token::BeginObject) {
      readMetricValue(metrics, field);
      return;
    }
    m_json.readObject([&](std::string_view part) {
      m_metricId.assign(field).append(".").append(part);
      readMetricValue(metrics, m_metricId);
    });
  }

  void readMetricValue(std::vector<double>& metrics, std::string_view id) {
    const json::Reader::Token kind = m_json.peek();
    if (kind == json::Reader::Token::Number) {
      setMetric(metrics, id, m_json.readNumber());
      return;
    }
    const std::string_view raw = m_json.skipValue();
    if (raw == "\"NaN\"") {
      setMetric(metrics, id, kUndefined);
    } else if (raw == "\"Infinity\"" || raw == "\"-Infinity\"") {
      const double infinity = std::numeric_limits<double>::infinity();
      setMetric(metrics, id, raw[1] == '-' ? -infinity : infinity);
    }
  }

  void setMetric(std::vector<double>& metrics, std::string_view id, double value) {
    const std::size_t index = m_columns.indexOf(id);
    if (index >= metrics.size()) {
      metrics.resize(index + 1, kUndefined);
    }
    metrics[index] = value;
  }

  Result<> assemble() {
    Report& report = m_report;
    ULP_TRY(checkPlaces());
    if (report.dumps) {
      dropLossesOfDumps();
    }
    if (!m_findings.empty() && !report.extraJson.empty()) {
      m_findings += ",";
    }
    m_findings += report.extraJson;
    report.extraJson = m_findings.empty() ? "" : "{" + m_findings + "}";
    const bool needsReference = !isOfOneDump(report) || !report.reference.empty();
    if (needsReference && !report.runs.empty() && !m_runIndex.contains(report.reference)) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: reference: there is no run '{}'", m_origin, report.reference));
    }
    for (auto& [name, rows] : m_comparisons) {
      const auto run = m_runIndex.find(name);
      if (run == m_runIndex.end()) {
        return fail(ErrorCode::CorruptData,
                    fmt::format("{}: comparisons: there is no run '{}'", m_origin, name));
      }
      for (Comparison& row : rows) {
        row.metrics.resize(m_columns.size(), kUndefined);
        if (!row.spread.empty()) {
          row.spread.resize(m_columns.size());
        }
      }
      report.runs[run->second].comparisons = std::move(rows);
    }
    std::stable_partition(report.runs.begin(), report.runs.end(), [&](const Run& run) {
      return run.name == report.reference;
    });
    report.metrics = std::move(m_columns).take();
    return {};
  }

  /// Refuses runs that have next to no tensor in common.
  [[nodiscard]] Result<> checkPlaces() const {
    std::size_t rows = 0;
    for (const auto& [name, comparisons] : m_comparisons) {
      rows += comparisons.size();
    }
    const std::size_t most = std::max(kFreePlaces, kMostPlacesOfARow * rows);
    if (rows * m_comparisons.size() <= most) {
      return {};
    }
    std::unordered_set<std::string_view> tensors;
    for (const auto& [name, comparisons] : m_comparisons) {
      for (const Comparison& row : comparisons) {
        tensors.insert(row.site.name);
      }
    }
    if (tensors.size() * m_comparisons.size() <= most) {
      return {};
    }
    return fail(
        ErrorCode::CorruptData,
        fmt::format("{}: comparisons: {} runs name {} different tensors in {} rows; a table "
                    "of them would have more than {} places",
                    m_origin,
                    m_comparisons.size(),
                    tensors.size(),
                    rows,
                    most));
  }

  /// Earlier versions wrote a loss of NaN for units of dumps, which have none.
  void dropLossesOfDumps() {
    for (Run& run : m_report.runs) {
      run.hasLoss = run.hasLoss && !std::isnan(run.loss);
    }
  }

  std::string_view m_text;
  std::string_view m_origin;
  json::Reader m_json;
  const std::stop_token& m_stop;
  Report m_report;
  std::unordered_map<std::string, std::size_t> m_runIndex;  ///< of Report::runs, while it is read
  std::string m_findings;                                   ///< the field, for extraJson
  MetricColumns m_columns;
  std::map<std::string, std::vector<Comparison>> m_comparisons;
  std::string m_metricId;
  std::size_t m_rowsExpected = 0;
  std::size_t m_valuesOfMetric = 0;  ///< bytes that the values of all rows take for each metric
};

}  // namespace

Result<Report> parseReport(std::string_view json,
                           std::string_view origin,
                           const std::stop_token& stop) {
  return isFastLlmReport(json) ? parseFastLlmReport(json, origin)
                               : ReportParser(json, origin, stop).parse();
}

}  // namespace ulp::report
