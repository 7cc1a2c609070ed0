#include "core/tensors/store/sample_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "core/tensors/formats/hdf5/hdf5_file.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::tensors {
namespace {

using std::filesystem::path;
using Shape = std::vector<std::int64_t>;

tl::unexpected<Error> damaged(const Hdf5File& file, std::string_view what) {
  return fail(ErrorCode::CorruptData,
              fmt::format("{}: {}; run the study again", file.path().string(), what));
}

Result<std::shared_ptr<const Hdf5File>> openSampleFile(const path& name) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: is not there; it holds what each sample gave, so run the study "
                            "again, or copy the file beside the report",
                            name.string()));
  }
  // A worker writes values in place, and says of each sample when it is finished.
  return Hdf5File::open(name, {}, Rewriting::Expected);
}

Result<std::vector<std::string>> textsOf(const Hdf5File& file, std::string_view name) {
  const Hdf5Dataset* dataset = file.dataset(name);
  return dataset != nullptr ? file.texts(*dataset)
                            : damaged(file, "does not name its rows and metrics");
}

Result<std::vector<SampleRow>> rowsOf(const Hdf5File& file) {
  auto names = ULP_TRY(textsOf(file, "row_names"));
  const auto passes = ULP_TRY(textsOf(file, "row_passes"));
  if (names.size() != passes.size()) {
    return damaged(file, "has not as many passes as rows");
  }
  std::vector<SampleRow> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto pass = parsePass(passes[i]);
    if (!pass) {
      return damaged(file, fmt::format("names the pass '{}', which there is not", passes[i]));
    }
    rows.push_back({std::move(names[i]), *pass});
  }
  return rows;
}

/// The values of a run that `name` holds, of this type and shape.
Result<Tensor> valuesOf(const Hdf5File& file,
                        const std::string& run,
                        const char* name,
                        DType dtype,
                        const Shape& shape) {
  const Hdf5Dataset* dataset = file.dataset(run + "/" + name);
  if (dataset == nullptr || dataset->info.dtype != dtype || dataset->info.shape != shape) {
    return damaged(file, fmt::format("{}/{} is not there or of another size", run, name));
  }
  return file.read(*dataset);
}

/// The part of a run's values that belongs to one metric, of the samples that are finished.
void keepFinished(SampleTable& table,
                  const Tensor& finished,
                  const Tensor& values,
                  std::size_t metric) {
  const std::size_t rows = table.rows.size();
  const auto metrics = static_cast<std::size_t>(values.view.shape[2]);
  const auto flags = finished.view.bytes();
  for (std::size_t sample = 0; sample < flags.size(); ++sample) {
    if (flags[sample] == std::byte{0}) {
      continue;
    }
    table.samples.push_back(sample);
    const std::size_t begin = table.values.size();
    table.values.resize(begin + rows);
    numerics::readElements(values.view,
                           static_cast<std::int64_t>(sample * rows * metrics + metric),
                           static_cast<std::int64_t>(metrics),
                           std::span(table.values).subspan(begin));
  }
}

}  // namespace

Result<std::vector<SampleRow>> readSampleRows(const path& folder) {
  const auto file = ULP_TRY(openSampleFile(folder / kSampleFile));
  return rowsOf(*file);
}

Result<SampleTable> readSamples(const path& folder, std::string_view run, std::string_view metric) {
  const path name = folder / kSampleFile;
  const auto file = ULP_TRY(openSampleFile(name));
  auto rows = ULP_TRY(rowsOf(*file));
  const auto metrics = ULP_TRY(textsOf(*file, "metrics"));
  const auto column = std::ranges::find(metrics, metric);
  const std::string group = "runs/" + runLinkName(run);
  const bool hasRun = file->group(group) != nullptr;
  if (column == metrics.end() || !hasRun) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: has no values of the {} '{}'",
                            name.string(),
                            hasRun ? "metric" : "run",
                            hasRun ? metric : run));
  }
  const Hdf5Dataset* flags = file->dataset(group + "/finished");
  if (flags == nullptr || flags->info.shape.size() != 1) {
    return damaged(*file, fmt::format("does not say which samples of run '{}' are finished", run));
  }
  const std::int64_t samples = flags->info.shape.front();
  const auto finished =
      ULP_TRY(valuesOf(*file, group, "finished", DType::UInt8, flags->info.shape));
  const auto values = ULP_TRY(valuesOf(*file,
                                       group,
                                       "metrics",
                                       DType::Float64,
                                       {samples,
                                        static_cast<std::int64_t>(rows.size()),
                                        static_cast<std::int64_t>(metrics.size())}));
  SampleTable table{.rows = std::move(rows), .samples = {}, .values = {}};
  keepFinished(table, finished, values, static_cast<std::size_t>(column - metrics.begin()));
  ULP_TRY(checkIntact(finished));
  ULP_TRY(checkIntact(values));
  return table;
}

}  // namespace ulp::tensors
