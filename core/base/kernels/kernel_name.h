#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ulp {

/// Says in a few words what the full name of a kernel of PyTorch, cuBLAS, cuDNN or CUTLASS says:
/// what it does, for which format, with which instruction and tile, and whose it is:
/// "gemm bf16 s16816 128x64 (cublas)", "attention forward (flash)", "elementwise mul bf16". Of
/// other kernels the last part of the function's name. Names alone: nothing is looked up.
[[nodiscard]] std::string shortKernelName(std::string_view full);
/// Those of several kernels, each once, in their order.
[[nodiscard]] std::vector<std::string> shortKernelNames(
    const std::vector<std::string_view>& kernels);

}  // namespace ulp
