#pragma once

/// What the running CPU can execute, and the build has kernels for.
namespace ulp::numerics::detail {

#ifdef ULP_X86_KERNELS
/// AVX2, FMA and the conversion of float16.
[[nodiscard]] bool hasAvx2();
/// AVX-512 F, BW, DQ and VL, beside all of hasAvx2().
[[nodiscard]] bool hasAvx512();
#endif

}  // namespace ulp::numerics::detail
