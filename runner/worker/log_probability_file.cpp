#include "runner/worker/log_probability_file.h"

#include "core/tensors/safetensors.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kRunPrefix = "runs/";

}  // namespace

Result<> LogProbabilityFile::load() {
  const auto path = m_folder / kLogProbabilityFile;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return {};
  }
  const auto file = tensors::openSafetensors(path);
  if (!file) {
    return tl::unexpected(file.error());
  }
  for (const tensors::TensorInfo& info : (*file)->tensors()) {
    const auto stored = (*file)->read(info.name);
    if (!stored) {
      return tl::unexpected(stored.error());
    }
    if (info.name.starts_with(kRunPrefix) && stored->view.dtype == DType::Float64) {
      const auto* values = static_cast<const double*>(stored->view.data);
      m_runs[info.name.substr(kRunPrefix.size())].assign(values, values + stored->view.count());
    }
  }
  return {};
}

Result<> LogProbabilityFile::add(const std::string& run,
                                 const engine::TokenOutcome& tokens,
                                 std::int64_t length) {
  if (tokens.logProbabilities.empty()) {
    return {};
  }
  m_runs[run] = tokens.logProbabilities;
  m_isLabel = tokens.isLabel;
  const auto shapeOf = [length](std::size_t count) {
    return std::vector<std::int64_t>{static_cast<std::int64_t>(count) / length, length};
  };
  std::vector<tensors::NamedTensor> named;
  for (const auto& [name, values] : m_runs) {
    named.push_back(
        {std::string(kRunPrefix) + name, {values.data(), DType::Float64, shapeOf(values.size())}});
  }
  named.push_back({"is_label", {m_isLabel.data(), DType::UInt8, shapeOf(m_isLabel.size())}});
  return tensors::writeSafetensors(m_folder / kLogProbabilityFile, named);
}

}  // namespace ulp::worker
