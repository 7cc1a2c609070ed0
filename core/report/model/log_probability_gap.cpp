#include "core/report/model/log_probability_gap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/base/undefined.h"

namespace ulp::report {
namespace {

/// Two-sided 95 % of the normal distribution.
constexpr double kNormal95 = 1.959963984540054;

Result<> checkSameTokens(const LogProbabilities& a, const LogProbabilities& b) {
  if (a.sequences != b.sequences || a.length != b.length) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("'{}' has {} sequences of {} tokens, '{}' {} of {}: they are not of the "
                    "same input",
                    a.name,
                    a.sequences,
                    a.length,
                    b.name,
                    b.sequences,
                    b.length));
  }
  if (a.isLabel != b.isLabel) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' and '{}' have their labels at different tokens ({} and {} of "
                            "them): they are not of the same input",
                            a.name,
                            b.name,
                            a.labels(),
                            b.labels()));
  }
  return {};
}

/// Centred sums of pairs (x, y), updated one by one (Welford 1962): no cancellation where all
/// values are far from zero and near each other.
class PairSums {
 public:
  void add(double x, double y) {
    ++m_count;
    const auto n = static_cast<double>(m_count);
    const double dx = x - m_meanX;
    const double dy = y - m_meanY;
    m_meanX += dx / n;
    m_meanY += dy / n;
    m_xx += dx * (x - m_meanX);
    m_yy += dy * (y - m_meanY);
    m_xy += dx * (y - m_meanY);
  }

  [[nodiscard]] double slope() const { return m_xx > 0 ? m_xy / m_xx : kUndefined; }
  [[nodiscard]] double correlation() const {
    return m_xx > 0 && m_yy > 0 ? m_xy / std::sqrt(m_xx * m_yy) : kUndefined;
  }
  /// Around the line through the means; around the mean where x does not vary.
  [[nodiscard]] double residualRms() const {
    if (m_count == 0) {
      return kUndefined;
    }
    const double explained = m_xx > 0 ? m_xy * m_xy / m_xx : 0;
    return std::sqrt(std::max(m_yy - explained, 0.0) / static_cast<double>(m_count));
  }
  [[nodiscard]] double meanY() const { return m_meanY; }
  /// Of the sample.
  [[nodiscard]] double deviationY() const {
    return m_count > 1 ? std::sqrt(m_yy / static_cast<double>(m_count - 1)) : kUndefined;
  }

 private:
  std::uint64_t m_count = 0;
  double m_meanX = 0;
  double m_meanY = 0;
  double m_xx = 0;
  double m_yy = 0;
  double m_xy = 0;
};

/// exp(d) − 1 − d without cancellation near 0.
double excess(double d) {
  constexpr double kSmall = 1e-4;
  return std::abs(d) < kSmall ? d * d * (0.5 + d / 6) : std::expm1(d) - d;
}

class GapBuilder {
 public:
  GapBuilder(const LogProbabilities& a, const LogProbabilities& b, const GapOptions& options)
      : m_a(a), m_b(b) {
    m_gap.epsilon = options.epsilon;
  }

  LogProbabilityGap build() {
    const auto length = static_cast<std::size_t>(m_a.length);
    m_gap.sums.assign(static_cast<std::size_t>(m_a.sequences), 0);
    for (std::size_t i = 0; i < m_a.values.size(); ++i) {
      if (m_a.isLabel[i] != 0) {
        add(i, m_gap.sums[i / length]);
      }
    }
    finish();
    return std::move(m_gap);
  }

 private:
  void add(std::size_t place, double& sum) {
    const double a = m_a.values[place];
    const double b = m_b.values[place];
    const double difference = b - a;
    if (!std::isfinite(a) || !std::isfinite(b)) {
      ++m_gap.nonFinite;
      return;
    }
    ++m_gap.tokens;
    sum += difference;
    m_values.add(a, b);
    m_differences.add(a, difference);
    m_absolute += std::abs(difference);
    m_squares += difference * difference;
    m_scale += a * a;
    m_excess += excess(difference);
    m_above += std::abs(difference) > m_gap.epsilon ? 1 : 0;
    if (m_gap.tokens == 1 || std::abs(difference) > m_gap.largest) {
      m_gap.largest = std::abs(difference);
      m_gap.largestPlace = place;
    }
  }

  void finish() {
    const auto n = static_cast<double>(m_gap.tokens);
    m_gap.mean = m_differences.meanY();
    m_gap.interval = kNormal95 * m_differences.deviationY() / std::sqrt(n);
    m_gap.meanAbsolute = m_absolute / n;
    m_gap.rms = std::sqrt(m_squares / n);
    m_gap.relativeRms = m_scale > 0 ? std::sqrt(m_squares / m_scale) : kUndefined;
    m_gap.shareAbove = static_cast<double>(m_above) / n;
    m_gap.slope = m_values.slope();
    m_gap.correlation = m_values.correlation();
    m_gap.residualRms = m_values.residualRms();
    m_gap.kl = m_excess / n;
    if (m_gap.tokens == 0) {
      // Every other mean is 0 / 0.
      m_gap.mean = kUndefined;
      m_gap.largest = kUndefined;
      std::ranges::fill(m_gap.sums, kUndefined);
    }
  }

  const LogProbabilities& m_a;
  const LogProbabilities& m_b;
  LogProbabilityGap m_gap;
  PairSums m_values;
  PairSums m_differences;
  double m_absolute = 0;
  double m_squares = 0;
  double m_scale = 0;
  double m_excess = 0;
  std::uint64_t m_above = 0;
};

}  // namespace

Result<LogProbabilityGap> logProbabilityGap(const LogProbabilities& a,
                                            const LogProbabilities& b,
                                            const GapOptions& options) {
  ULP_TRY(checkSameTokens(a, b));
  return GapBuilder(a, b, options).build();
}

Result<LogProbabilityError> logProbabilityError(const LogProbabilities& reference,
                                                const LogProbabilities& run,
                                                const GapOptions& options) {
  const auto gap = ULP_TRY(logProbabilityGap(reference, run, options));
  return static_cast<const LogProbabilityError&>(gap);
}

Result<std::vector<double>> logProbabilityDifferences(const LogProbabilities& a,
                                                      const LogProbabilities& b) {
  ULP_TRY(checkSameTokens(a, b));
  std::vector<double> differences;
  differences.reserve(a.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    differences.push_back(a.isLabel[i] != 0 ? b.values[i] - a.values[i] : kUndefined);
  }
  return differences;
}

Result<double> errorCorrelation(const LogProbabilities& reference,
                                const LogProbabilities& a,
                                const LogProbabilities& b) {
  const auto errorsOfA = ULP_TRY(logProbabilityDifferences(reference, a));
  const auto errorsOfB = ULP_TRY(logProbabilityDifferences(reference, b));
  PairSums sums;
  for (std::size_t i = 0; i < errorsOfA.size(); ++i) {
    if (std::isfinite(errorsOfA[i]) && std::isfinite(errorsOfB[i])) {
      sums.add(errorsOfA[i], errorsOfB[i]);
    }
  }
  return sums.correlation();
}

}  // namespace ulp::report
