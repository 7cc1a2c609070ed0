#include "core/numerics/comparison_kernels.h"

#ifdef ULP_X86_KERNELS
#include <cpuid.h>
#endif

namespace ulp::numerics::detail {
namespace {

#ifdef ULP_X86_KERNELS
/// Conversion of float16, which __builtin_cpu_supports does not know in every compiler.
bool hasF16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

bool hasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && hasF16c();
}

bool hasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace

std::vector<const KernelSet*> availableKernels() {
  std::vector<const KernelSet*> sets;
#ifdef ULP_X86_KERNELS
  if (hasAvx2() && hasAvx512()) {
    sets.push_back(&avx512Kernels());
  }
  if (hasAvx2()) {
    sets.push_back(&avx2Kernels());
  }
#endif
  sets.push_back(&portableKernels());
  return sets;
}

}  // namespace ulp::numerics::detail
