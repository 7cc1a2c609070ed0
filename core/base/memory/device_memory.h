#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ulp {

/// What a run takes of the memory of a CUDA device, in bytes, when it takes most.
struct MemoryParts {
  std::uint64_t weights = 0;      ///< as they are cast
  std::uint64_t gradients = 0;    ///< of the weights
  std::uint64_t activations = 0;  ///< that the backward pass needs, else those of one layer
  std::uint64_t captures = 0;     ///< the reference's, and those of the run that nothing else holds
  std::uint64_t workspace = 0;    ///< what operations need while they run

  [[nodiscard]] std::uint64_t total() const {
    return weights + gradients + activations + captures + workspace;
  }
};

/// "13.4 GiB (weights 2.3 GiB, gradients 2.3 GiB, captures 5.2 GiB)", what is nothing left out.
[[nodiscard]] std::string describe(const MemoryParts& parts);

/// What LibTorch had given out on the device in a run, in bytes; what CUDA and its libraries keep
/// for themselves comes on top. Weights that stay there beside the cast ones are not counted.
struct DeviceMemory {
  std::optional<MemoryParts> planned{};  ///< nothing: nobody could tell before
  std::uint64_t free = 0;         ///< that LibTorch had or could get, beside what stays from before
  std::uint64_t begin = 0;        ///< as the passes began
  std::uint64_t forward = 0;      ///< as the last forward pass ended
  std::uint64_t backward = 0;     ///< as the last backward pass ended
  std::uint64_t forwardPeak = 0;  ///< most of all so far
  std::uint64_t backwardPeak = 0;  ///< most of all so far
  std::uint64_t captures = 0;      ///< the reference's tensors, as the run ended
  std::uint64_t reserved = 0;      ///< most that LibTorch had taken from the driver
};

}  // namespace ulp
