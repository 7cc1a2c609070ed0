#include "core/numerics/kernels/quantize_body.h"

namespace ulp::numerics::detail {

const QuantizeKernels& avx2QuantizeKernels() {
  static constexpr QuantizeKernels kKernels{"avx2", quantizeRow<float>, quantizeRow<double>};
  return kKernels;
}

}  // namespace ulp::numerics::detail
