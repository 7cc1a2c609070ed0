#include "runner/worker/capture/log_probability_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/undefined.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_gap.h"
#include "core/tensors/formats/safetensors/safetensors.h"

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
  std::error_code ignored;
  if (!std::filesystem::exists(m_folder / report::kLogProbabilityFile, ignored)) {
    return {};
  }
  auto runs = ULP_TRY(report::readLogProbabilities(m_folder));
  for (report::LogProbabilities& run : runs) {
    if (run.isLabel.size() > m_isLabel.size()) {
      m_isLabel = std::move(run.isLabel);
    }
    m_runs[run.name] = std::move(run.values);
  }
  return {};
}

void LogProbabilityFile::put(const std::string& run,
                             std::uint64_t sample,
                             const engine::TokenOutcome& tokens) {
  if (tokens.logProbabilities.empty()) {
    return;
  }
  const bool isNew = replaceFrom(m_runs[run], sample, tokens.logProbabilities, kUndefined);
  if (m_isLabel.size() < (sample + 1) * tokens.isLabel.size()) {
    replaceFrom(m_isLabel, sample, tokens.isLabel, std::uint8_t{0});
  }
  m_isChanged = m_isChanged || isNew;
}

Result<std::optional<report::LogProbabilityError>> LogProbabilityFile::errorOf(
    const std::string& run, const std::string& reference) const {
  const auto values = m_runs.find(run);
  const auto base = m_runs.find(reference);
  if (values == m_runs.end() || base == m_runs.end()) {
    return std::nullopt;
  }
  // The reference may be samples ahead.
  const std::size_t count = std::min(values->second.size(), base->second.size());
  const auto place = static_cast<std::ptrdiff_t>(count);
  const auto taken = [&](const auto& entry) {
    report::LogProbabilities part;
    part.name = entry->first;
    part.length = static_cast<std::int64_t>(count);
    part.values.assign(entry->second.begin(), entry->second.begin() + place);
    part.isLabel.assign(m_isLabel.begin(), m_isLabel.begin() + place);
    return part;
  };
  return ULP_TRY(report::logProbabilityError(taken(base), taken(values)));
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
