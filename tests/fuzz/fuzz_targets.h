#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ulp::test {

/// What the fuzzers do with one input; the corpus test does the same with every seed. It ends the
/// process where a reader breaks its promise.
struct FuzzTarget {
  std::string_view name;  ///< of its file below targets/, and of the folder of its seeds in corpus/
  void (*run)(const std::uint8_t* data, std::size_t size) = nullptr;
};

/// Lists a target for each header below targets/ (generated).
[[nodiscard]] std::span<const FuzzTarget> fuzzTargets();

}  // namespace ulp::test
