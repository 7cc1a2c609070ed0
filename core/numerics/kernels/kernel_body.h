#pragma once

#include "core/numerics/comparison/comparison_kernels.h"
#include "core/numerics/kernels/kernel_constants.h"

/// The fused pass, written once over a vector type. Each kernels/<instruction set>.cpp defines such
/// a type, includes this file and is compiled with its own flags.
///
/// Note [kernel files]. Whatever a kernel file instantiates or inlines is compiled for its CPU. If
/// it had external linkage, the linker could keep that copy for the whole program, which would then
/// die on other CPUs. So everything here is in an anonymous namespace, and kernel files call no
/// function templates or inline functions of the standard library.
namespace ulp::numerics::detail {
namespace {

template <class S>
struct Sums {
  typename S::F64 squaredReference = S::broadcast(0);
  typename S::F64 squaredCandidate = S::broadcast(0);
  typename S::F64 product = S::broadcast(0);
  typename S::F64 squaredDifference = S::broadcast(0);
  typename S::F64 absoluteDifference = S::broadcast(0);
  typename S::F64 ulp = S::broadcast(0);
};

template <class S>
void fold(double (&lanes)[kLanes], typename S::F64 sum) {
  S::store(lanes, S::add(S::loadDoubles(lanes), sum));
}

template <class S>
void fold(SumLanes& lanes, const Sums<S>& sums) {
  fold<S>(lanes.squaredReference, sums.squaredReference);
  fold<S>(lanes.squaredCandidate, sums.squaredCandidate);
  fold<S>(lanes.product, sums.product);
  fold<S>(lanes.squaredDifference, sums.squaredDifference);
  fold<S>(lanes.absoluteDifference, sums.absoluteDifference);
  fold<S>(lanes.ulp, sums.ulp);
}

/// Eight pairs in registers.
template <class S>
struct Eight {
  typename S::F64 r;
  typename S::F64 v;
  typename S::F64 d;
  typename S::F64 magnitude;

  Eight(typename S::F64 reference, typename S::F64 candidate)
      : r(reference), v(candidate), d(S::sub(candidate, reference)), magnitude(S::magnitude(d)) {}
};

/// The upper halves of sixteen r and |d|: exponent and 20 bits of the mantissa, enough to find the
/// slots, 1 / ulp(r), and most pairs that need no inspection, at half the work.
template <class S>
struct Uppers {
  typename S::Halves r;
  typename S::Halves d;
  Uppers(const Eight<S>& a, const Eight<S>& b)
      : r(S::upperHalves(a.r, b.r)), d(S::upperHalves(a.magnitude, b.magnitude)) {}
};
inline std::uint32_t upperHalf(double a) {
  return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, a) >> 32);
}
/// Which pairs need no inspection.
template <class S, bool kWide>
class Bounds {
  using F64 = typename S::F64;

 public:
  explicit Bounds(const KernelState& state)
      : m_worst(S::broadcast(state.worstBound)),
        m_relative(S::broadcast(state.relativeBound)),
        m_worstUpper(S::broadcastHalf(worstUpper(state.worstBound))),
        m_relativeUpper(S::broadcastHalf(relativeUpper(state.relativeBound))) {}

  /// Whether a pair is not finite, or its |d| is above min(worstBound, relativeBound * |r|), where
  /// r is 0 above worstBound.
  bool areExceeded(const Eight<S>& a, const Eight<S>& b, const Uppers<S>& uppers) const {
    if (!kWide && !S::anyAbove(uppers.d, uppers.r, m_relativeUpper, m_worstUpper)) [[likely]] {
      return false;
    }
    return S::anyBeyond(a.magnitude, of(a), b.magnitude, of(b));
  }

 private:
  F64 of(const Eight<S>& pairs) const {
    const F64 product = S::mul(pairs.r, m_relative);
    return kWide ? S::wideBound(pairs.r, product, m_worst) : S::bound(pairs.r, product, m_worst);
  }

  static std::uint32_t worstUpper(double bound) {
    const std::uint32_t upper = upperHalf(bound);
    return upper - (upper > 0 ? 1 : 0);
  }

