#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ulp::study {

/// One summand of the loss, as loss.terms or loss.type name it.
struct LossTermSetting {
  std::string type;
  double weight = 1;
  double epsilonLow = 0.2;
  double epsilonHigh = 0.2;
};

enum class AdvantageSource : std::uint8_t { Normal, File };
enum class OldLogProbabilities : std::uint8_t { Reference, File, Zeros };

/// The keys `loss.*`.
struct LossSettings {
  std::vector<LossTermSetting> terms{};  ///< at least one
  double logitsScale = 1;
  AdvantageSource advantages = AdvantageSource::Normal;
  OldLogProbabilities old = OldLogProbabilities::Reference;
  double oldNoise = 0;  ///< standard deviation of what is added to the reference's own
  std::uint64_t seed = 0;
  std::filesystem::path path{};  ///< of advantages or old log-probabilities from a file

  /// A term looks at advantages and old log-probabilities.
  [[nodiscard]] bool needsPolicy() const;
  [[nodiscard]] bool readsFile() const {
    return advantages == AdvantageSource::File || old == OldLogProbabilities::File;
  }
};

/// The keys `input.documents`, `input.padding`, `input.unlabelled` and `schedule.*`.
struct StepSettings {
  /// Lengths of the documents of a sequence, for each micro-batch in turn; empty: one document.
  std::vector<std::vector<std::int64_t>> documents{};
  std::int64_t padding = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> unlabelled{};
  std::int64_t microBatches = 1;
  std::int64_t docsPerStep = 0;  ///< 0: microBatches decides
};

}  // namespace ulp::study
