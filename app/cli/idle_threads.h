#pragma once

namespace ulp::cli {

/// Makes LibTorch's threads sleep once they have waited for work for a millisecond or two. By
/// default they spin ten times as long, which takes the processor from whatever else runs on the
/// machine, and from each other. A number that the user has chosen (GOMP_SPINCOUNT,
/// OMP_WAIT_POLICY) stays. To be called before the process has a second thread and before
/// loadEngine(): OpenMP looks once, when it is loaded.
void limitIdleSpinning();

}  // namespace ulp::cli
