#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/log_probability_error.h"

namespace ulp::worker {

/// The log-probabilities of a study: one tensor a run, `runs/<run>`, float64 [sequences, T], and
/// `is_label`, uint8 [sequences, T], 1 where the next token was to be predicted. The sequences of
/// all micro-batches of all samples come in order. All of them stay in memory, 8 bytes a token.
class LogProbabilityFile {
 public:
  explicit LogProbabilityFile(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  /// Takes over what the file of a study that is resumed holds; nothing when there is none. Errors:
  /// those of report::readLogProbabilities().
  [[nodiscard]] Result<> load();
  [[nodiscard]] bool has(const std::string& run) const { return m_runs.contains(run); }
  /// Takes what a run gave on a sample; what follows that sample is forgotten unless it gave the
  /// same before. All samples have as many tokens.
  void put(const std::string& run, std::uint64_t sample, const engine::TokenOutcome& tokens);
  /// Computes how far a run is from the reference, over the samples that both have; nothing without
  /// log-probabilities of one of them.
  [[nodiscard]] Result<std::optional<report::LogProbabilityError>> errorOf(
      const std::string& run, const std::string& reference) const;
  /// Replaces the file when something was put since. `length` is T. Errors: Io.
  [[nodiscard]] Result<> save(std::int64_t length);

 private:
  std::filesystem::path m_folder;
  std::map<std::string, std::vector<double>> m_runs;
  std::vector<std::uint8_t> m_isLabel;
  bool m_isChanged = false;
};

}  // namespace ulp::worker
