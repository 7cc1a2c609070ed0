#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/graph/operation_graph.h"
#include "core/base/kernels/kernel_record.h"
#include "core/base/memory/device_memory.h"
#include "core/base/site.h"
#include "core/base/unit_axes.h"
#include "core/numerics/comparison/comparison.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/expert_choice.h"
#include "core/report/model/log_probability_error.h"
#include "core/report/model/position_errors.h"
#include "core/report/model/spread.h"

/// What a study leaves behind: `precision_report.json` in memory. Built once, then published as a
/// shared_ptr<const Report> and never written again; views and exporters only read.
namespace ulp::report {

inline constexpr std::string_view kSchema = "ulpscope.report/1";

/// An element of largest |v - r|.
struct WorstPair {
  std::vector<std::int64_t> index;
  double reference = 0;
  double variant = 0;
  std::uint64_t sample = 0;      ///< in which it was found, from 0
  std::uint64_t microBatch = 0;  ///< of the sample's step, from 0
};

/// A baseline capture and a candidate capture of one site, with all metrics between them; of a step
/// of several micro-batches those of each, as one tensor; of a study of several samples one of
/// each: counts are added up, metrics are means.
struct Comparison {
  Site site;
  std::vector<std::int64_t> shape;  ///< in one micro-batch
  std::string referenceDType;
  std::string variantDType;
  std::uint64_t count = 0;
  std::uint64_t compared = 0;  ///< finite in both
  numerics::NonFiniteCounts referenceNonFinite;
  numerics::NonFiniteCounts variantNonFinite;
  std::vector<double> metrics;   ///< parallel to Report::metrics; NaN: undefined
  std::vector<WorstPair> worst;  ///< of all samples
  std::vector<Spread> spread{};  ///< parallel to metrics; empty: one sample
  /// numerics::gainError(), the mean over the samples; NaN in reports that do not say.
  double gainError = kUndefined;
  Spread gainSpread{};
  /// Of tensors whose rows are those of experts: rows whose token one run alone sends to the
  /// expert. They are not compared; `count` is that of the elements of all others.
  std::uint64_t onlyReference = 0;
  std::uint64_t onlyVariant = 0;

