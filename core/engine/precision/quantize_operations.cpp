#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ATen.h>

#include "core/engine/precision/simulated_format.h"
#include "core/numerics/rounding/counter_random.h"
#include "core/numerics/rounding/quantize_kernels.h"

namespace ulp::engine {
namespace {

using numerics::BlockScale;
using numerics::FormatDescription;
using numerics::NumberFormat;
using numerics::Overflow;
using numerics::QuantizeOptions;
using numerics::RoundingMode;
using numerics::detail::BitsOf;
using numerics::detail::ElementRounding;

/// Elements that are rounded at a time: what is needed beside them stays small.
constexpr std::int64_t kRoundedAtATime = std::int64_t{1} << 24;

constexpr int kRandomWidth = 64;

std::int64_t rowsAtATime(const at::Tensor& values) {
  return std::max<std::int64_t>(1, kRoundedAtATime / values.size(1));
}

/// A pattern as LibTorch's operations take it: the same bits, signed.
at::Scalar patternScalar(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

at::Scalar patternScalar(std::uint32_t bits) {
  return static_cast<std::int64_t>(static_cast<std::int32_t>(bits));
}

/// Shifts right and fills with zeros.
at::Tensor shiftedDown(const at::Tensor& bits, int shift) {
  const std::uint64_t kept = (std::uint64_t{1} << (kRandomWidth - shift)) - 1;
  return at::bitwise_and(at::bitwise_right_shift(bits, shift), patternScalar(kept));
}

/// numerics::mixBits().
at::Tensor mixBits(at::Tensor bits) {
  bits = at::bitwise_xor(bits, shiftedDown(bits, 30)) *
         patternScalar(std::uint64_t{0xBF58476D1CE4E5B9U});
  bits = at::bitwise_xor(bits, shiftedDown(bits, 27)) *
         patternScalar(std::uint64_t{0x94D049BB133111EBU});
  return at::bitwise_xor(bits, shiftedDown(bits, 31));
}

/// numerics::randomBits() of each index.
at::Tensor randomBits(std::uint64_t key, const at::Tensor& index) {
  return mixBits((index + 1) * patternScalar(numerics::kRandomIncrement) + patternScalar(key));
}

/// The kernels of core/numerics/kernels/quantize_body.h, which say why.
template <class T>
class Rounder {
 public:
  explicit Rounder(ElementRounding<T> to) : m_to(to) {}

  /// `random` has the shape of `values`, or is undefined: to the nearest.
  [[nodiscard]] at::Tensor round(const at::Tensor& values, const at::Tensor& random) const {
    const at::Tensor bits = values.view(kInteger);
    const at::Tensor magnitude = at::bitwise_and(bits, patternScalar(~kSign));
    at::Tensor rounded = random.defined() ? stochasticNormal(magnitude, random) : normal(magnitude);
    if (m_to.smallestNormal != 0) {
      const at::Tensor small =
          random.defined() ? stochasticSubnormal(magnitude, random) : subnormal(magnitude);
      rounded = at::where(magnitude < patternScalar(m_to.smallestNormal), small, rounded);
    }
    rounded =
        at::where(rounded > patternScalar(m_to.largest), pattern(m_to.beyond, rounded), rounded);
    rounded = at::where(magnitude > patternScalar(kInfinity), magnitude, rounded);
    return at::bitwise_or(rounded, at::bitwise_and(bits, patternScalar(kSign))).view(kReal);
  }

  static at::Tensor magnitudes(const at::Tensor& values) {
    return at::bitwise_and(values.view(kInteger), patternScalar(~kSign));
  }

  static constexpr at::ScalarType kReal = sizeof(T) == 4 ? at::kFloat : at::kDouble;
  static constexpr at::ScalarType kInteger = sizeof(T) == 4 ? at::kInt : at::kLong;
  static constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
  static constexpr BitsOf<T> kInfinity =
      std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());

 private:
  static constexpr BitsOf<T> kSign = BitsOf<T>{1} << (sizeof(T) * 8 - 1);

  static at::Tensor pattern(BitsOf<T> bits, const at::Tensor& like) {
    return at::full({}, patternScalar(bits), like.options());
  }

  [[nodiscard]] at::Tensor truncated(const at::Tensor& bits) const {
    return at::bitwise_and(bits, patternScalar(BitsOf<T>(~((BitsOf<T>{1} << m_to.discarded) - 1))));
  }

  [[nodiscard]] at::Tensor normal(const at::Tensor& magnitude) const {
    const auto shift = static_cast<std::int64_t>(m_to.discarded);
    const at::Tensor odd = at::bitwise_and(at::bitwise_right_shift(magnitude, shift), 1);
    return truncated(magnitude + patternScalar(m_to.half) + odd);
  }

  [[nodiscard]] at::Tensor subnormal(const at::Tensor& magnitude) const {
    return ((magnitude.view(kReal) + m_to.rounder) - m_to.rounder).view(kInteger);
  }

  [[nodiscard]] at::Tensor stochasticNormal(const at::Tensor& magnitude,
                                            const at::Tensor& random) const {
    const int shift = kRandomWidth - static_cast<int>(m_to.discarded);
    return truncated(magnitude + shiftedDown(random, shift).to(kInteger));
  }

  [[nodiscard]] at::Tensor stochasticSubnormal(const at::Tensor& magnitude,
                                               const at::Tensor& random) const {
    const at::Tensor value = magnitude.view(kReal);
    const at::Tensor nearest = (value + m_to.rounder) - m_to.rounder;
    const at::Tensor lower = at::where(nearest > value, nearest - m_to.quantum, nearest);
    const at::Tensor fraction = (value - lower) * m_to.inverseQuantum;
    constexpr auto kOne = std::bit_cast<BitsOf<T>>(T{1});
    constexpr T kAlmostOne = T{1} - std::numeric_limits<T>::epsilon() / 2;
    const at::Tensor threshold =
        at::bitwise_or(shiftedDown(random, kRandomWidth - kMantissa).to(kInteger),
                       patternScalar(kOne))
            .view(kReal) -
        kAlmostOne;
    return at::where(threshold < fraction, lower + m_to.quantum, lower).view(kInteger);
  }

  ElementRounding<T> m_to;
};

/// Rounds a few rows at a time.
template <class T>
class Quantizer {
 public:
  Quantizer(const QuantizeOptions& options, const at::Tensor& values)
      : m_format(numerics::describe(options.format)),
        m_elements(numerics::detail::elementRounding<T>(m_format, options.rounding.overflow)),
        m_scales(numerics::detail::elementRounding<T>(
            numerics::describe(NumberFormat::Float8E4M3FN), Overflow::Saturate)),
        m_stochastic(options.rounding.mode == RoundingMode::Stochastic),
        m_key(numerics::randomKey(options.rounding.seed, options.rounding.stream)),
        m_columns(values.size(1)) {
    if (m_format.scale == BlockScale::E4M3) {
      m_tensorScale = tensorScale(values);
    }
  }

