#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/optimizer_rows.h"

/// What a step computes: its loss, its micro-batches, and the optimizer behind it.
namespace ulp::study {

/// One summand of the loss, as loss.terms or loss.type name it.
struct LossTermSetting {
  std::string type;
  double weight = 1;
  double epsilonLow = 0.2;
  double epsilonHigh = 0.2;
};

// Enumerators stand in the order of the choices of their keys.
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

using DocumentLengths = std::vector<std::vector<std::int64_t>>;
/// [begin, end) each.
using TokenRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The keys `input.documents`, `input.padding`, `input.unlabelled` and `schedule.*`.
struct StepSettings {
  /// Lengths of the documents of a sequence, for each micro-batch in turn; empty: one document.
  DocumentLengths documents{};
  std::int64_t padding = 0;
  TokenRanges unlabelled{};
  std::int64_t microBatches = 1;
  std::int64_t docsPerStep = 0;  ///< 0: microBatches decides
};

/// The keys `optimizer.*`.
struct OptimizerSettings {
  enum class Type : std::uint8_t { None, Sgd, AdamW };

  Type type = Type::None;
  double learningRate = 0;
  double beta1 = 0;
  double beta2 = 0;
  double epsilon = 0;
  double weightDecay = 0;  ///< that of the type where nobody sets it
  double momentum = 0;

  /// Names the tensors of each parameter that are compared.
  [[nodiscard]] std::span<const std::string_view> rows() const {
    switch (type) {
      case Type::None:
        break;
      case Type::Sgd:
        return sgdRows(momentum != 0);
      case Type::AdamW:
        return kAdamWRows;
    }
    return {};
  }
};

}  // namespace ulp::study
