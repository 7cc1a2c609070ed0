#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/base/undefined.h"
#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/report/files/dump_origin_json.h"
#include "core/report/files/fast_llm_report.h"
#include "core/report/files/foreign_report.h"
#include "core/report/files/log_probability_error_json.h"
#include "core/report/files/spread_json.h"
#include "core/report/files/step_json.h"
#include "core/report/model/report.h"

namespace ulp::report {
namespace {

constexpr std::string_view kSchemaName = "ulpscope.report/";

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
    } else if (key == "provenance") {
      m_json.readObject([&](std::string_view field) { readProvenance(field); });
    } else if (key == "study") {
      m_json.readObject([&](std::string_view field) { readStudy(field); });
    } else if (key == "model") {
      m_json.readObject([&](std::string_view field) { readModel(field); });
    } else if (key == "reference") {
      m_report.reference = m_json.readString();
    } else if (key == "runs") {
      m_json.readObject([&](std::string_view name) { readRun(name); });
    } else if (key == "metrics") {
      m_json.readArray([&] { m_columns.indexOf(m_json.readString()); });
    } else if (key == "dumps") {
      m_report.dumps = readDumpOrigin(m_json);
    } else if (key == "comparisons") {
      m_json.readObject([&](std::string_view run) { readComparisons(run); });
    } else {
      keepExtra(key);
    }
  }

  void keepExtra(std::string_view key) {
    const std::string_view raw = m_json.skipValue();
    if (key == "findings" && std::count(raw.begin(), raw.end(), '{') == 0) {
      return;  // an empty list is written anyway
    }
    json::Writer field;
    field.key(key);
    field.raw(raw);
    std::string& extra = m_report.extraJson;
    const std::string text = std::move(field).take();
    // toJson() looks for findings at the front.
    const bool isFirst = key == "findings";
    extra = extra.empty() ? text : isFirst ? text + "," + extra : extra + "," + text;
  }

  void readProvenance(std::string_view field) {
    Provenance& provenance = m_report.provenance;
    if (field == "versions") {
      m_json.readObject([&](std::string_view name) {
        if (name == "ulpscope") {
          provenance.ulpscopeVersion = m_json.readString();
        } else if (name == "torch") {
          provenance.torchVersion = m_json.readString();
        } else {
          m_json.skipValue();
        }
      });
    } else if (field == "device") {
      provenance.device = m_json.readString();
    } else if (field == "threads") {
      provenance.threads = readInt();
    } else if (field == "weights_digest") {
      provenance.weightsDigest = m_json.readString();
    } else if (field == "token_digest") {
      provenance.tokenDigest = m_json.readString();
    } else if (field == "input") {
      provenance.input = m_json.readString();
    } else if (field == "samples") {
      provenance.samples = m_json.readCount();
    } else if (field == "sequences") {
      provenance.sequences = m_json.readCount();
    } else if (field == "sequence_length") {
      provenance.sequenceLength = m_json.readCount();
    } else if (field == "start") {
      provenance.startedAt = m_json.readString();
    } else if (field == "seconds") {
      provenance.seconds = m_json.readNumber();
    } else {
      m_json.skipValue();
    }
  }

  int readInt() {
    const std::int64_t value = m_json.readInteger();
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
      m_json.fail(ErrorCode::CorruptData, fmt::format("{} is too large here", value));
      return 0;
    }
    return static_cast<int>(value);
  }

  void readStudy(std::string_view field) {
    if (field == "effective") {
      m_report.effectiveJson = m_json.skipValue();
    } else if (field == "yaml") {
      m_report.studyYaml = m_json.readString();
    } else {
      m_json.skipValue();
    }
  }

  void readModel(std::string_view field) {
    ModelSummary& model = m_report.model;
    if (field == "name") {
      model.name = m_json.readString();
    } else if (field == "family") {
      model.family = m_json.readString();
    } else if (field == "layers") {
      model.layers = readInt();
    } else if (field == "parameters") {
      model.parameters = m_json.readCount();
    } else {
      m_json.skipValue();
    }
  }

  void readRun(std::string_view name) {
    if (m_report.findRun(name) != nullptr) {
      m_json.fail(ErrorCode::CorruptData, "the run is listed twice");
      return;
    }
    Run run;
    run.name = name;
    run.status = RunStatus::Finished;
    run.loss = kUndefined;
    run.hasLoss = false;
    m_json.readObject([&](std::string_view field) { readRunField(run, field); });
    m_report.runs.push_back(std::move(run));
  }

  void readRunField(Run& run, std::string_view field) {
    if (field == "overrides") {
      m_json.readObject(
          [&](std::string_view path) { run.overrides[std::string(path)] = m_json.readString(); });
    } else if (field == "loss") {
      run.loss = m_json.readNumber();
      run.hasLoss = true;
    } else if (field == "seconds") {
      run.seconds = m_json.readNumber();
    } else if (field == "peak_bytes") {
      run.peakBytes = m_json.readCount();
    } else if (field == "status") {
      run.status = readStatus();
    } else if (field == "role") {
      run.role =
          m_json.readString() == toString(RunRole::Floor) ? RunRole::Floor : RunRole::Variant;
    } else if (field == "samples") {
      run.samples = m_json.readCount();
    } else if (field == "loss_spread") {
      run.lossSpread = readSpread(m_json);
    } else if (field == "error") {
      run.error = m_json.readString();
    } else if (field == "step") {
      m_json.readObject([&](std::string_view part) { readStepField(m_json, run.step, part); });
    } else if (field == "log_probabilities") {
      run.logProbabilities = readLogProbabilityError(m_json);
    } else if (field == "axes") {
      run.axes = readAxes(m_json);
    } else {
      m_json.skipValue();
    }
  }

  RunStatus readStatus() {
    const std::string word = m_json.readString();
    for (const RunStatus status : {RunStatus::Pending,
                                   RunStatus::Running,
                                   RunStatus::Finished,
                                   RunStatus::Failed,
                                   RunStatus::Cancelled,
                                   RunStatus::Skipped}) {
      if (word == toString(status)) {
        return status;
      }
    }
    m_json.fail(ErrorCode::CorruptData, fmt::format("'{}' is not a status", word));
    return RunStatus::Failed;
  }

  void readComparisons(std::string_view run) {
    std::vector<Comparison>& rows = m_comparisons[std::string(run)];
    // Runs mostly have as many rows as the one before.
    rows.reserve(m_rowsExpected);
    m_json.readArray([&] {
      if (m_stop.stop_requested()) {
        m_json.fail(ErrorCode::Cancelled, "stopped");
        return;
      }
      rows.push_back(readComparison());
    });
    m_rowsExpected = rows.size();
  }

  Comparison readComparison() {
    Comparison row;
    row.metrics.reserve(m_columns.size());
    m_columns.startRow();
    m_json.readObject([&](std::string_view field) {
      if (!readSiteField(row.site, field) && !readTensorField(row, field)) {
        readMetricField(row.metrics, field);
      }
    });
    if (row.site.name.empty()) {
      m_json.fail(ErrorCode::CorruptData, "the field 'name' is missing");
    }
    return row;
  }

  bool readSiteField(Site& site, std::string_view field) {
    if (field == "name") {
      site.name = m_json.readString();
    } else if (field == "module") {
      site.module = m_json.readString();
    } else if (field == "layer") {
      site.layer = readInt();
    } else if (field == "level") {
      site.level = readWord(parseLevel, "layer, module or op").value_or(Level::Layer);
    } else if (field == "pass") {
      site.pass = readWord(parsePass, "forward, backward, parameter_gradient or optimizer")
                      .value_or(Pass::Forward);
    } else {
      return false;
    }
    return true;
  }

  template <class Enum>
  std::optional<Enum> readWord(std::optional<Enum> (*parseWord)(std::string_view),
                               std::string_view choices) {
    const std::string word = m_json.readString();
    const std::optional<Enum> value = parseWord(word);
    if (!value) {
      m_json.fail(ErrorCode::CorruptData, fmt::format("expected {}, found \"{}\"", choices, word));
    }
    return value;
  }

  bool readTensorField(Comparison& row, std::string_view field) {
    if (field == "shape") {
      row.shape = readIndices();
    } else if (field == "dtype") {
      readPair([&](bool isReference) {
        (isReference ? row.referenceDType : row.variantDType) = m_json.readString();
      });
    } else if (field == "count") {
      row.count = m_json.readCount();
    } else if (field == "compared") {
      row.compared = m_json.readCount();
    } else if (field == "nonfinite") {
      readPair([&](bool isReference) {
        readNonFinite(isReference ? row.referenceNonFinite : row.variantNonFinite);
      });
    } else if (field == "worst") {
      m_worst.clear();
      m_json.readArray([&] { m_worst.push_back(readWorst()); });
      row.worst.assign(std::make_move_iterator(m_worst.begin()),
                       std::make_move_iterator(m_worst.end()));
    } else if (field == kGainField) {
      row.gainError = m_json.readNumber();
    } else if (field == "spread") {
      m_json.readObject([&](std::string_view of) { readRowSpread(row, of); });
    } else {
      return false;
    }
    return true;
  }

  /// {"reference": …, "variant": …}
  template <class OnSide>
  void readPair(OnSide&& onSide) {
    m_json.readObject([&](std::string_view side) {
      if (side == "reference" || side == "variant") {
        onSide(side == "reference");
      } else {
        m_json.skipValue();
      }
    });
  }

  void readNonFinite(numerics::NonFiniteCounts& counts) {
    m_json.readObject([&](std::string_view kind) {
      if (kind == "nan") {
        counts.nan = m_json.readCount();
      } else if (kind == "+inf") {
        counts.positiveInfinity = m_json.readCount();
      } else if (kind == "-inf") {
        counts.negativeInfinity = m_json.readCount();
      } else {
        m_json.skipValue();
      }
    });
  }

  /// Gathered in one place first: a list that grows number by number is allocated again and again.
  std::vector<std::int64_t> readIndices() {
    m_indices.clear();
    m_json.readArray([&] { m_indices.push_back(m_json.readInteger()); });
    return m_indices;
  }

  WorstPair readWorst() {
    WorstPair pair;
    m_json.readObject([&](std::string_view field) {
      if (field == "index") {
        pair.index = readIndices();
      } else if (field == "reference") {
        pair.reference = m_json.readNumber();
      } else if (field == "variant") {
        pair.variant = m_json.readNumber();
      } else if (field == "sample") {
        pair.sample = m_json.readCount();
      } else if (field == "micro_batch") {
        pair.microBatch = m_json.readCount();
      } else {
        m_json.skipValue();
      }
    });
    return pair;
  }

  void readRowSpread(Comparison& row, std::string_view of) {
    if (of == kGainField) {
      row.gainSpread = readSpread(m_json, &row.gainError);
      return;
    }
    const std::size_t index = m_columns.indexOf(of);
    if (index >= row.spread.size()) {
      row.spread.resize(index + 1);
    }
    row.spread[index] = readSpread(m_json);
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
    if (report.dumps) {
      dropLossesOfDumps();
    }
    if (!report.extraJson.empty()) {
      report.extraJson = "{" + report.extraJson + "}";
    }
    if (!report.runs.empty() && report.findRun(report.reference) == nullptr) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: reference: there is no run '{}'", m_origin, report.reference));
    }
    std::stable_partition(report.runs.begin(), report.runs.end(), [&](const Run& run) {
      return run.name == report.reference;
    });
    for (auto& entry : m_comparisons) {
      const std::string& name = entry.first;
      std::vector<Comparison>& rows = entry.second;
      const auto run = std::find_if(
          report.runs.begin(), report.runs.end(), [&](const Run& r) { return r.name == name; });
      if (run == report.runs.end()) {
        return fail(ErrorCode::CorruptData,
                    fmt::format("{}: comparisons: there is no run '{}'", m_origin, name));
      }
      for (Comparison& row : rows) {
        row.metrics.resize(m_columns.size(), kUndefined);
        if (!row.spread.empty()) {
          row.spread.resize(m_columns.size());
        }
      }
      run->comparisons = std::move(rows);
    }
    report.metrics = std::move(m_columns).take();
    return {};
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
  MetricColumns m_columns;
  std::map<std::string, std::vector<Comparison>> m_comparisons;
  std::string m_metricId;
  std::size_t m_rowsExpected = 0;
  std::vector<std::int64_t> m_indices;
  std::vector<WorstPair> m_worst;
};

}  // namespace

Result<Report> parseReport(std::string_view json,
                           std::string_view origin,
                           const std::stop_token& stop) {
  return isFastLlmReport(json) ? parseFastLlmReport(json, origin)
                               : ReportParser(json, origin, stop).parse();
}

}  // namespace ulp::report