  [[nodiscard]] at::Tensor rows(const at::Tensor& rows, std::int64_t first) const {
    if (!m_format.isBlockScaled()) {
      return m_elements.round(rows, random(rows, first));
    }
    const std::int64_t block = m_format.blockSize;
    const std::int64_t missing = (block - m_columns % block) % block;
    const at::Tensor padded = at::constant_pad_nd(rows, {0, missing});
    const at::Tensor rounded = blocks(padded.view({-1, block}), random(padded, first));
    return rounded.view(padded.sizes()).narrow(1, 0, m_columns);
  }

 private:
  /// One tensor on the device: an operation with a number of the host could divide by multiplying
  /// with its reciprocal.
  static at::Tensor number(double value, const at::Tensor& like) {
    return at::full({}, value, like.options());
  }

  static at::Tensor largestFinite(const at::Tensor& values) {
    return at::where(at::isfinite(values), values.abs(), 0).amax();
  }

  /// numerics::nvfp4TensorScale().
  static at::Tensor tensorScale(const at::Tensor& values) {
    at::Tensor largest;
    for (const at::Tensor& rows : values.split(rowsAtATime(values))) {
      const at::Tensor found = largestFinite(rows);
      largest = largest.defined() ? at::maximum(largest, found) : found;
    }
    largest = largest.clamp_max(std::numeric_limits<float>::max()).to(at::kFloat);
    const double products = numerics::describe(NumberFormat::Nvfp4).maxFinite *
                            numerics::describe(NumberFormat::Float8E4M3FN).maxFinite;
    return (largest / number(products, largest))
        .clamp_min(std::numeric_limits<float>::denorm_min())
        .to(values.scalar_type());
  }

