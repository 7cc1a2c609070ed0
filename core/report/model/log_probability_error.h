#pragma once

#include <cstdint>
#include <limits>

namespace ulp::report {

/// How far a run is from the reference in the log-probabilities of the chosen tokens, over all of
/// its samples: what precision_report.json keeps of a LogProbabilityGap. δ = run − reference, in
/// nats. Undefined values are NaN.
struct LogProbabilityError {
  std::uint64_t tokens = 0;     ///< with a label and finite in both
  std::uint64_t nonFinite = 0;  ///< with a label, but not finite in one of the two; left out
  double mean = 0;              ///< of δ: the bias
  double interval = 0;          ///< half of the 95 % interval of the mean
  double meanAbsolute = 0;      ///< of |δ|
  double rms = 0;
  double largest = 0;      ///< of |δ|
  double epsilon = 0;      ///< in nats
  double shareAbove = 0;   ///< of the tokens with |δ| > epsilon
  double relativeRms = 0;  ///< rms / RMS of the reference's log-probabilities
  double slope = 0;        ///< of the run's over the reference's, least squares
  double correlation = 0;  ///< of the two
  double residualRms = 0;  ///< around that line
  double kl = 0;           ///< estimated, in nats
  /// Positions whose logits were compared (each sample's last micro-batch, with or without a
  /// label), 0: the logits were not captured; and those with the same most likely next token.
  std::uint64_t positions = 0;
  std::uint64_t sameTop = 0;

  /// sameTop / positions; NaN: not known.
  [[nodiscard]] double topAgreement() const {
    return positions == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(sameTop) / static_cast<double>(positions);
  }
};

}  // namespace ulp::report
