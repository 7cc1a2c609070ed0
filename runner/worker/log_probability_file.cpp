#include "runner/worker/log_probability_file.h"

#include <cstring>
#include <limits>

#include "core/report/log_probabilities.h"
#include "core/tensors/safetensors.h"

namespace ulp::worker {
namespace {

/// Puts the values of a sample behind those of the samples before it; false where they are there.
template <class Value>
bool replaceFrom(std::vector<Value>& all,
                 std::uint64_t sample,
                 const std::vector<Value>& values,
                 Value missing) {
  const std::size_t begin = sample * values.size();
  if (all.size() >= begin + values.size() &&
      std::memcmp(all.data() + begin, values.data(), values.size() * sizeof(Value)) == 0) {
    return false;
  }
  all.resize(begin, missing);
  all.insert(all.end(), values.begin(), values.end());
  return true;
}

}  // namespace

Result<> LogProbabilityFile::load() {
  const auto path = m_folder / report::kLogProbabilityFile;
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
    if (info.name.starts_with(report::kLogProbabilityRunPrefix) &&
        stored->view.dtype == DType::Float64) {
      const auto* values = static_cast<const double*>(stored->view.data);
      m_runs[info.name.substr(report::kLogProbabilityRunPrefix.size())].assign(
          values, values + stored->view.count());
    } else if (info.name == report::kLogProbabilityLabels && stored->view.dtype == DType::UInt8) {
      const auto* values = static_cast<const std::uint8_t*>(stored->view.data);
      m_isLabel.assign(values, values + stored->view.count());
    }
  }
  return {};
}

void LogProbabilityFile::put(const std::string& run,
                             std::uint64_t sample,
                             const engine::TokenOutcome& tokens) {
  if (tokens.logProbabilities.empty()) {
    return;
  }
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const bool isNew = replaceFrom(m_runs[run], sample, tokens.logProbabilities, kUnknown);
  if (m_isLabel.size() < (sample + 1) * tokens.isLabel.size()) {
    replaceFrom(m_isLabel, sample, tokens.isLabel, std::uint8_t{0});
  }
  m_isChanged = m_isChanged || isNew;
}

Result<> LogProbabilityFile::save(std::int64_t length) {
  if (!m_isChanged) {
    return {};
  }
  const auto shapeOf = [length](std::size_t count) {
    return std::vector<std::int64_t>{static_cast<std::int64_t>(count) / length, length};
  };
  std::vector<tensors::NamedTensor> named;
  for (const auto& [name, values] : m_runs) {
    named.push_back({std::string(report::kLogProbabilityRunPrefix) + name,
                     {values.data(), DType::Float64, shapeOf(values.size())}});
  }
  named.push_back({std::string(report::kLogProbabilityLabels),
                   {m_isLabel.data(), DType::UInt8, shapeOf(m_isLabel.size())}});
  auto written = tensors::writeSafetensors(m_folder / report::kLogProbabilityFile, named);
  m_isChanged = !written;
  return written;
}

}  // namespace ulp::worker
