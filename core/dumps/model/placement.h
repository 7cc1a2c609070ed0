#pragma once

#include <cstdint>
#include <vector>

namespace ulp::dumps {

/// Where what a rank holds lies in a tensor that several have together: a DTensor of torch, on a
/// mesh of ranks.
struct Placement {
  enum class Kind : std::uint8_t {
    Replicated,
    Shard,
    Sum,      ///< each has a summand
    Mean,     ///< each has one, and the whole is their mean
    Unknown,  ///< put together in a way that we do not know
  };
  /// A dimension of the mesh.
  struct Axis {
    Kind kind = Kind::Replicated;
    std::int64_t dim = 0;      ///< of a Shard: that of the tensor
    bool isInnermost = false;  ///< of a Shard: it was cut after all others along `dim`
    std::int64_t size = 1;     ///< how many ranks lie along it
    std::int64_t coordinate = 0;
  };

  std::vector<Axis> axes{};
  std::vector<std::int64_t> shape{};  ///< of the whole
};

}  // namespace ulp::dumps
