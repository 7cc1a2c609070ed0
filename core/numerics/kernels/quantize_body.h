#pragma once

#include <limits>

#include "core/numerics/rounding/counter_random.h"
#include "core/numerics/rounding/quantize_kernels.h"

/// The kernels of quantize(), for every instruction set: this header is compiled once with the
/// options of each, and internal to that translation unit (see Note [kernel files] in
/// kernel_body.h).
namespace ulp::numerics::detail {
namespace {

/// Elements whose random numbers are made at a time.
inline constexpr std::size_t kRandomStep = 256;

template <class T>
constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
template <class T>
constexpr int kWidth = std::numeric_limits<BitsOf<T>>::digits;
template <class T>
constexpr BitsOf<T> kSign = BitsOf<T>{1} << (kWidth<T> - 1);
template <class T>
constexpr BitsOf<T> kInfinityPattern = __builtin_bit_cast(BitsOf<T>,
                                                          std::numeric_limits<T>::infinity());
template <class T>
constexpr BitsOf<T> kQuiet = BitsOf<T>{1} << (kMantissa<T> - 1);

inline std::size_t smaller(std::size_t a, std::size_t b) {
  return a < b ? a : b;
}

/// Rounds to the nearest, ties to even.
template <class T>
inline BitsOf<T> roundedNormal(BitsOf<T> magnitude, const ElementRounding<T>& to) {
  const BitsOf<T> odd = (magnitude >> to.discarded) & 1;
  return (magnitude + to.half + odd) >> to.discarded << to.discarded;
}

template <class T>
inline BitsOf<T> roundedSubnormal(BitsOf<T> magnitude, const ElementRounding<T>& to) {
  return __builtin_bit_cast(BitsOf<T>,
                            (__builtin_bit_cast(T, magnitude) + to.rounder) - to.rounder);
}

/// Rounds up where the discarded bits and a random number of as many carry.
template <class T>
inline BitsOf<T> roundedNormal(BitsOf<T> magnitude,
                               const ElementRounding<T>& to,
                               BitsOf<T> random) {
  return (magnitude + (random >> (kWidth<T> - to.discarded))) >> to.discarded << to.discarded;
}

template <class T>
inline BitsOf<T> roundedSubnormal(BitsOf<T> magnitude,
                                  const ElementRounding<T>& to,
                                  BitsOf<T> random) {
  const T value = __builtin_bit_cast(T, magnitude);
  const T nearest = (value + to.rounder) - to.rounder;
  const T lower = nearest > value ? nearest - to.quantum : nearest;
  const T fraction = (value - lower) * to.inverseQuantum;
  // An odd multiple of half a unit in the last place of 1, in (0, 1): never below a fraction of 0.
  constexpr auto kOne = __builtin_bit_cast(BitsOf<T>, T{1});
  constexpr T kAlmostOne = T{1} - std::numeric_limits<T>::epsilon() / 2;
  const auto threshold =
      __builtin_bit_cast(T, kOne | (random >> (kWidth<T> - kMantissa<T>))) - kAlmostOne;
  return __builtin_bit_cast(BitsOf<T>, threshold < fraction ? lower + to.quantum : lower);
}

template <class T, class... Random>
inline T roundedElement(T value, const ElementRounding<T>& to, Random... random) {
  const auto bits = __builtin_bit_cast(BitsOf<T>, value);
  const BitsOf<T> magnitude = bits & ~kSign<T>;
  BitsOf<T> rounded = magnitude < to.smallestNormal ? roundedSubnormal<T>(magnitude, to, random...)
                                                    : roundedNormal<T>(magnitude, to, random...);
  rounded = rounded > to.largest ? to.beyond : rounded;
  rounded = magnitude > kInfinityPattern<T> ? magnitude | kQuiet<T> : rounded;
  return __builtin_bit_cast(T, rounded | (bits & kSign<T>));
}

template <class T>
void fillRandom(BitsOf<T>* out, std::size_t count, std::uint64_t key, std::uint64_t index) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<BitsOf<T>>(randomBits(key, index + i) >> (64 - kWidth<T>));
  }
}

