#include <immintrin.h>

#include "core/numerics/kernels/kernel_body.h"

namespace ulp::numerics::detail {
namespace {

struct Avx2 {
  struct F64 {
    __m256d lower;
    __m256d upper;
  };
  struct Halves {
    __m256i a;
    __m256i b;
  };

  static F64 load(Float32, const std::byte* p) {
    const auto* floats = reinterpret_cast<const float*>(p);
    return {_mm256_cvtps_pd(_mm_loadu_ps(floats)), _mm256_cvtps_pd(_mm_loadu_ps(floats + 4))};
  }
  static F64 load(BFloat16, const std::byte* p) {
    const __m256i wide = _mm256_cvtepu16_epi32(loadHalves(p));
    return widen(_mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
  }
  static F64 load(Float16, const std::byte* p) { return widen(_mm256_cvtph_ps(loadHalves(p))); }
  static F64 load(Float64, const std::byte* p) {
    return loadDoubles(reinterpret_cast<const double*>(p));
  }
  static F64 loadDoubles(const double* p) { return {_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
  static void store(double* p, F64 a) {
    _mm256_storeu_pd(p, a.lower);
    _mm256_storeu_pd(p + 4, a.upper);
  }
  static F64 broadcast(double a) { return {_mm256_set1_pd(a), _mm256_set1_pd(a)}; }
  static Halves broadcastHalf(std::uint32_t a) {
    return {_mm256_set1_epi32(static_cast<int>(a)), _mm256_set1_epi32(static_cast<int>(a))};
  }

  static F64 add(F64 a, F64 b) {
    return {_mm256_add_pd(a.lower, b.lower), _mm256_add_pd(a.upper, b.upper)};
  }
  static F64 sub(F64 a, F64 b) {
    return {_mm256_sub_pd(a.lower, b.lower), _mm256_sub_pd(a.upper, b.upper)};
  }
  static F64 mul(F64 a, F64 b) {
    return {_mm256_mul_pd(a.lower, b.lower), _mm256_mul_pd(a.upper, b.upper)};
  }
  static F64 addProduct(F64 a, F64 b, F64 sum) {
    return {_mm256_fmadd_pd(a.lower, b.lower, sum.lower),
            _mm256_fmadd_pd(a.upper, b.upper, sum.upper)};
  }
  static F64 addExactProduct(F64 a, F64 b, F64 sum) { return addProduct(a, b, sum); }
  static F64 max(F64 a, F64 b) {
    return {_mm256_max_pd(a.lower, b.lower), _mm256_max_pd(a.upper, b.upper)};
  }
  static F64 magnitude(F64 a) {
    const __m256d mask = _mm256_castsi256_pd(_mm256_set1_epi64x(kMagnitude));
    return {_mm256_and_pd(a.lower, mask), _mm256_and_pd(a.upper, mask)};
  }
  static double largest(F64 a) {
    const __m256d four = _mm256_max_pd(a.lower, a.upper);
    const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
  }

  static F64 bound(F64 r, F64 relative, F64 worst) {
    const F64 positive = magnitude(relative);
    return {bound(r.lower, positive.lower, worst.lower),
            bound(r.upper, positive.upper, worst.upper)};
  }
  static F64 wideBound(F64 r, F64 relative, F64 worst) {
    const F64 positive = magnitude(relative);
    return {bound(r.lower, below(positive.lower), worst.lower),
            bound(r.upper, below(positive.upper), worst.upper)};
  }
  static bool anyBeyond(F64 a, F64 boundA, F64 b, F64 boundB) {
    const __m256d first = _mm256_or_pd(_mm256_cmp_pd(a.lower, boundA.lower, _CMP_NLE_UQ),
                                       _mm256_cmp_pd(a.upper, boundA.upper, _CMP_NLE_UQ));
    const __m256d second = _mm256_or_pd(_mm256_cmp_pd(b.lower, boundB.lower, _CMP_NLE_UQ),
                                        _mm256_cmp_pd(b.upper, boundB.upper, _CMP_NLE_UQ));
    return _mm256_movemask_pd(_mm256_or_pd(first, second)) != 0;
  }

  static F64 wideUlps(F64 magnitude, F64 r, UlpScale scale) {
    return {wideUlps(magnitude.lower, r.lower, scale), wideUlps(magnitude.upper, r.upper, scale)};
  }

  /// In the order of shuffle, which inverseUlps() undoes and which does not matter elsewhere.
  static Halves upperHalves(F64 a, F64 b) { return {upperHalves(a), upperHalves(b)}; }
  /// Whether any d is above min(r + relative, worst), unsigned.
  static bool anyAbove(Halves d, Halves r, Halves relative, Halves worst) {
    const __m256i above = _mm256_or_si256(isAbove(d.a, r.a, relative.a, worst.a),
                                          isAbove(d.b, r.b, relative.b, worst.b));
    return _mm256_testz_si256(above, above) == 0;
  }
  static void inverseUlps(Halves r, UlpScale scale, F64& a, F64& b) {
    a = inverseUlps(r.a, scale);
    b = inverseUlps(r.b, scale);
  }
  static void slots(std::uint32_t* out, Halves d) { storeSlots(out, slots(d.a), slots(d.b)); }
  static void wideSlots(std::uint32_t* out, F64 a, F64 b) {
    storeSlots(out, wideSlots(a), wideSlots(b));
  }

 private:
  static __m128i loadHalves(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }
  static F64 widen(__m256 a) {
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(a)),
            _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
  }

  static __m256d below(__m256d a) {
    const __m256i pattern = _mm256_castpd_si256(a);
    const __m256i isZero = _mm256_cmpeq_epi64(pattern, _mm256_setzero_si256());
    const __m256i minusOne = _mm256_andnot_si256(isZero, _mm256_set1_epi64x(-1));
    return _mm256_castsi256_pd(_mm256_add_epi64(pattern, minusOne));
  }
  static __m256d bound(__m256d r, __m256d relative, __m256d worst) {
    const __m256d isZero = _mm256_cmp_pd(r, _mm256_setzero_pd(), _CMP_EQ_OQ);
    // As NaN, the first operand of min loses.
    return _mm256_min_pd(_mm256_or_pd(relative, isZero), worst);
  }

  static __m256i scaleField(__m256d r, UlpScale scale) {
    const __m256i exponent =
        _mm256_and_si256(_mm256_castpd_si256(r), _mm256_set1_epi64x(kExponentField));
    const __m256i smallest = _mm256_set1_epi64x(static_cast<std::int64_t>(scale.smallest));
    // The lower halves are zero, so the greater of the upper halves decides.
    return _mm256_sub_epi64(_mm256_set1_epi64x(static_cast<std::int64_t>(scale.base)),
                            _mm256_max_epu32(exponent, smallest));
  }
  static __m256d wideUlps(__m256d magnitude, __m256d r, UlpScale scale) {
    const __m256i field = _mm256_add_epi64(scaleField(r, scale), _mm256_set1_epi64x(kUnitExponent));
    const __m256i first =
        _mm256_and_si256(_mm256_srli_epi64(field, 1), _mm256_set1_epi64x(kExponentField));
    const __m256i second = _mm256_sub_epi64(field, first);
    return _mm256_mul_pd(_mm256_mul_pd(magnitude, _mm256_castsi256_pd(first)),
                         _mm256_castsi256_pd(second));
  }

  /// The upper halves of eight doubles. Their order does not matter to a histogram.
  static __m256i upperHalves(F64 a) {
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castpd_ps(a.lower), _mm256_castpd_ps(a.upper), 0xDD));
  }
  static __m256i isAbove(__m256i d, __m256i r, __m256i relative, __m256i worst) {
    const __m256i magnitude = _mm256_and_si256(r, _mm256_set1_epi32(kMagnitudeUpper));
    return _mm256_cmpgt_epi32(d, _mm256_min_epu32(_mm256_add_epi32(magnitude, relative), worst));
  }
  static F64 inverseUlps(__m256i r, UlpScale scale) {
    const __m256i exponent = _mm256_and_si256(r, _mm256_set1_epi32(kExponentUpper));
    const __m256i smallest = _mm256_set1_epi32(static_cast<int>(scale.smallest >> 32));
    const __m256i field = _mm256_sub_epi32(_mm256_set1_epi32(static_cast<int>(scale.base >> 32)),
                                           _mm256_max_epi32(exponent, smallest));
    const __m256i zero = _mm256_setzero_si256();
    return {_mm256_castsi256_pd(_mm256_unpacklo_epi32(zero, field)),
            _mm256_castsi256_pd(_mm256_unpackhi_epi32(zero, field))};
  }
  static __m256i slots(__m256i d) {
    const __m256i fine = _mm256_srli_epi32(d, kBinShift - 32 - kBinCountersLog2);
    return _mm256_and_si256(fine, _mm256_set1_epi32(-static_cast<int>(kBinCounters)));
  }
  /// Those of zeros are 0.
  static __m256i wideSlots(F64 magnitude) {
    const __m256i lowest = _mm256_set1_epi32(kZeroBin + 1);
    const __m256i raw = _mm256_srli_epi32(upperHalves(magnitude), kBinShift - 32);
    const __m256i inside =
        _mm256_min_epi32(_mm256_max_epi32(raw, lowest), _mm256_set1_epi32(kLastBin));
    const __m256d zero = _mm256_setzero_pd();
    const __m256i isZero = upperHalves({_mm256_cmp_pd(magnitude.lower, zero, _CMP_EQ_OQ),
                                        _mm256_cmp_pd(magnitude.upper, zero, _CMP_EQ_OQ)});
    return _mm256_slli_epi32(_mm256_andnot_si256(isZero, inside), kBinCountersLog2);
  }
  static void storeSlots(std::uint32_t* out, __m256i first, __m256i second) {
    const auto* lowest = reinterpret_cast<const __m256i*>(kLowestSlots.of);
    auto* slots = reinterpret_cast<__m256i*>(out);
    _mm256_store_si256(slots, _mm256_max_epi32(first, _mm256_load_si256(lowest)));
    _mm256_store_si256(slots + 1, _mm256_max_epi32(second, _mm256_load_si256(lowest + 1)));
  }
};

constexpr KernelSet kKernels = makeKernelSet<Avx2>("AVX2");

}  // namespace

const KernelSet& avx2Kernels() {
  return kKernels;
}

}  // namespace ulp::numerics::detail
