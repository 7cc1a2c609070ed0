#include "core/numerics/kernels/kernel_body.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::numerics::detail {
namespace {

/// Vectors of the compiler (GCC, Clang) of 16 bytes, which every target in use has, and operations
/// that these targets have for them.
struct Portable {
  using Doubles [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
  using Words [[gnu::vector_size(16)]] = std::uint32_t;
  /// Exponent fields, whose differences may wrap around.
  using Fields [[gnu::vector_size(16)]] = std::uint64_t;

  struct F64 {
    Doubles parts[4];
  };
  struct Halves {
    Words parts[4];
  };

  static F64 load(Float32, const std::byte* p) {
    float floats[kLanes];
    __builtin_memcpy(floats, p, sizeof(floats));
    return each([&](std::size_t i) { return Doubles{floats[2 * i], floats[2 * i + 1]}; });
  }
  static F64 load(BFloat16, const std::byte* p) { return loadHalves<decodeBFloat16>(p); }
  static F64 load(Float16, const std::byte* p) { return loadHalves<decodeFloat16>(p); }
  static F64 load(Float64, const std::byte* p) {
    F64 value{};
    __builtin_memcpy(&value, p, sizeof(value));
    return value;
  }
  static F64 loadDoubles(const double* p) {
    return load(Float64{}, reinterpret_cast<const std::byte*>(p));
  }
  static void store(double* p, F64 a) { __builtin_memcpy(p, &a, sizeof(a)); }
  static F64 broadcast(double a) {
    return each([&](std::size_t) { return both(a); });
  }
  static Halves broadcastHalf(std::uint32_t a) {
    const Words all = Words{} + a;
    return {{all, all, all, all}};
  }

  static F64 add(F64 a, F64 b) {
    return each([&](std::size_t i) { return a.parts[i] + b.parts[i]; });
  }
  static F64 sub(F64 a, F64 b) {
    return each([&](std::size_t i) { return a.parts[i] - b.parts[i]; });
  }
  static F64 mul(F64 a, F64 b) {
    return each([&](std::size_t i) { return a.parts[i] * b.parts[i]; });
  }
  /// Fused in software where the CPU cannot, for the sake of the last bit.
  static F64 addProduct(F64 a, F64 b, F64 sum) {
    return each([&](std::size_t i) {
      return Doubles{__builtin_fma(a.parts[i][0], b.parts[i][0], sum.parts[i][0]),
                     __builtin_fma(a.parts[i][1], b.parts[i][1], sum.parts[i][1])};
    });
  }
  static F64 addExactProduct(F64 a, F64 b, F64 sum) { return add(sum, mul(a, b)); }
  static F64 max(F64 a, F64 b) {
    return each([&](std::size_t i) { return larger(a.parts[i], b.parts[i]); });
  }
  static F64 magnitude(F64 a) {
    return each([&](std::size_t i) { return fromBits(bits(a.parts[i]) & kMagnitude); });
  }
  static double largest(F64 a) {
    const Doubles two = larger(larger(a.parts[0], a.parts[1]), larger(a.parts[2], a.parts[3]));
    return two[0] > two[1] ? two[0] : two[1];
  }

  static F64 bound(F64 r, F64 relative, F64 worst) {
    const F64 positive = magnitude(relative);
    return each([&](std::size_t i) {
      const Bits counts = (r.parts[i] != 0) & (positive.parts[i] < worst.parts[i]);
      return fromBits((bits(positive.parts[i]) & counts) | (bits(worst.parts[i]) & ~counts));
    });
  }
  static F64 wideBound(F64 r, F64 relative, F64 worst) {
    const F64 positive = magnitude(relative);
    // A comparison that holds is -1.
    const F64 below = each([&](std::size_t i) {
      return fromBits(bits(positive.parts[i]) + (positive.parts[i] != 0));
    });
    return bound(r, below, worst);
  }
  static bool anyBeyond(F64 a, F64 boundA, F64 b, F64 boundB) {
    Bits inside = (a.parts[0] <= boundA.parts[0]) & (b.parts[0] <= boundB.parts[0]);
    for (std::size_t i = 1; i < 4; ++i) {
      inside &= (a.parts[i] <= boundA.parts[i]) & (b.parts[i] <= boundB.parts[i]);
    }
    return (inside[0] & inside[1]) == 0;
  }

  static F64 wideUlps(F64 magnitude, F64 r, UlpScale scale) {
    return each([&](std::size_t i) {
      const Fields field = scaleField(r.parts[i], scale) + std::uint64_t{kUnitExponent};
      const Fields first = (field >> 1) & std::uint64_t{kExponentField};
      return magnitude.parts[i] * reinterpret_cast<Doubles>(first) *
             reinterpret_cast<Doubles>(field - first);
    });
  }

  static Halves upperHalves(F64 a, F64 b) {
    return {{upperHalves(a.parts[0], a.parts[1]),
             upperHalves(a.parts[2], a.parts[3]),
             upperHalves(b.parts[0], b.parts[1]),
             upperHalves(b.parts[2], b.parts[3])}};
  }
  /// Whether any d is above min(r + relative, worst), unsigned.
  static bool anyAbove(Halves d, Halves r, Halves relative, Halves worst) {
    Words above = {};
    for (std::size_t i = 0; i < 4; ++i) {
      const Words sum = (r.parts[i] & kMagnitudeUpper) + relative.parts[i];
      above |= (d.parts[i] > sum) | (d.parts[i] > worst.parts[i]);
    }
    return (above[0] | above[1] | above[2] | above[3]) != 0;
  }
  static void inverseUlps(Halves r, UlpScale scale, F64& a, F64& b) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Words exponent = r.parts[i] & kExponentUpper;
      const auto smallest = static_cast<std::uint32_t>(scale.smallest >> 32);
      const Words field = static_cast<std::uint32_t>(scale.base >> 32) -
                          (exponent > smallest ? exponent : Words{} + smallest);
      Doubles* const out = i < 2 ? a.parts + 2 * i : b.parts + 2 * (i - 2);
      out[0] = reinterpret_cast<Doubles>(__builtin_shufflevector(Words{}, field, 0, 4, 1, 5));
      out[1] = reinterpret_cast<Doubles>(__builtin_shufflevector(Words{}, field, 2, 6, 3, 7));
    }
  }
  static void slots(std::uint32_t* out, Halves d) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Words slot = d.parts[i] >> (kBinShift - 32) << kBinCountersLog2;
      Words lowest;
      __builtin_memcpy(&lowest, kLowestSlots.of + 4 * i, sizeof(lowest));
      const Words inside = slot > lowest ? slot : lowest;
      __builtin_memcpy(out + 4 * i, &inside, sizeof(inside));
    }
  }
  static void wideSlots(std::uint32_t* out, F64 a, F64 b) {
    storeSlots(out, clamped(a), kLowestSlots.of);
    storeSlots(out + kLanes, clamped(b), kLowestSlots.of + kLanes);
  }

 private:
  template <class Part>
  static F64 each(Part part) {
    return {{part(0), part(1), part(2), part(3)}};
  }
  static Doubles both(double a) { return Doubles{a, a}; }
  static Bits bits(Doubles a) { return reinterpret_cast<Bits>(a); }
  static Doubles fromBits(Bits a) { return reinterpret_cast<Doubles>(a); }
  static Doubles larger(Doubles a, Doubles b) { return a > b ? a : b; }
  /// The smallest double of a raw bin.
  static double edge(std::uint64_t raw) { return __builtin_bit_cast(double, raw << kBinShift); }

  static Words upperHalves(Doubles a, Doubles b) {
    return __builtin_shufflevector(
        reinterpret_cast<Words>(a), reinterpret_cast<Words>(b), 1, 3, 5, 7);
  }

  template <float (*kDecode)(std::uint16_t)>
  static F64 loadHalves(const std::byte* p) {
    std::uint16_t halves[kLanes];
    __builtin_memcpy(halves, p, sizeof(halves));
    return each([&](std::size_t i) {
      return Doubles{kDecode(halves[2 * i]), kDecode(halves[2 * i + 1])};
    });
  }

  static Fields scaleField(Doubles r, UlpScale scale) {
    // Positive doubles are ordered as their bits are.
    const Doubles exponent = fromBits(bits(r) & kExponentField);
    const Doubles smallest = both(__builtin_bit_cast(double, scale.smallest));
    return scale.base - reinterpret_cast<Fields>(larger(exponent, smallest));
  }

  /// Into the range of the histogram; zeros stay.
  static F64 clamped(F64 magnitude) {
    return each([&](std::size_t i) {
      const Doubles value = magnitude.parts[i];
      const Doubles inside = larger(value, both(edge(kZeroBin + 1)));
      const Doubles highest = both(edge(kLastBin));
      return value != 0 ? (inside < highest ? inside : highest) : value;
    });
  }
  static void storeSlots(std::uint32_t* out, F64 values, const std::uint32_t* lowest) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double value = values.parts[i / 2][i % 2];
      const auto bin =
          static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, value) >> kBinShift);
      const std::uint32_t slot = bin << kBinCountersLog2;
      out[i] = slot > lowest[i] ? slot : lowest[i];
    }
  }
};

constexpr KernelSet kKernels = makeKernelSet<Portable>("portable");

}  // namespace

const KernelSet& portableKernels() {
  return kKernels;
}

}  // namespace ulp::numerics::detail
