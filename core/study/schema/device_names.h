#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::study {

/// Every CUDA device that there is.
inline constexpr std::string_view kAllCudaDevices = "cuda:all";

/// The devices that a text names: `auto`, `cpu`, `cuda`, `cuda:N` or `cuda:all`, or several of one
/// kind between commas, in brackets or not, over which the runs of a study are shared out; one may
/// stand there twice. `cuda:0+cuda:1` counts as one: several that have the layers of a model in
/// turn, a CPU among them or not. Error: InvalidArgument, with what a device may be called.
[[nodiscard]] Result<std::vector<std::string>> deviceNames(std::string_view text);

/// The first of them; the text itself where it names none.
[[nodiscard]] std::string firstDevice(std::string_view text);

/// Tells whether all devices that a text names are the CPU.
[[nodiscard]] bool areCpus(std::string_view text);

/// Tells whether a text stands for several devices, or may.
[[nodiscard]] bool areSeveralDevices(std::string_view text);

}  // namespace ulp::study
