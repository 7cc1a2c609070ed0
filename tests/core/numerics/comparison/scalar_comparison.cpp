#include "tests/core/numerics/comparison/scalar_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/numerics/scalar_formats.h"

namespace ulp::numerics::testing {
namespace {

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

void encodeTo(std::byte* to, DType dtype, double value) {
  switch (dtype) {
    case DType::Float64:
      return put(to, value);
    case DType::Float32:
      return put(to, static_cast<float>(value));
    case DType::Float16:
      return put(to, encodeFloat16(value));
    case DType::BFloat16:
      return put(to, encodeBFloat16(value));
    case DType::Float8E4M3FN:
      return put(to, encodeFloat8E4M3FN(value));
    case DType::Float8E5M2:
      return put(to, encodeFloat8E5M2(value));
    case DType::Int64:
      return put(to, static_cast<std::int64_t>(value));
    case DType::Int32:
      return put(to, static_cast<std::int32_t>(value));
    case DType::Int16:
      return put(to, static_cast<std::int16_t>(value));
    case DType::Int8:
      return put(to, static_cast<std::int8_t>(value));
    case DType::UInt8:
      return put(to, static_cast<std::uint8_t>(std::abs(value)));
    case DType::Bool:
      return put(to, static_cast<std::uint8_t>(value > 0 ? 3 : 0));
  }
}

double smallestSubnormal(DType dtype) {
  return isFloatingPoint(dtype) ? ulpOf(0, dtype) : 1;
}

void count(NonFiniteCounts& counts, double value) {
  if (std::isnan(value)) {
    ++counts.nan;
  } else if (std::isinf(value)) {
    ++(value > 0 ? counts.positiveInfinity : counts.negativeInfinity);
  }
}

/// The sums in more than double precision.
class LongSums {
 public:
  void add(double r, double v, double ulp) {
    const long double d = v - r;
    m_squaredReference += static_cast<long double>(r) * r;
    m_squaredCandidate += static_cast<long double>(v) * v;
    m_product += static_cast<long double>(r) * v;
    m_squaredDifference += d * d;
    m_absoluteDifference += std::abs(d);
    m_ulp += std::abs(d) / static_cast<long double>(ulp);
  }
  void store(Moments& m) const {
    m.sumSquaredReference = static_cast<double>(m_squaredReference);
    m.sumSquaredCandidate = static_cast<double>(m_squaredCandidate);
    m.sumProduct = static_cast<double>(m_product);
    m.sumSquaredDifference = static_cast<double>(m_squaredDifference);
    m.sumAbsoluteDifference = static_cast<double>(m_absoluteDifference);
    m.sumUlp = static_cast<double>(m_ulp);
  }

 private:
  long double m_squaredReference = 0;
  long double m_squaredCandidate = 0;
  long double m_product = 0;
  long double m_squaredDifference = 0;
  long double m_absoluteDifference = 0;
  long double m_ulp = 0;
};

/// Finds bins by their edges, not by the bits of numbers.
class Bins {
 public:
  Bins() {
    for (std::size_t bin = 1; bin < kHistogramBins; ++bin) {
      m_edges.push_back(binLowerEdge(bin));
    }
  }
  [[nodiscard]] std::size_t of(double magnitude) const {
    if (magnitude == 0) {
      return 0;
    }
    const auto above = std::upper_bound(m_edges.begin(), m_edges.end(), magnitude);
    return std::max<std::size_t>(1, static_cast<std::size_t>(above - m_edges.begin()));
  }

 private:
  std::vector<double> m_edges;
};

void expectNear(double actual, double expected, double scale, const char* what) {
  if (std::isfinite(scale)) {
    EXPECT_NEAR(actual, expected, 1e-13 * scale) << what;
  } else {
    EXPECT_EQ(actual, expected) << what;
  }
}

void expectSameWorst(const Moments& actual, const Moments& expected) {
  ASSERT_EQ(actual.worst.size(), expected.worst.size());
  for (std::size_t i = 0; i < expected.worst.size(); ++i) {
    EXPECT_EQ(actual.worst[i].flat, expected.worst[i].flat) << i;
    EXPECT_EQ(actual.worst[i].reference, expected.worst[i].reference) << i;
    EXPECT_EQ(actual.worst[i].candidate, expected.worst[i].candidate) << i;
  }
}

void expectSameExactFields(const Moments& actual, const Moments& expected) {
  EXPECT_EQ(actual.count, expected.count);
  EXPECT_EQ(actual.compared, expected.compared);
  EXPECT_EQ(actual.equal, expected.equal);
  EXPECT_EQ(actual.maxAbsoluteDifference, expected.maxAbsoluteDifference);
  EXPECT_EQ(actual.maxRelativeDifference, expected.maxRelativeDifference);
  EXPECT_EQ(actual.maxUlp, expected.maxUlp);
  EXPECT_EQ(actual.reference, expected.reference);
  EXPECT_EQ(actual.candidate, expected.candidate);
  EXPECT_EQ(actual.differenceHistogram, expected.differenceHistogram);
  expectSameWorst(actual, expected);
}

}  // namespace

OwnedTensor::OwnedTensor(DType dtype, std::span<const double> values, std::size_t misalignment)
    : m_dtype(dtype),
      m_count(values.size()),
      m_misalignment(misalignment),
      m_bytes(values.size() * itemSize(dtype) + misalignment + 1) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    encodeTo(m_bytes.data() + misalignment + i * itemSize(dtype), dtype, values[i]);
  }
}

