#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

namespace ulp::worker {

inline constexpr std::string_view kLogProbabilityFile = "log_probabilities.safetensors";

/// The log-probabilities of a study: one tensor a run, `runs/<run>`, float64 [sequences, T], and
/// `is_label`, uint8 [sequences, T], 1 where the next token was to be predicted. The sequences of
/// all micro-batches come in order.
class LogProbabilityFile {
 public:
  explicit LogProbabilityFile(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  /// Takes over what the file of a study that is resumed holds; nothing when there is none. Errors:
  /// those of openSafetensors().
  [[nodiscard]] Result<> load();
  /// Replaces the file by one with this run, too. `length` is T. Does nothing when the outcome has
  /// none. Errors: Io.
  [[nodiscard]] Result<> add(const std::string& run,
                             const engine::TokenOutcome& tokens,
                             std::int64_t length);

 private:
  std::filesystem::path m_folder;
  std::map<std::string, std::vector<double>> m_runs;
  std::vector<std::uint8_t> m_isLabel;
};

}  // namespace ulp::worker
