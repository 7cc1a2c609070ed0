#include "core/numerics/instruction_sets.h"

#ifdef ULP_X86_KERNELS
#include <cpuid.h>

namespace ulp::numerics::detail {
namespace {

/// Conversion of float16, which __builtin_cpu_supports does not know in every compiler.
bool hasF16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

}  // namespace

bool hasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && hasF16c();
}

bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

}  // namespace ulp::numerics::detail
#endif
