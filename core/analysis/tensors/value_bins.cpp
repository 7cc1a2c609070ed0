#include "core/analysis/tensors/value_bins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numerics/scalar_formats.h"

namespace ulp::analysis {
namespace {

constexpr int kBias = 1023;
constexpr int kHighest = 1023;

numerics::ScalarFormat narrowFormatOf(DType format) {
  switch (format) {
    case DType::BFloat16:
      return numerics::kBFloat16;
    case DType::Float8E4M3FN:
      return numerics::kFloat8E4M3FN;
    case DType::Float8E5M2:
      return numerics::kFloat8E5M2;
    default:
      return numerics::kFloat16;
  }
}

std::uint32_t encodeAs(double value, DType format) {
  switch (format) {
    case DType::BFloat16:
      return numerics::encodeBFloat16(value);
    case DType::Float8E4M3FN:
      return numerics::encodeFloat8E4M3FN(value);
    case DType::Float8E5M2:
      return numerics::encodeFloat8E5M2(value);
    default:
      return numerics::encodeFloat16(value);
  }
}

}  // namespace

void ValueBins::add(double value) {
  if (value == 0) {
    ++zeros;
  } else if (std::isfinite(value)) {
    ++counts[binOf(value)];
  } else if (std::isnan(value)) {
    ++nonFinite.nan;
  } else {
    ++(value > 0 ? nonFinite.positiveInfinity : nonFinite.negativeInfinity);
  }
}

void ValueBins::add(const ValueBins& other) {
  std::ranges::transform(counts, other.counts, counts.begin(), std::plus<>());
  zeros += other.zeros;
  nonFinite.nan += other.nonFinite.nan;
  nonFinite.positiveInfinity += other.nonFinite.positiveInfinity;
  nonFinite.negativeInfinity += other.nonFinite.negativeInfinity;
}

std::uint64_t ValueBins::finite() const {
  return std::accumulate(counts.begin(), counts.end(), zeros);
}

std::uint64_t ValueBins::ofExponent(int exponent) const {
  const auto first = static_cast<std::size_t>(exponent + kBias) * kBinsPerOctave;
  std::uint64_t count = 0;
  for (std::size_t bin = first; bin < first + kBinsPerOctave; ++bin) {
    count += counts[bin] + counts[kNegative + bin];
  }
  return count;
}

ValueBins::Exponents ValueBins::exponents() const {
  Exponents found;
  bool isFirst = true;
  for (int exponent = -kBias; exponent <= kHighest; ++exponent) {
    if (ofExponent(exponent) > 0) {
      found.low = isFirst ? exponent : found.low;
      found.high = exponent;
      isFirst = false;
    }
  }
  return found;
}

FormatRange rangeOf(DType narrowFormat) {
  const numerics::ScalarFormat format = narrowFormatOf(narrowFormat);
  // Without infinities the top exponent is one of numbers.
  return {format.minExponent() - format.mantissaBits,
          format.minExponent(),
          format.bias() + (format.hasInfinity ? 0 : 1)};
}

FormatCounter::FormatCounter() : m_fates(ValueBins::kNegative), m_isMixed(ValueBins::kNegative) {
  for (std::size_t f = 0; f < kNarrowFormats.size(); ++f) {
    m_mixed[f].format = kNarrowFormats[f];
    for (std::size_t bin = 0; bin < m_fates.size(); ++bin) {
      const double low = std::max(ValueBins::edgeOf(bin), std::nextafter(0.0, 1.0));
      const double high = std::nextafter(ValueBins::edgeOf(bin + 1), 0.0);
      const Fate fate = fateOf(low, kNarrowFormats[f]);
      const bool isUniform = !std::isfinite(high) || fate == fateOf(high, kNarrowFormats[f]);
      m_fates[bin][f] = isUniform ? fate : Fate::Mixed;
      m_isMixed[bin] |= isUniform ? 0 : 1;
    }
  }
}

FormatCounter::Fate FormatCounter::fateOf(double magnitude, DType format) {
  const numerics::ScalarFormat layout = narrowFormatOf(format);
  const std::uint32_t code = encodeAs(magnitude, format);
  if (code == 0) {
    return Fate::Underflow;
  }
  if (code >= layout.overflowPattern()) {
    return Fate::Overflow;
  }
  return code >> layout.mantissaBits == 0 ? Fate::Subnormal : Fate::Normal;
}

void FormatCounter::count(Fate fate, std::uint64_t times, FormatFit& fit) {
  fit.overflow += fate == Fate::Overflow ? times : 0;
  fit.underflow += fate == Fate::Underflow ? times : 0;
  fit.subnormal += fate == Fate::Subnormal ? times : 0;
}

void FormatCounter::addMixed(double value) {
  const Fates& fates = m_fates[ValueBins::binOf(value) % ValueBins::kNegative];
  for (std::size_t f = 0; f < fates.size(); ++f) {
    if (fates[f] == Fate::Mixed) {
      count(fateOf(std::abs(value), kNarrowFormats[f]), 1, m_mixed[f]);
    }
  }
}

void FormatCounter::add(const FormatCounter& other) {
  for (std::size_t f = 0; f < m_mixed.size(); ++f) {
    m_mixed[f].overflow += other.m_mixed[f].overflow;
    m_mixed[f].underflow += other.m_mixed[f].underflow;
    m_mixed[f].subnormal += other.m_mixed[f].subnormal;
  }
}

std::array<FormatFit, kNarrowFormats.size()> FormatCounter::fits(const ValueBins& bins) const {
  std::array<FormatFit, kNarrowFormats.size()> fits = m_mixed;
  for (std::size_t bin = 0; bin < m_fates.size(); ++bin) {
    const std::uint64_t times = bins.counts[bin] + bins.counts[ValueBins::kNegative + bin];
    for (std::size_t f = 0; times > 0 && f < fits.size(); ++f) {
      count(m_fates[bin][f], times, fits[f]);
    }
  }
  return fits;
}

}  // namespace ulp::analysis
