#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/comparing/measure/unit_comparison.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// When the logits of a token fail.
struct TokenLimits {
  /// Round-offs of the coarser format, relative to the spread of the baseline's logits, that a
  /// healthy run may be off at the end of its network: in float32 and finer …
  double roundOffs = 256;
  double roundOffsCoarse = 16;  ///< … and in coarser formats
};

/// The next-token distribution of the candidate at one place, against the baseline's.
struct TokenOutcome {
  std::string sequence;    ///< key of a data set's sample ("1352", "cpp/12"); empty elsewhere
  std::size_t logits = 0;  ///< in findLogits()
  std::string call{};      ///< the baseline's of its logits; empty: there is but one
  std::int64_t token = 0;  ///< number of the forward pass, else the position in its tensor
  std::optional<std::size_t> position;  ///< in the tensor, where it holds several
  std::string rowName;                  ///< the baseline's
  Site site;                            ///< of the same
  double kl = 0;         ///< KL(baseline ‖ candidate) in nats, float64; NaN: not finite
  double cosine = 0;     ///< of the logits
  double allowedKl = 0;  ///< what rounding accounts for: ½ (round-offs · u · spread)²; NaN as `kl`
  double msitKl = 0;     ///< what msit allows: 0.005 in bfloat16, else 0.0001
  std::size_t baselineChoice = 0;  ///< the most likely token
  std::size_t candidateChoice = 0;
  /// By how much, in nats, the baseline prefers its own choice to the candidate's.
  double margin = 0;
  double spread = 0;     ///< RMS of the baseline's logits around their mean
  bool isFinite = true;  ///< both make a distribution

  /// More than rounding accounts for.
  [[nodiscard]] bool isOff() const { return !isFinite || kl > allowedKl; }
  /// msit's thresholds: KL, and cosine above 0.999.
  [[nodiscard]] bool failsMsit() const { return !isFinite || kl >= msitKl || cosine <= 0.999; }
  [[nodiscard]] bool isChoiceChanged() const { return baselineChoice != candidateChoice; }
};

/// Logits of a unit: [.., tokens, vocabulary], or one vector.
struct LogitsPair {
  std::size_t entry = 0;     ///< in the baseline's entries
  std::size_t baseline = 0;  ///< in DumpUnit::rows
  std::size_t candidate = 0;
  std::string sequence{};
  std::optional<std::int64_t> token{};  ///< of files that name it
  /// In UnitMatching::rows; kNone: the two do not correspond by their names.
  std::size_t row = dumps::kNone;
};

/// Where the logits of both units are: the outputs of the LM head, as siteOf() or ATB's LmHead name
/// them, of every call that has a partner, in the baseline's order; where no names correspond, call
/// by call, and the last alone of sides that have not as many; else files of vectors that are
/// called `…logits…_{key}_{token}`, as msit's logitsdump writes them. Only rows with elements.
[[nodiscard]] std::vector<LogitsPair> findLogits(const UnitComparison& units);

struct TokenOutcomes {
  std::vector<TokenOutcome> tokens;   ///< of every pair, in order
  std::vector<std::string> problems;  ///< logits that cannot be read or compared
};
/// Reads no logits that UnitComparison::logits has, and others with `threads` (0: one a core),
/// whose number changes nothing. Error: Cancelled.
[[nodiscard]] Result<TokenOutcomes> judgeTokens(const UnitComparison& units,
                                                const TokenLimits& limits = {},
                                                int threads = 0,
                                                const std::stop_token& stop = {});

}  // namespace ulp::analysis