  /// Tells whether nothing could be compared: an undefined value is NaN for the reader. Any other
  /// one (of a zero norm) is missing.
  [[nodiscard]] bool isAllNonFinite() const { return compared == 0 && count != 0; }
};

/// A metric that the report holds, in column order. A report of another version may hold others.
struct MetricColumn {
  std::string id;
};

enum class RunStatus : std::uint8_t {
  Pending,
  Running,
  Finished,
  Failed,
  Cancelled,
  Skipped  ///< by the user; --resume leaves it out unless it is named
};
[[nodiscard]] std::string_view toString(RunStatus status);

/// What the clip range of a policy loss did to its tokens or documents.
struct ClipSummary {
  std::string unit;         ///< "token", "document"
  std::uint64_t count = 0;  ///< of them
  std::uint64_t below = 0;  ///< with a ratio below the range
  std::uint64_t above = 0;
  std::uint64_t stopped = 0;  ///< that send no gradient
  /// Whose ratio lies in another region (below, in, above) than in the reference; none: this is the
  /// reference.
  std::optional<std::uint64_t> flips;
  std::optional<std::uint64_t>
      gradientFlips;  ///< that send a gradient in one of the two runs alone
};

struct LossTermSummary {
  std::string type;
  double weight = 1;
  double value = 0;  ///< without its weight
  std::vector<std::pair<std::string, double>> metrics{};
  std::optional<ClipSummary> clips{};
};

/// The step that a run took: its loss is Σ weight × value over the terms. Of several samples:
/// counts are added up, values and metrics are means.
struct StepSummary {
  std::uint64_t labels = 0;  ///< tokens that were predicted; 0: the report does not say
  std::uint64_t documents = 0;
  std::uint64_t microBatches = 0;
  std::vector<LossTermSummary> terms{};
};

/// Why a run is in the study.
enum class RunRole : std::uint8_t {
  Variant,  ///< it is what the study asks about; also the reference
  Floor     ///< the reference once more, to measure what is not precision: the noise floor
};
[[nodiscard]] std::string_view toString(RunRole role);

struct Run {
  std::string name;
  std::map<std::string, std::string> overrides;  ///< dotted path -> value as YAML text
  RunStatus status = RunStatus::Pending;
  double loss = 0;                       ///< NaN until finished; the mean over the samples
  double seconds = 0;                    ///< of all samples; 0: the report does not say
  std::uint64_t peakBytes = 0;           ///< the largest; 0: the report does not say
  std::optional<DeviceMemory> memory{};  ///< of a run on CUDA, of the sample with that peak
  StepSummary step;
  /// By module path of the attention, where it was fused: "math", "flash", "efficient", "cudnn"; of
  /// several choices all, in order.
  std::map<std::string, std::string> attentionKernels{};
  /// Files of the user's Python code that it ran, by path, with their SHA-256.
  std::map<std::string, std::string> codeFiles{};
  std::string error;  ///< of a failed run
  /// Of `error`; nothing: there is none, or nobody told, as in reports of earlier versions.
  std::optional<ErrorCode> errorCode{};
  std::vector<Comparison> comparisons;  ///< in execution order; empty for the reference
  /// The run that it was compared with; empty: that of the report. Another one where reports were
  /// joined whose references are not the same; no report says it.
  std::string reference{};
  /// Names of the parameters for which it left no gradient, though the reference has one.
  std::vector<std::string> missingGradients{};
  RunRole role = RunRole::Variant;
  std::uint64_t samples = 1;  ///< finished, of Provenance::samples
  Spread lossSpread{};        ///< with two samples or more
  /// Against the reference; nothing: the report does not say, or this is the reference.
  std::optional<LogProbabilityError> logProbabilities{};
  /// In order of execution; empty: the model has no routers, or this is the reference.
  std::vector<RouterChoice> routers{};
  /// Of a study in which the reference continues prompts; empty: of any other one, or this is the
  /// reference.
  PositionErrors positions{};
  KernelRecord kernels{};  ///< empty: none were recorded
  OperationGraph graph{};  ///< empty: nobody knows what rows were made from
  /// Which unit of a dump the run is; nothing: none that has a step, rank or token.
  std::optional<UnitAxes> axes{};
  /// False: whoever wrote the report said nothing of a loss, and `loss` is NaN without being one.
  bool hasLoss = true;
};

struct Provenance {
  std::string ulpscopeVersion;
  std::string torchVersion;
  /// What ran the model where that was Python: "Python 3.11.7, transformers 5.23.0,
  /// Qwen3ForCausalLM"; empty: the native engine.
  std::string engine{};
  std::string device;
  /// Of a CUDA device: compute_capability, multiprocessors, driver, cuda, cublas, cudnn …, and
  /// variables of the environment that choose among kernels.
  std::map<std::string, std::string> deviceFacts{};
  int threads = 0;
  std::string weightsDigest;
  std::string tokenDigest;
  std::string startedAt;  ///< ISO 8601, UTC
  double seconds = 0;
  std::string input{};  ///< where the tokens come from; empty in reports of earlier versions
  /// Independent steps on tokens of their own that every run takes.
  std::uint64_t samples = 1;
  std::uint64_t sequences = 0;       ///< of all samples; 0: the report does not say
  std::uint64_t sequenceLength = 0;  ///< input positions of each; 0: the report does not say
};

struct ModelSummary {
  std::string name;
  std::string family;
  int layers = 0;                ///< 0: the report does not say
  std::uint64_t parameters = 0;  ///< 0: the report does not say
};

struct Report {
  Provenance provenance;
  ModelSummary model;
  std::string studyYaml;      ///< study.yaml as run, comments kept
  std::string effectiveJson;  ///< {"<run>": {"<key>": {"value", "origin"}}}
  std::vector<MetricColumn> metrics;
  std::string reference;              ///< name of the run that the others are compared with
  std::vector<Run> runs;              ///< reference first, then variants in the order of the study
  std::optional<DumpOrigin> dumps{};  ///< of a comparison of dumps
  std::string extraJson;  ///< top-level fields of a newer writer, kept when written again

  [[nodiscard]] const Run* findRun(std::string_view name) const;
  /// What a run was compared with; null: the report has no such run.
  [[nodiscard]] const Run* referenceOf(const Run& run) const {
    return findRun(run.reference.empty() ? reference : run.reference);
  }
  /// Position of a metric in Comparison::metrics, or -1.
  [[nodiscard]] int metricIndex(std::string_view id) const;
};

using ReportPtr = std::shared_ptr<const Report>;

/// A report and where it came from: the run folder (tensors.h5, run.log, … lie beside it) or one
/// file.
struct LoadedReport {
  ReportPtr report;
  std::filesystem::path file;    ///< the JSON
  std::filesystem::path folder;  ///< its folder
};

/// Opens a run folder or a report file. Errors: NotFound; CorruptData with file, JSON position and
/// path of the field; Unsupported for a newer schema, naming both versions, and for files of other
/// tools that are known; Cancelled.
[[nodiscard]] Result<LoadedReport> loadReport(const std::filesystem::path& path,
                                              const std::stop_token& stop = {});
[[nodiscard]] Result<Report> parseReport(std::string_view json,
                                         std::string_view origin,
                                         const std::stop_token& stop = {});
[[nodiscard]] std::string toJson(const Report& report);
/// Atomically replaces `folder`/precision_report.json.
[[nodiscard]] Result<> saveReport(const Report& report, const std::filesystem::path& folder);

/// Fills a comparison from the fused pass; `metrics` come in registry order. The tensors are those
/// of the last micro-batch, the moments those of all of them, one after another.
[[nodiscard]] Comparison makeComparison(const Site& site,
                                        const numerics::TensorView& reference,
                                        const numerics::TensorView& candidate,
                                        const numerics::Moments& moments);

}  // namespace ulp::report