template <class T>
void quantizeElements(const T* in, T* out, std::size_t count, const QuantizeJob<T>& job) {
  const ElementRounding<T> to = job.element;
  if (!job.stochastic) {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = roundedElement<T>(in[i], to);
    }
    return;
  }
  BitsOf<T> random[kRandomStep];
  for (std::size_t begin = 0; begin < count; begin += kRandomStep) {
    const std::size_t step = smaller(kRandomStep, count - begin);
    fillRandom<T>(random, step, job.key, job.firstIndex + begin);
    for (std::size_t i = 0; i < step; ++i) {
      out[begin + i] = roundedElement<T>(in[begin + i], to, random[i]);
    }
  }
}

template <class T>
inline T powerOfTwo(int exponent) {
  return static_cast<T>(
      __builtin_bit_cast(double, static_cast<std::uint64_t>(exponent + 1023) << 52));
}

template <class T>
struct Scale {
  T up = 1;    ///< element to number
  T down = 1;  ///< number to element: times this, where the scale is a power of two
};

/// floor(log2(largest)) less the exponent of the largest element (OCP MX 1.0, section 6.3).
template <class T>
inline Scale<T> powerOfTwoScale(BitsOf<T> largest, int largestExponent) {
  constexpr int kLargestE8M0 = 127;
  const int exponent = static_cast<int>(largest >> kMantissa<T>) -
                       (std::numeric_limits<T>::max_exponent - 1) - largestExponent;
  const int limited = exponent < kLargestE8M0 ? exponent : kLargestE8M0;
  const int scale = limited > -kLargestE8M0 ? limited : -kLargestE8M0;
  return {powerOfTwo<T>(scale), powerOfTwo<T>(-scale)};
}

/// The scale that maps the largest number of a block to the largest element, rounded to E4M3.
template <class T>
inline T float8Scale(BitsOf<T> largest, const QuantizeJob<T>& job) {
  const T exact = __builtin_bit_cast(T, largest) / job.largestElement / job.tensorScale;
  return roundedElement<T>(exact, job.scaleRounding) * job.tensorScale;
}

template <class T>
inline BitsOf<T> largestPattern(const T* in, std::size_t count) {
  BitsOf<T> largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const BitsOf<T> magnitude = __builtin_bit_cast(BitsOf<T>, in[i]) & ~kSign<T>;
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest;
}

template <class T>
inline void fillNan(T* out, std::size_t count) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = kNan;
  }
}

template <class T>
inline void scaleByFloat8(const T* in, T* out, std::size_t count, T scale) {
  for (std::size_t i = 0; i < count; ++i) {
    // Of a scale that vanishes, only the sign is left.
    out[i] = scale == T{0} ? in[i] * T{0} : in[i] / scale;
  }
}

/// One block, whose first element has this index in the tensor.
template <class T>
inline void quantizeBlock(
    const T* in, T* out, std::size_t count, std::uint64_t index, const QuantizeJob<T>& job) {
  const BitsOf<T> largest = largestPattern(in, count);
  if (largest >= kInfinityPattern<T>) {
    fillNan(out, count);
    return;
  }
  Scale<T> scale;
  if (job.scale == BlockScale::E8M0) {
    scale = powerOfTwoScale<T>(largest, job.largestExponent);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = in[i] * scale.down;
    }
  } else {
    scale.up = float8Scale<T>(largest, job);
    scaleByFloat8(in, out, count, scale.up);
  }
  QuantizeJob<T> elements = job;
  elements.firstIndex = index;
  quantizeElements(out, out, count, elements);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] *= scale.up;
  }
}

template <class T>
void quantizeRow(const T* in, T* out, std::size_t count, const QuantizeJob<T>& job) {
  if (job.scale == BlockScale::None) {
    quantizeElements(in, out, count, job);
    return;
  }
  const auto block = static_cast<std::size_t>(job.blockSize);
  for (std::size_t begin = 0; begin < count; begin += block) {
    quantizeBlock(
        in + begin, out + begin, smaller(block, count - begin), job.firstIndex + begin, job);
  }
}

}  // namespace
}  // namespace ulp::numerics::detail
