#include "core/numerics/student_t.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace ulp::numerics {
namespace {

constexpr double kCentral = 0.95;
/// The 0.975 quantile of the normal distribution.
constexpr double kNormal = 1.959963984540054;
/// From here on the expansion in 1 / n is exact to 11 digits.
constexpr std::uint64_t kLargestSum = 200;

/// P(|T| <= tan(angle) sqrt(n)), a finite sum for whole n.
double centralProbability(double angle, std::uint64_t n) {
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  const bool isOdd = n % 2 == 1;
  double term = isOdd ? cosine : 1;
  double sum = 0;
  for (std::uint64_t power = isOdd ? 1 : 0; power + 2 <= n; power += 2) {
    sum += term;
    const auto next = static_cast<double>(power);
    term *= (next + 1) / (next + 2) * cosine * cosine;
  }
  return isOdd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

double bySum(std::uint64_t n) {
  double low = 0;
  double high = std::numbers::pi / 2;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    (centralProbability(middle, n) < kCentral ? low : high) = middle;
  }
  return std::tan(low) * std::sqrt(static_cast<double>(n));
}

double byExpansion(std::uint64_t n) {
  constexpr double kZ = kNormal;
  constexpr double kZ2 = kZ * kZ;
  constexpr double kFirst = kZ * (kZ2 + 1) / 4;
  constexpr double kSecond = kZ * ((5 * kZ2 + 16) * kZ2 + 3) / 96;
  constexpr double kThird = kZ * (((3 * kZ2 + 19) * kZ2 + 17) * kZ2 - 15) / 384;
  constexpr double kFourth =
      kZ * ((((79 * kZ2 + 776) * kZ2 + 1482) * kZ2 - 1920) * kZ2 - 945) / 92160;
  const double inverse = 1 / static_cast<double>(n);
  return kZ + inverse * (kFirst + inverse * (kSecond + inverse * (kThird + inverse * kFourth)));
}

}  // namespace

double studentT975(std::uint64_t degreesOfFreedom) {
  if (degreesOfFreedom == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return degreesOfFreedom <= kLargestSum ? bySum(degreesOfFreedom) : byExpansion(degreesOfFreedom);
}

}  // namespace ulp::numerics
