#include "core/numerics/comparison/comparison_kernels.h"

#include "core/numerics/instruction_sets.h"

namespace ulp::numerics::detail {

std::vector<const KernelSet*> availableKernels() {
  std::vector<const KernelSet*> sets;
#ifdef ULP_X86_KERNELS
  if (hasAvx512()) {
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
