#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::tensors {

/// The dictionary in front of an .npy file.
struct NpyHeader {
  std::string descr;  ///< "<f4", "|b1", …
  bool fortranOrder = false;
  std::vector<std::int64_t> shape;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`. On failure `problem` says
/// what is wrong and nothing is returned.
[[nodiscard]] std::optional<NpyHeader> parseNpyHeader(std::string_view text, std::string& problem);

}  // namespace ulp::tensors
