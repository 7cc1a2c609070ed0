#include "core/numerics/kernels/quantize_body.h"

namespace ulp::numerics::detail {

const QuantizeKernels& portableQuantizeKernels() {
  static constexpr QuantizeKernels kKernels{"portable", quantizeRow<float>, quantizeRow<double>};
  return kKernels;
}

}  // namespace ulp::numerics::detail