  /// Read as fixed-point numbers, upper halves are piecewise linear logarithms to base 2, at most
  /// 0.0861 too small (Mitchell 1962). So when |d| > bound * |r|, the upper half of |d| is above
  /// that of r plus this number.
  static std::uint32_t relativeUpper(double bound) {
    constexpr std::uint32_t kOne = 0x3FF00000;
    constexpr auto kMargin = static_cast<std::uint32_t>(0.0861 * (1 << 20)) + 3;
    // Low enough for any r and |d| but 0, which exceeds nothing.
    constexpr std::uint32_t kBelowAll = 0U - 0x20000000U;
    return bound == 0 ? kBelowAll : upperHalf(bound) - kOne - kMargin;
  }

  F64 m_worst;
  F64 m_relative;
  typename S::Halves m_worstUpper;
  typename S::Halves m_relativeUpper;
};

template <class S, class R, class V>
class PairKernel {
  using F64 = typename S::F64;
  /// One of the tensors is float64: products are not exact, tiny differences underflow.
  static constexpr bool kWide = R::kWide || V::kWide;

 public:
  static void run(const Segment& segment, KernelState& state, SumLanes& lanes) {
    const std::size_t whole = segment.count - segment.count % kStep;
    Sums<S> sums;  // of the last run, which the padded step ends
    if (whole > 0) {
      block({segment.reference, segment.candidate, whole, segment.position}, state, lanes, sums);
    }
    if (whole < segment.count) {
      paddedStep({segment.reference + whole * sizeof(typename R::Storage),
                  segment.candidate + whole * sizeof(typename V::Storage),
                  segment.count - whole,
                  segment.position + whole},
                 state,
                 lanes,
                 sums);
    }
    fold(lanes, sums);
  }

 private:
  /// The last elements, filled up with zeros of both tensors.
  static void paddedStep(const Segment& rest, KernelState& state, SumLanes& lanes, Sums<S>& sums) {
    std::byte reference[kStep * sizeof(typename R::Storage)] = {};
    std::byte candidate[kStep * sizeof(typename V::Storage)] = {};
    __builtin_memcpy(reference, rest.reference, rest.count * sizeof(typename R::Storage));
    __builtin_memcpy(candidate, rest.candidate, rest.count * sizeof(typename V::Storage));
    state.zeroed += kStep - rest.count;
    block({reference, candidate, kStep, rest.position}, state, lanes, sums);
  }

  /// Whole steps. `lastRun` has the sums of a run that is not complete.
  static void block(const Segment& segment, KernelState& state, SumLanes& lanes, Sums<S>& lastRun) {
    constexpr std::size_t kR = sizeof(typename R::Storage);
    constexpr std::size_t kV = sizeof(typename V::Storage);
    Sums<S> sums = lastRun;
    F64 maxUlp = S::broadcast(state.maxUlp);
    const UlpScale scale = state.ulp;
    std::uint32_t* const histogram = state.histogram;
    const std::size_t count = segment.count;
    Bounds<S, kWide> bounds(state);
    alignas(64) std::uint32_t slots[2 * kCountLag];
    for (std::size_t i = 0; i < 2 * kCountLag; ++i) {
      slots[i] = kLowestSlots.of[i % kStep];
    }
    state.zeroed += kCountLag;  // the first counts are of no element
    const std::byte* r = segment.reference;
    const std::byte* v = segment.candidate;
    for (std::size_t i = 0; i < count; i += kStep) {
      __builtin_prefetch(r + kPrefetchBytes);
      __builtin_prefetch(v + kPrefetchBytes);
      Eight<S> a(S::load(R{}, r), S::load(V{}, v));
      Eight<S> b(S::load(R{}, r + kLanes * kR), S::load(V{}, v + kLanes * kV));
      Uppers<S> uppers(a, b);
      if (bounds.areExceeded(a, b, uppers)) [[unlikely]] {
        inspect(a, b, state, segment.position + i);
        bounds = Bounds<S, kWide>(state);
        uppers = Uppers<S>(a, b);
      }
      std::uint32_t* found = slots + i % (2 * kCountLag);
      findSlots(found, a, b, uppers);
      countSlots(slots + (i % (2 * kCountLag) ^ kCountLag), histogram);
      accumulate(a, sums);
      accumulate(b, sums);
      accumulateUlps(a, b, uppers, scale, sums.ulp, maxUlp);
      r += kStep * kR;
      v += kStep * kV;
      if ((i + kStep) % kRun == 0) {
        fold(lanes, sums);
        sums = Sums<S>{};
      }
    }
    for (std::size_t i = count; i < count + kCountLag; i += kStep) {
      countSlots(slots + (i % (2 * kCountLag) ^ kCountLag), histogram);
    }
    lastRun = sums;
    state.maxUlp = S::largest(maxUlp);
  }

