#include <immintrin.h>

#include "core/numerics/kernels/kernel_body.h"

namespace ulp::numerics::detail {
namespace {

struct Avx512 {
  using F64 = __m512d;
  using Halves = __m512i;

  static F64 load(Float32, const std::byte* p) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(reinterpret_cast<const float*>(p)));
  }
  static F64 load(BFloat16, const std::byte* p) {
    const __m256i wide = _mm256_cvtepu16_epi32(loadHalves(p));
    return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
  }
  static F64 load(Float16, const std::byte* p) {
    return _mm512_cvtps_pd(_mm256_cvtph_ps(loadHalves(p)));
  }
  static F64 load(Float64, const std::byte* p) {
    return loadDoubles(reinterpret_cast<const double*>(p));
  }
  static F64 loadDoubles(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, F64 a) { _mm512_storeu_pd(p, a); }
  static F64 broadcast(double a) { return _mm512_set1_pd(a); }
  static Halves broadcastHalf(std::uint32_t a) { return _mm512_set1_epi32(static_cast<int>(a)); }

  static F64 add(F64 a, F64 b) { return _mm512_add_pd(a, b); }
  static F64 sub(F64 a, F64 b) { return _mm512_sub_pd(a, b); }
  static F64 mul(F64 a, F64 b) { return _mm512_mul_pd(a, b); }
  static F64 addProduct(F64 a, F64 b, F64 sum) { return _mm512_fmadd_pd(a, b, sum); }
  static F64 addExactProduct(F64 a, F64 b, F64 sum) { return addProduct(a, b, sum); }
  static F64 max(F64 a, F64 b) { return _mm512_max_pd(a, b); }
  static F64 magnitude(F64 a) { return _mm512_and_pd(a, bits(kMagnitude)); }
  static double largest(F64 a) { return _mm512_reduce_max_pd(a); }

  static F64 bound(F64 r, F64 relative, F64 worst) {
    constexpr int kSmallerMagnitude = 0b1010;
    return _mm512_mask_range_pd(worst, nonZero(r), relative, worst, kSmallerMagnitude);
  }
  static F64 wideBound(F64 r, F64 relative, F64 worst) {
    const __m512i pattern = _mm512_castpd_si512(magnitude(relative));
    const __mmask8 positive = _mm512_test_epi64_mask(pattern, pattern);
    const __m512i below = _mm512_mask_sub_epi64(pattern, positive, pattern, _mm512_set1_epi64(1));
    return _mm512_mask_min_pd(worst, nonZero(r), _mm512_castsi512_pd(below), worst);
  }
  static bool anyBeyond(F64 a, F64 boundA, F64 b, F64 boundB) {
    return _kortestz_mask8_u8(_mm512_cmp_pd_mask(a, boundA, _CMP_NLE_UQ),
                              _mm512_cmp_pd_mask(b, boundB, _CMP_NLE_UQ)) == 0;
  }

  static F64 wideUlps(F64 magnitude, F64 r, UlpScale scale) {
    const __m512i field = _mm512_add_epi64(scaleField(r, scale), _mm512_set1_epi64(kUnitExponent));
    const __m512i first =
        _mm512_and_si512(_mm512_srli_epi64(field, 1), _mm512_set1_epi64(kExponentField));
    const __m512i second = _mm512_sub_epi64(field, first);
    return mul(mul(magnitude, _mm512_castsi512_pd(first)), _mm512_castsi512_pd(second));
  }

  /// In the order of shuffle, which inverseUlps() undoes and which does not matter elsewhere.
  static Halves upperHalves(F64 a, F64 b) {
    return _mm512_castps_si512(
        _mm512_shuffle_ps(_mm512_castpd_ps(a), _mm512_castpd_ps(b), 0b11011101));
  }
  /// Whether any d is above min(r + relative, worst), unsigned.
  static bool anyAbove(Halves d, Halves r, Halves relative, Halves worst) {
    const __m512i magnitude = _mm512_and_si512(r, _mm512_set1_epi32(kMagnitudeUpper));
    const __m512i bound = _mm512_min_epu32(_mm512_add_epi32(magnitude, relative), worst);
    const __mmask16 above = _mm512_cmpgt_epi32_mask(d, bound);
    return _kortestz_mask16_u8(above, above) == 0;
  }
  static void inverseUlps(Halves r, UlpScale scale, F64& a, F64& b) {
    const __m512i exponent = _mm512_and_si512(r, _mm512_set1_epi32(kExponentUpper));
    const __m512i field = _mm512_sub_epi32(
        _mm512_set1_epi32(static_cast<int>(scale.base >> 32)),
        _mm512_max_epi32(exponent, _mm512_set1_epi32(static_cast<int>(scale.smallest >> 32))));
    a = _mm512_castsi512_pd(_mm512_unpacklo_epi32(_mm512_setzero_si512(), field));
    b = _mm512_castsi512_pd(_mm512_unpackhi_epi32(_mm512_setzero_si512(), field));
  }
  static void slots(std::uint32_t* out, Halves d) {
    const __m512i fine = _mm512_srli_epi32(d, kBinShift - 32 - kBinCountersLog2);
    const __m512i slot = _mm512_and_si512(fine, _mm512_set1_epi32(-static_cast<int>(kBinCounters)));
    _mm512_store_si512(out, _mm512_max_epi32(slot, _mm512_load_si512(kLowestSlots.of)));
  }
  static void wideSlots(std::uint32_t* out, F64 a, F64 b) {
    const __m512i slots = _mm512_inserti32x8(_mm512_castsi256_si512(wideSlots(a)), wideSlots(b), 1);
    _mm512_store_si512(out, _mm512_max_epi32(slots, _mm512_load_si512(kLowestSlots.of)));
  }

 private:
  static __m128i loadHalves(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }
  static __mmask8 nonZero(F64 a) { return _mm512_cmp_pd_mask(a, _mm512_setzero_pd(), _CMP_NEQ_UQ); }
  static F64 bits(std::int64_t pattern) { return _mm512_castsi512_pd(_mm512_set1_epi64(pattern)); }

  static __m512i scaleField(F64 r, UlpScale scale) {
    const __m512i exponent =
        _mm512_and_si512(_mm512_castpd_si512(r), _mm512_set1_epi64(kExponentField));
    const __m512i smallest = _mm512_set1_epi64(static_cast<std::int64_t>(scale.smallest));
    return _mm512_sub_epi64(_mm512_set1_epi64(static_cast<std::int64_t>(scale.base)),
                            _mm512_max_epi32(exponent, smallest));
  }

  static __m256i wideSlots(F64 magnitude) {
    const __m512i pattern = _mm512_castpd_si512(magnitude);
    const __m512i raw = _mm512_srli_epi64(pattern, kBinShift);
    const __m512i inside = _mm512_min_epu64(_mm512_max_epu64(raw, _mm512_set1_epi64(kZeroBin + 1)),
                                            _mm512_set1_epi64(kLastBin));
    const __mmask8 positive = _mm512_test_epi64_mask(pattern, pattern);
    return _mm512_cvtepi64_epi32(_mm512_maskz_slli_epi64(positive, inside, kBinCountersLog2));
  }
};

constexpr KernelSet kKernels = makeKernelSet<Avx512>("AVX-512");

}  // namespace

const KernelSet& avx512Kernels() {
  return kKernels;
}

}  // namespace ulp::numerics::detail
