#include "tests/bench/numerics/expressions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>

#include "tests/bench/numerics/bench_data.h"

namespace ulp::numerics::bench {
namespace {

/// A float64 temporary and the operations on it, one pass each.
class Expression {
 public:
  template <class Element>
  Expression(int threads, std::size_t count, const Element& element)
      : m_threads(threads), m_count(count), m_values(new double[count]) {
    forParts(threads, count, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        m_values[i] = element(i);
      }
    });
  }

  template <class Function>
  [[nodiscard]] Expression map(const Function& function) const {
    return Expression(m_threads, m_count, [&](std::size_t i) { return function(m_values[i]); });
  }
  template <class Function>
  [[nodiscard]] Expression zip(const Expression& other, const Function& function) const {
    return Expression(m_threads, m_count, [&](std::size_t i) {
      return function(m_values[i], other.m_values[i]);
    });
  }
  [[nodiscard]] double sum() const {
    return reduce([](double a, double b) { return a + b; });
  }
  [[nodiscard]] double mean() const { return sum() / static_cast<double>(m_count); }
  [[nodiscard]] double max() const {
    return reduce([](double a, double b) { return std::max(a, b); });
  }

 private:
  template <class Function>
  [[nodiscard]] double reduce(const Function& function) const {
    std::mutex mutex;
    double total = 0;
    forParts(m_threads, m_count, [&](std::size_t first, std::size_t last) {
      double part = 0;
      for (std::size_t i = first; i < last; ++i) {
        part = function(part, m_values[i]);
      }
      const std::lock_guard lock(mutex);
      total = function(total, part);
    });
    return total;
  }

  int m_threads;
  std::size_t m_count;
  std::unique_ptr<double[]> m_values;
};

double square(double a) {
  return a * a;
}

}  // namespace

ExpressionResults compareByExpressions(const TensorView& reference,
                                       const TensorView& candidate,
                                       int threads) {
  const auto* rData = static_cast<const float*>(reference.data);
  const auto* vData = static_cast<const float*>(candidate.data);
  const std::size_t count = reference.count();
  const Expression r(threads, count, [&](std::size_t i) { return rData[i]; });
  const Expression v(threads, count, [&](std::size_t i) { return vData[i]; });
  const auto minus = [](double a, double b) { return a - b; };
  const auto times = [](double a, double b) { return a * b; };
  const auto over = [](double a, double b) { return b == 0 ? 0 : a / b; };
  const auto magnitude = [](double a) { return std::abs(a); };
  const auto ulp = [](double a) {
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(a) & 0x7FF0000000000000;
    return std::max(std::bit_cast<double>(exponent), 0x1p-126) * 0x1p-23;
  };

  ExpressionResults results;
  const Expression d = v.zip(r, minus);
  results.rmsDifference = std::sqrt(d.map(square).mean());
  results.referenceScale = std::sqrt(r.map(square).mean());
  const Expression a = d.map(magnitude);
  results.meanAbsoluteDifference = a.mean();
  results.maxDifference = a.max();
  results.maxRelative = a.zip(r.map(magnitude), over).max();
  results.cosine = r.zip(v, times).sum() / std::sqrt(r.map(square).sum() * v.map(square).sum());
  results.equalFraction = v.zip(r, [](double x, double y) { return x == y ? 1.0 : 0.0; }).mean();
  const Expression ulps = a.zip(r.map(ulp), over);
  results.meanUlp = ulps.mean();
  results.maxUlp = ulps.max();
  return results;
}

}  // namespace ulp::numerics::bench