  static void inspect(Eight<S>& a, Eight<S>& b, KernelState& state, std::uint64_t position) {
    StepValues values{};
    S::store(values.reference, a.r);
    S::store(values.reference + kLanes, b.r);
    S::store(values.candidate, a.v);
    S::store(values.candidate + kLanes, b.v);
    inspectStep(state, values, position);
    a = Eight<S>(S::loadDoubles(values.reference), S::loadDoubles(values.candidate));
    b = Eight<S>(S::loadDoubles(values.reference + kLanes),
                 S::loadDoubles(values.candidate + kLanes));
  }

  static void findSlots(std::uint32_t* slots,
                        const Eight<S>& a,
                        const Eight<S>& b,
                        const Uppers<S>& uppers) {
    if constexpr (kWide) {
      S::wideSlots(slots, a.magnitude, b.magnitude);
    } else {
      S::slots(slots, uppers.d);
    }
  }

  static void countSlots(const std::uint32_t* slots, std::uint32_t* histogram) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kStep; ++i) {
      ++histogram[std::size_t{slots[i]} - kFirstSlot + i % kBinCounters];
    }
  }

  static void accumulate(const Eight<S>& pairs, Sums<S>& sums) {
    sums.squaredReference = addProduct(pairs.r, pairs.r, sums.squaredReference);
    sums.squaredCandidate = addProduct(pairs.v, pairs.v, sums.squaredCandidate);
    sums.product = addProduct(pairs.r, pairs.v, sums.product);
    sums.squaredDifference = S::addProduct(pairs.d, pairs.d, sums.squaredDifference);
    sums.absoluteDifference = S::add(sums.absoluteDifference, pairs.magnitude);
  }

  static void accumulateUlps(const Eight<S>& a,
                             const Eight<S>& b,
                             const Uppers<S>& uppers,
                             const UlpScale& scale,
                             F64& sum,
                             F64& largest) {
    F64 ulpsA;
    F64 ulpsB;
    if constexpr (kWide) {
      ulpsA = S::wideUlps(a.magnitude, a.r, scale);
      ulpsB = S::wideUlps(b.magnitude, b.r, scale);
    } else {
      S::inverseUlps(uppers.r, scale, ulpsA, ulpsB);
      ulpsA = S::mul(a.magnitude, ulpsA);
      ulpsB = S::mul(b.magnitude, ulpsB);
    }
    sum = S::add(S::add(sum, ulpsA), ulpsB);
    largest = S::max(S::max(largest, ulpsA), ulpsB);
  }

  /// Products of numbers of at most 24 bits are exact in float64, so that fusing changes nothing.
  static F64 addProduct(F64 a, F64 b, F64 sum) {
    return kWide ? S::addProduct(a, b, sum) : S::addExactProduct(a, b, sum);
  }
};

template <class S, class R>
constexpr void fillRow(Kernel (&row)[kNatives]) {
  row[static_cast<int>(Native::Float32)] = PairKernel<S, R, Float32>::run;
  row[static_cast<int>(Native::BFloat16)] = PairKernel<S, R, BFloat16>::run;
  row[static_cast<int>(Native::Float16)] = PairKernel<S, R, Float16>::run;
  row[static_cast<int>(Native::Float64)] = PairKernel<S, R, Float64>::run;
}

template <class S>
constexpr KernelSet makeKernelSet(std::string_view name) {
  KernelSet set{name, {}};
  fillRow<S, Float32>(set.kernels[static_cast<int>(Native::Float32)]);
  fillRow<S, BFloat16>(set.kernels[static_cast<int>(Native::BFloat16)]);
  fillRow<S, Float16>(set.kernels[static_cast<int>(Native::Float16)]);
  fillRow<S, Float64>(set.kernels[static_cast<int>(Native::Float64)]);
  return set;
}

}  // namespace
}  // namespace ulp::numerics::detail
