#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/compat/comparator.h"
#include "core/compat/msit/dequantized.h"
#include "core/compat/msit/metrics.h"
#include "core/compat/msit/report_table.h"
#include "core/dumps/model/folders.h"
#include "core/tensors/opening/tensor_file.h"

/// `msit llm compare -w`: float weights against those that quantised ones stand for.
namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using msit::ReportRow;
using tensors::TensorArchivePtr;

constexpr std::string_view kWeight = "weight";

/// Those with one extension, or where there are none those with the other, sorted.
std::vector<fs::path> weightFiles(const fs::path& folder) {
  std::map<std::string, std::vector<fs::path>> files;
  for (const std::string& name : dumps::folderNames(folder)) {
    files[fs::path(name).extension().string()].push_back(folder / name);
  }
  return files[".safetensors"].empty() ? files[".bin"] : files[".safetensors"];
}

Result<std::vector<TensorArchivePtr>> openWeights(const fs::path& folder) {
  const std::vector<fs::path> files = weightFiles(folder);
  if (files.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no .safetensors or .bin file of weights; name the folder of "
                            "a model",
                            folder.string()));
  }
  std::vector<TensorArchivePtr> archives;
  for (const fs::path& file : files) {
    auto archive = ULP_TRY(tensors::openTensorFile(file));
    archives.push_back(std::move(archive));
  }
  return archives;
}

/// Where the tensors of several files are.
class WeightIndex {
 public:
  explicit WeightIndex(std::vector<TensorArchivePtr> archives) : m_archives(std::move(archives)) {
    for (const TensorArchivePtr& archive : m_archives) {
      for (const tensors::TensorInfo& info : archive->tensors()) {
        m_places.emplace(info.name, std::pair(archive.get(), &info));
      }
    }
  }
  [[nodiscard]] const tensors::TensorInfo* find(const std::string& name) const {
    const auto found = m_places.find(name);
    return found == m_places.end() ? nullptr : found->second.second;
  }
  // Of both, the name is one that find() knows.
  [[nodiscard]] const fs::path& fileOf(const std::string& name) const {
    return m_places.at(name).first->path();
  }
  [[nodiscard]] Result<tensors::Tensor> read(const std::string& name) const {
    return m_places.at(name).first->read(name);
  }

 private:
  std::vector<TensorArchivePtr> m_archives;
  std::map<std::string, std::pair<const tensors::TensorArchive*, const tensors::TensorInfo*>>
      m_places;
};

/// As Python replaces: every "weight" in the name.
std::string withEnding(std::string name, std::string_view replacement) {
  for (std::size_t at = name.find(kWeight); at != std::string::npos;
       at = name.find(kWeight, at + replacement.size())) {
    name.replace(at, kWeight.size(), replacement);
  }
  return name;
}

Result<ReportRow> compareWeight(const std::string& name,
                                const tensors::TensorArchive& golden,
                                const WeightIndex& my) {
  const auto weight = ULP_TRY(my.read(name));
  const auto offset = ULP_TRY(my.read(withEnding(name, "weight_offset")));
  const auto scale = ULP_TRY(my.read(withEnding(name, "weight_scale")));
  const auto reference = ULP_TRY(golden.read(name));
  const auto made = msit::dequantized(weight.view, offset.view, scale.view);
  if (!made) {
    return fail(
        made.error().code(),
        fmt::format("{}: '{}': {}", my.fileOf(name).string(), name, made.error().message()));
  }
  const std::vector<float> values = msit::asFloats(reference.view);
  for (const auto* read : {&weight, &offset, &scale, &reference}) {
    ULP_TRY(tensors::checkIntact(*read));
  }
  ReportRow row{.token = name,
                .golden = msit::summaryOf(reference.view.dtype, reference.view.shape, values),
                .my = msit::summaryOf(made->dtype, made->shape, made->values)};
  msit::compareInto(row, values, made->values);
  return row;
}

/// A weight of int8 with the two tensors that it is made a float by.
bool isQuantized(const std::string& name, const WeightIndex& my) {
  const tensors::TensorInfo* weight = my.find(name);
  return name.ends_with(kWeight) && weight != nullptr && weight->dtype == DType::Int8 &&
         my.find(withEnding(name, "weight_offset")) != nullptr &&
         my.find(withEnding(name, "weight_scale")) != nullptr;
}

/// A weight that cannot be compared becomes a failure; where there is nothing else, they are the
/// error.
Result<std::vector<ReportRow>> compareAllWeights(const std::vector<TensorArchivePtr>& golden,
                                                 const WeightIndex& my,
                                                 std::vector<Error>& failures,
                                                 const std::stop_token& stop,
                                                 const dumps::Progress& progress) {
  std::vector<std::pair<const tensors::TensorArchive*, std::string>> pairs;
  for (const TensorArchivePtr& archive : golden) {
    for (const tensors::TensorInfo& info : archive->tensors()) {
      if (isQuantized(info.name, my)) {
        pairs.emplace_back(archive.get(), info.name);
      }
    }
  }
  std::vector<ReportRow> rows;
  for (const auto& [archive, name] : pairs) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "the comparison of weights was cancelled");
    }
    auto row = compareWeight(name, *archive, my);
    if (row) {
      rows.push_back(std::move(*row));
    } else {
      failures.push_back(std::move(row.error()));
    }
    if (progress) {
      progress(rows.size() + failures.size(), pairs.size());
    }
  }
  if (rows.empty() && !failures.empty()) {
    return tl::unexpected<Error>(asOneError(failures));
  }
  return rows;
}

Result<CompareOutcome> compareWeights(const CompareRequest& request,
                                      const std::stop_token& stop,
                                      const dumps::Progress& progress) {
  const auto golden = ULP_TRY(openWeights(request.golden));
  auto my = ULP_TRY(openWeights(request.target));
  CompareOutcome outcome;
  if (my.size() > 1) {
    outcome.notes.push_back(
        fmt::format("{}: holds {} files; msit reads one of them alone, here all are",
                    request.target.string(),
                    my.size()));
  }
  auto rows = ULP_TRY(
      compareAllWeights(golden, WeightIndex(std::move(my)), outcome.failures, stop, progress));
  if (rows.empty()) {
    outcome.notes.push_back(
        fmt::format("{}: has no weight of int8 with weight_offset and "
                    "weight_scale that {} has, too; the table is empty",
                    request.target.string(),
                    request.golden.string()));
  }
  const std::string name =
      "msit_cmp_report_" + timestampOf(request, std::chrono::hours(0)) + ".csv";
  ULP_TRY(writeResult(request.output / name, msit::weightsCsv(std::move(rows)), outcome));
  return outcome;
}

}  // namespace

void registerMsitWeights(ComparatorRegistry& registry) {
  registry.add({"msit-weights", "msit llm 8.2, compare -w", {}, compareWeights});
}

}  // namespace ulp::compat
