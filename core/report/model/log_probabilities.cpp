#include "core/report/model/log_probabilities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

#include "core/base/list_of.h"
#include "core/tensors/formats/torch/torch_file.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::report {
namespace {

Result<LogProbabilities> shaped(const tensors::Tensor& tensor, std::string name) {
  const std::vector<std::int64_t>& shape = tensor.view.shape;
  if (!isFloatingPoint(tensor.view.dtype) || shape.empty() || shape.size() > 2) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' is {} [{}]; log-probabilities are floating-point numbers of "
                            "shape [tokens] or [sequences, tokens]",
                            name,
                            toString(tensor.view.dtype),
                            fmt::join(shape, ", ")));
  }
  LogProbabilities found;
  found.name = std::move(name);
  found.sequences = shape.size() == 2 ? shape.front() : 1;
  found.length = shape.back();
  const std::size_t count = tensor.view.count();
  found.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    found.values.push_back(numerics::elementAt(tensor.view, i));
  }
  ULP_TRY(tensors::checkIntact(tensor));
  return found;
}

struct Labels {
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> isLabel;
};

Result<Labels> readLabels(const tensors::TensorArchive& archive) {
  const auto tensor = ULP_TRY(archive.read(kLogProbabilityLabels));
  Labels labels{.shape = tensor.view.shape, .isLabel = {}};
  const std::size_t count = tensor.view.count();
  labels.isLabel.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    labels.isLabel.push_back(static_cast<std::uint8_t>(numerics::elementAt(tensor.view, i) != 0));
  }
  return labels;
}

/// Gives runs their labels. Of a study that ended early some have the first of the sequences alone.
Result<> giveLabels(std::vector<LogProbabilities>& runs, const Labels& labels) {
  const std::size_t count = labels.isLabel.size();
  const bool isWhole = std::ranges::any_of(
      runs, [count](const LogProbabilities& run) { return run.values.size() == count; });
  for (LogProbabilities& run : runs) {
    const bool isPart = isWhole && labels.shape.size() == 2 && labels.shape.back() == run.length &&
                        run.values.size() < count;
    if (!isPart && run.values.size() != count) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("run '{}' has {} tokens, but '{}' has {}",
                              run.name,
                              run.values.size(),
                              kLogProbabilityLabels,
                              count));
    }
    const auto end = labels.isLabel.begin() + static_cast<std::ptrdiff_t>(run.values.size());
    run.isLabel.assign(labels.isLabel.begin(), end);
  }
  return {};
}

Result<std::vector<LogProbabilities>> readRuns(const tensors::TensorArchive& archive) {
  const auto labels = ULP_TRY(readLabels(archive));
  std::vector<LogProbabilities> runs;
  for (const tensors::TensorInfo& info : archive.tensors()) {
    if (!info.name.starts_with(kLogProbabilityRunPrefix)) {
      continue;
    }
    const auto tensor = ULP_TRY(archive.read(info.name));
    auto run = ULP_TRY(shaped(tensor, info.name.substr(kLogProbabilityRunPrefix.size())));
    runs.push_back(std::move(run));
  }
  ULP_TRY(giveLabels(runs, labels));
  return runs;
}

/// What Fast-LLM's evaluate_precision keeps of many sequences: a list of vectors of any length. The
/// shorter ones end with NaN, which is no label.
Result<LogProbabilities> readList(const tensors::TensorArchive& archive) {
  constexpr std::size_t kMostPadding = 64;
  LogProbabilities found;
  std::vector<std::vector<double>> sequences;
  std::size_t count = 0;
  for (const tensors::TensorInfo& info : archive.tensors()) {
    const auto tensor = ULP_TRY(archive.read(info.name));
    auto one = ULP_TRY(shaped(tensor, info.name));
    if (one.sequences != 1) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("'{}' holds {} sequences; a list of log-probabilities holds one a "
                              "vector",
                              info.name,
                              one.sequences));
    }
    found.length = std::max(found.length, one.length);
    count += one.values.size();
    sequences.push_back(std::move(one.values));
  }
  const auto length = static_cast<std::size_t>(found.length);
  if (length != 0 && sequences.size() > (count * kMostPadding) / length) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "its {} sequences differ too much in length, up to {}", sequences.size(), length));
  }
  found.sequences = static_cast<std::int64_t>(sequences.size());
  found.values.reserve(sequences.size() * length);
  for (const std::vector<double>& sequence : sequences) {
    found.values.insert(found.values.end(), sequence.begin(), sequence.end());
    found.values.resize(found.values.size() + length - sequence.size(),
                        std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

bool isList(const tensors::TensorArchive& archive) {
  const auto* file = dynamic_cast<const tensors::TorchFile*>(&archive);
  return file != nullptr && file->root().kind == tensors::TorchKind::List;
}

/// Fast-LLM calls the file of a run logprobs_RUN.pt.
std::string runOf(const std::filesystem::path& file) {
  constexpr std::string_view kFastLlm = "logprobs_";
  std::string name = file.stem().string();
  return file.extension() == ".pt" && name.starts_with(kFastLlm) ? name.substr(kFastLlm.size())
                                                                 : name;
}

Result<LogProbabilities> readOne(const tensors::TensorArchive& archive) {
  if (isList(archive) && !archive.tensors().empty()) {
    return readList(archive);
  }
  if (archive.tensors().size() != 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("holds {} tensors; a file of log-probabilities holds one, or those of "
                            "runs as 'runs/NAME' with '{}'",
                            archive.tensors().size(),
                            kLogProbabilityLabels));
  }
  const auto tensor = ULP_TRY(archive.read(archive.tensors().front().name));
  return shaped(tensor, archive.path().stem().string());
}

Result<std::vector<LogProbabilities>> readArchive(const tensors::TensorArchive& archive) {
  const std::vector<tensors::TensorInfo>& tensors = archive.tensors();
  const bool isOurs = std::ranges::any_of(
      tensors, [](const auto& info) { return info.name.starts_with(kLogProbabilityRunPrefix); });
  if (isOurs) {
    return readRuns(archive);
  }
  auto one = ULP_TRY(readOne(archive));
  one.name = runOf(archive.path());
  // Tokens of another engine's file that hold a number.
  one.isLabel = listOf(one.values,
                       [](double value) { return static_cast<std::uint8_t>(!std::isnan(value)); });
  return std::vector{std::move(one)};
}

}  // namespace

std::size_t LogProbabilities::labels() const {
  return static_cast<std::size_t>(std::ranges::count(isLabel, std::uint8_t{1}));
}

Result<std::vector<LogProbabilities>> readLogProbabilities(const std::filesystem::path& path) {
  std::filesystem::path file = path;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    file = path / kLogProbabilityFile;
    if (!std::filesystem::exists(file, ignored)) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: has no {}: a model of model.factory has none, nor have runs "
                              "of an older Ulpscope; make these again",
                              path.string(),
                              kLogProbabilityFile));
    }
  }
  const auto archive = ULP_TRY(tensors::openTensorFile(file));
  auto runs = readArchive(*archive);
  return runs ? std::move(runs) : failWhile(file.string(), std::move(runs));
}

}  // namespace ulp::report