TensorView OwnedTensor::view() const {
  return slice(0, m_count);
}

TensorView OwnedTensor::slice(std::size_t first, std::size_t count) const {
  return {m_bytes.data() + m_misalignment + first * itemSize(m_dtype),
          m_dtype,
          {static_cast<std::int64_t>(count)}};
}

PairValues randomPair(std::size_t count, DType reference, DType candidate, bool special) {
  std::mt19937_64 random(count + 31 * static_cast<std::size_t>(reference) +
                         1009 * static_cast<std::size_t>(candidate));
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> octave(-12, 5);
  std::uniform_int_distribution<int> kind(0, 99);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool finiteOnly = !isFloatingPoint(reference) || !isFloatingPoint(candidate);
  PairValues values;
  for (std::size_t i = 0; i < count; ++i) {
    const double r = std::ldexp(normal(random), octave(random));
    const double near = r * (1 + 0.01 * normal(random));
    const int of = kind(random);
    std::pair<double, double> pair{r, near};
    if (of < 20) {
      pair = {r, r};
    } else if (of < 25) {
      pair = {r, normal(random)};
    } else if (special && of < 30) {
      pair = {0, of % 2 == 0 ? near : 0};
    } else if (special && of < 35) {
      pair = {smallestSubnormal(reference) * (of - 32), smallestSubnormal(candidate) * (of - 31)};
    } else if (special && !finiteOnly && of < 39) {
      const double values4[] = {std::nan(""), kInfinity, -kInfinity, r};
      pair = {values4[of - 35], values4[kind(random) % 4]};
    }
    values.reference.push_back(pair.first);
    values.candidate.push_back(pair.second);
  }
  return values;
}

Moments scalarComparison(const TensorView& reference,
                         const TensorView& candidate,
                         std::size_t worstCount) {
  static const Bins kBins;
  Moments m;
  m.differenceHistogram.resize(kHistogramBins);
  const DType format = ulpFormat(reference.dtype, candidate.dtype);
  LongSums sums;
  for (std::size_t i = 0; i < reference.count(); ++i) {
    const double r = elementAt(reference, i);
    const double v = elementAt(candidate, i);
    ++m.count;
    m.equal += r == v || (std::isnan(r) && std::isnan(v)) ? 1 : 0;
    count(m.reference, r);
    count(m.candidate, v);
    if (!std::isfinite(r) || !std::isfinite(v)) {
      continue;
    }
    ++m.compared;
    const double magnitude = std::abs(v - r);
    sums.add(r, v, ulpOf(r, format));
    m.maxAbsoluteDifference = std::max(m.maxAbsoluteDifference, magnitude);
    m.maxUlp = std::max(m.maxUlp, magnitude / ulpOf(r, format));
    if (r != 0) {
      m.maxRelativeDifference = std::max(m.maxRelativeDifference, magnitude / std::abs(r));
    }
    ++m.differenceHistogram[kBins.of(magnitude)];
    if (magnitude > 0) {
      m.worst.push_back({i, r, v});
    }
  }
  sums.store(m);
  std::stable_sort(m.worst.begin(), m.worst.end(), [](const auto& a, const auto& b) {
    return std::abs(a.candidate - a.reference) > std::abs(b.candidate - b.reference);
  });
  m.worst.resize(std::min(m.worst.size(), worstCount));
  return m;
}

void expectSameMoments(const Moments& actual, const Moments& expected) {
  expectSameExactFields(actual, expected);
  const double r2 = expected.sumSquaredReference;
  const double v2 = expected.sumSquaredCandidate;
  const double d2 = expected.sumSquaredDifference;
  expectNear(actual.sumSquaredReference, r2, r2, "sum r^2");
  expectNear(actual.sumSquaredCandidate, v2, v2, "sum v^2");
  expectNear(actual.sumProduct, expected.sumProduct, std::sqrt(r2) * std::sqrt(v2), "sum r v");
  expectNear(actual.sumSquaredDifference, d2, d2, "sum d^2");
  const double d1 = expected.sumAbsoluteDifference;
  expectNear(actual.sumAbsoluteDifference, d1, d1, "sum |d|");
  expectNear(actual.sumUlp, expected.sumUlp, expected.sumUlp, "sum ulp");
}

void expectIdenticalMoments(const Moments& actual, const Moments& expected) {
  expectSameExactFields(actual, expected);
  EXPECT_EQ(actual.sumSquaredReference, expected.sumSquaredReference);
  EXPECT_EQ(actual.sumSquaredCandidate, expected.sumSquaredCandidate);
  EXPECT_EQ(actual.sumProduct, expected.sumProduct);
  EXPECT_EQ(actual.sumSquaredDifference, expected.sumSquaredDifference);
  EXPECT_EQ(actual.sumAbsoluteDifference, expected.sumAbsoluteDifference);
  EXPECT_EQ(actual.sumUlp, expected.sumUlp);
}

}  // namespace ulp::numerics::testing