  [[nodiscard]] at::Tensor random(const at::Tensor& rows, std::int64_t first) const {
    if (!m_stochastic) {
      return {};
    }
    const auto options = rows.options().dtype(at::kLong);
    const at::Tensor row = at::arange(first, first + rows.size(0), options) * m_columns;
    const at::Tensor column = at::arange(rows.size(1), options);
    return randomBits(m_key, row.unsqueeze(1) + column);
  }

  [[nodiscard]] at::Tensor blocks(const at::Tensor& values, const at::Tensor& random) const {
    const at::Tensor largest = Rounder<T>::magnitudes(values).amax({1}, true);
    const at::Tensor scale = blockScale(largest);
    const at::Tensor elements = m_format.scale == BlockScale::E8M0
                                    ? values * powerOfTwo(-exponents(largest))
                                    : at::where(scale == 0, values * 0, values / scale);
    const at::Tensor rounded =
        m_elements.round(elements, random.defined() ? random.view(values.sizes()) : random) * scale;
    return rounded.masked_fill(largest >= patternScalar(Rounder<T>::kInfinity),
                               std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] at::Tensor blockScale(const at::Tensor& largest) const {
    if (m_format.scale == BlockScale::E8M0) {
      return powerOfTwo(exponents(largest));
    }
    const at::Tensor value = largest.view(Rounder<T>::kReal);
    const at::Tensor exact = value / number(m_format.maxFinite, value) / m_tensorScale;
    return m_scales.round(exact, {}) * m_tensorScale;
  }

  /// Exponents of E8M0 scales.
  [[nodiscard]] at::Tensor exponents(const at::Tensor& largest) const {
    constexpr int kLargestE8M0 = 127;
    constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
    const at::Tensor exponent = at::bitwise_right_shift(largest, Rounder<T>::kMantissa) - kBias -
                                std::ilogb(m_format.maxFinite);
    return exponent.clamp(-kLargestE8M0, kLargestE8M0).to(at::kLong);
  }

  static at::Tensor powerOfTwo(const at::Tensor& exponent) {
    constexpr int kBias = 1023;
    constexpr int kMantissa = 52;
    return at::bitwise_left_shift(exponent + kBias, kMantissa)
        .view(at::kDouble)
        .to(Rounder<T>::kReal);
  }

  const FormatDescription& m_format;
  Rounder<T> m_elements;
  Rounder<T> m_scales;
  bool m_stochastic = false;
  std::uint64_t m_key = 0;
  std::int64_t m_columns = 1;
  at::Tensor m_tensorScale;
};

template <class T>
at::Tensor quantizeMatrix(const at::Tensor& values, const QuantizeOptions& options) {
  if (numerics::describe(options.format).mantissaBits >= Rounder<T>::kMantissa) {
    return values.clone();
  }
  const Quantizer<T> quantizer(options, values);
  const std::int64_t step = rowsAtATime(values);
  at::Tensor rounded = at::empty_like(values);
  for (std::int64_t first = 0; first < values.size(0); first += step) {
    const std::int64_t count = std::min(step, values.size(0) - first);
    rounded.narrow(0, first, count).copy_(quantizer.rows(values.narrow(0, first, count), first));
  }
  return rounded;
}

}  // namespace

at::Tensor quantizeByOperations(const at::Tensor& values, const QuantizeOptions& options) {
  return values.scalar_type() == at::kDouble ? quantizeMatrix<double>(values, options)
                                             : quantizeMatrix<float>(values, options);
}

}  // namespace ulp::engine
