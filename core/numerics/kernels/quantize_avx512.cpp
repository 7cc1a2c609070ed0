#include "core/numerics/kernels/quantize_body.h"

namespace ulp::numerics::detail {

const QuantizeKernels& avx512QuantizeKernels() {
  static constexpr QuantizeKernels kKernels{"avx512", quantizeRow<float>, quantizeRow<double>};
  return kKernels;
}

}  // namespace ulp::numerics::detail
