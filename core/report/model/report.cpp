#include "core/report/model/report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/files/atomic_file.h"
#include "core/base/files/mapped_file.h"
#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/metric_math.h"

namespace ulp::report {
namespace {

constexpr std::string_view kFileName = "precision_report.json";

}  // namespace

std::string_view toString(RunStatus status) {
  constexpr std::array<std::string_view, 6> kNames{
      "pending", "running", "finished", "failed", "cancelled", "skipped"};
  return kNames.at(static_cast<std::size_t>(status));
}

std::string_view toString(RunRole role) {
  return role == RunRole::Floor ? "floor" : "variant";
}

const Run* Report::findRun(std::string_view name) const {
  const auto found = std::ranges::find(runs, name, &Run::name);
  return found == runs.end() ? nullptr : &*found;
}

int Report::metricIndex(std::string_view id) const {
  const auto found = std::ranges::find(metrics, id, &MetricColumn::id);
  return found == metrics.end() ? -1 : static_cast<int>(found - metrics.begin());
}

Result<LoadedReport> loadReport(const std::filesystem::path& path, const std::stop_token& stop) {
  std::error_code ignored;
  const bool isFolder = std::filesystem::is_directory(path, ignored);
  const std::filesystem::path file = isFolder ? path / kFileName : path;
  if (isFolder && !std::filesystem::exists(file, ignored)) {
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "{}: the folder holds no {}; is it the folder of a study?", path.string(), kFileName));
  }
  const auto mapped = ULP_TRY(MappedFile::open(file));
  const auto bytes = mapped->bytes();
  // A mapping is bytes; JSON is text of the same bytes.
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());  // NOLINT(*-reinterpret-cast)
  auto parsed = guarded([&] { return parseReport(text, file.string(), stop); });
  ULP_TRY(mapped->checkIntact());
  if (!parsed) {
    return failWhile(file.string(), std::move(parsed));
  }
  auto report = ULP_TRY(*std::move(parsed));
  return LoadedReport{std::make_shared<const Report>(std::move(report)), file, file.parent_path()};
}

Result<> saveReport(const Report& report, const std::filesystem::path& folder) {
  return writeFileAtomically(folder / kFileName, toJson(report));
}

Comparison makeComparison(const Site& site,
                          const numerics::TensorView& reference,
                          const numerics::TensorView& candidate,
                          const numerics::Moments& moments) {
  static const numerics::MetricRegistry kMetrics = numerics::elementMetrics();
  Comparison comparison;
  comparison.site = site;
  comparison.shape = reference.shape;
  comparison.referenceDType = toString(reference.dtype);
  comparison.variantDType = toString(candidate.dtype);
  comparison.count = moments.count;
  comparison.compared = moments.compared;
  comparison.referenceNonFinite = moments.reference;
  comparison.variantNonFinite = moments.candidate;
  comparison.metrics.reserve(kMetrics.all().size());
  for (const numerics::Metric& metric : kMetrics.all()) {
    comparison.metrics.push_back(metric.value(moments));
  }
  comparison.gainError = numerics::gainError(moments);
  const std::uint64_t elements = reference.count();
  for (const numerics::WorstElement& element : moments.worst) {
    comparison.worst.push_back(
        {.index = numerics::unravel(element.flat % elements, reference.shape),
         .reference = element.reference,
         .variant = element.candidate,
         .microBatch = element.flat / elements});
  }
  return comparison;
}

}  // namespace ulp::report
