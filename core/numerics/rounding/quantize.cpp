#include "core/numerics/rounding/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numerics/instruction_sets.h"
#include "core/numerics/rounding/counter_random.h"
#include "core/numerics/rounding/quantize_kernels.h"

namespace ulp::numerics {
namespace detail {

template <class T>
ElementRounding<T> elementRounding(const FormatDescription& format, Overflow overflow) {
  using Bits = BitsOf<T>;
  constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
  constexpr int kSmallestExponent = std::numeric_limits<T>::min_exponent - 1;
  ElementRounding<T> rounding;
  rounding.discarded = static_cast<Bits>(kMantissa - format.mantissaBits);
  rounding.half = (Bits{1} << (rounding.discarded - 1)) - 1;
  if (format.minExponent() > kSmallestExponent) {
    const int quantum = format.minExponent() - format.mantissaBits;
    rounding.smallestNormal = std::bit_cast<Bits>(std::ldexp(T{1}, format.minExponent()));
    rounding.quantum = std::ldexp(T{1}, quantum);
    rounding.inverseQuantum = std::ldexp(T{1}, -quantum);
    rounding.rounder = std::ldexp(T{1}, quantum + kMantissa);
  }
  rounding.largest = std::bit_cast<Bits>(static_cast<T>(format.maxFinite));
  if (overflow == Overflow::Saturate || format.isBlockScaled()) {
    rounding.beyond = rounding.largest;
  } else {
    rounding.beyond = std::bit_cast<Bits>(format.hasInfinity ? std::numeric_limits<T>::infinity()
                                                             : std::numeric_limits<T>::quiet_NaN());
  }
  return rounding;
}

template ElementRounding<float> elementRounding(const FormatDescription&, Overflow);
template ElementRounding<double> elementRounding(const FormatDescription&, Overflow);

std::vector<const QuantizeKernels*> availableQuantizeKernels() {
  std::vector<const QuantizeKernels*> sets;
#ifdef ULP_X86_KERNELS
  if (hasAvx512()) {
    sets.push_back(&avx512QuantizeKernels());
  }
  if (hasAvx2()) {
    sets.push_back(&avx2QuantizeKernels());
  }
#endif
  sets.push_back(&portableQuantizeKernels());
  return sets;
}

namespace {

template <class T>
QuantizeJob<T> jobOf(const QuantizeOptions& options) {
  const FormatDescription& format = describe(options.format);
  const Rounding& rounding = options.rounding;
  QuantizeJob<T> job;
  job.element = elementRounding<T>(format, rounding.overflow);
  job.stochastic = rounding.mode == RoundingMode::Stochastic;
  job.key = randomKey(rounding.seed, rounding.stream);
  job.firstIndex = options.firstIndex;
  job.blockSize = format.blockSize;
  job.scale = format.scale;
  job.largestExponent = std::ilogb(format.maxFinite);
  job.largestElement = static_cast<T>(format.maxFinite);
  job.tensorScale = options.tensorScale;
  job.scaleRounding = elementRounding<T>(describe(NumberFormat::Float8E4M3FN), Overflow::Saturate);
  return job;
}

/// T holds every number of the format.
template <class T>
bool isWide(const FormatDescription& format) {
  return format.mantissaBits >= std::numeric_limits<T>::digits - 1;
}

template <class T>
void quantizeRows(QuantizeKernel<T> kernel,
                  std::span<const T> in,
                  std::span<T> out,
                  const QuantizeOptions& options) {
  if (in.empty()) {
    return;
  }
  if (isWide<T>(describe(options.format))) {
    if (in.data() != out.data()) {
      std::ranges::copy(in, out.begin());
    }
    return;
  }
  QuantizeJob<T> job = jobOf<T>(options);
  const bool whole = job.scale == BlockScale::None || options.rowLength == 0;
  const std::size_t row = whole ? in.size() : options.rowLength;
  for (std::size_t begin = 0; begin < in.size(); begin += row) {
    job.firstIndex = options.firstIndex + begin;
    kernel(in.data() + begin, out.data() + begin, std::min(row, in.size() - begin), job);
  }
}

}  // namespace

void quantizeWith(const QuantizeKernels& kernels,
                  std::span<const float> in,
                  std::span<float> out,
                  const QuantizeOptions& options) {
  quantizeRows<float>(kernels.ofFloat, in, out, options);
}

void quantizeWith(const QuantizeKernels& kernels,
                  std::span<const double> in,
                  std::span<double> out,
                  const QuantizeOptions& options) {
  quantizeRows<double>(kernels.ofDouble, in, out, options);
}

}  // namespace detail

namespace {

const detail::QuantizeKernels& fastest() {
  static const detail::QuantizeKernels& kernels = *detail::availableQuantizeKernels().front();
  return kernels;
}

template <class T>
T largestFiniteOf(std::span<const T> in) {
  T largest = 0;
  for (const T value : in) {
    const T magnitude = std::abs(value);
    largest =
        magnitude > largest && magnitude <= std::numeric_limits<T>::max() ? magnitude : largest;
  }
  return largest;
}

}  // namespace

void quantize(std::span<const float> in, std::span<float> out, const QuantizeOptions& options) {
  detail::quantizeWith(fastest(), in, out, options);
}

void quantize(std::span<const double> in, std::span<double> out, const QuantizeOptions& options) {
  detail::quantizeWith(fastest(), in, out, options);
}

float largestFinite(std::span<const float> in) {
  return largestFiniteOf(in);
}

double largestFinite(std::span<const double> in) {
  return largestFiniteOf(in);
}

float nvfp4TensorScale(double largest) {
  using Limits = std::numeric_limits<float>;
  const double products =
      describe(NumberFormat::Nvfp4).maxFinite * describe(NumberFormat::Float8E4M3FN).maxFinite;
  const auto single = static_cast<float>(std::min<double>(largest, Limits::max()));
  return std::max(single / static_cast<float>(products), Limits::denorm_min());
}

}  // namespace ulp::numerics
