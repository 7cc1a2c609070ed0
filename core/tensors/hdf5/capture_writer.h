#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/numerics/tensor_view.h"

namespace ulp::tensors {

/// Writes the captured tensors of a study to `folder`/tensors.h5, layout of DESIGN section 5:
/// /runs/<run>/<pass>/<row path> with attributes name, module, layer, level, dtype. Each run is
/// written to a file of its own (tensors/<run>.h5) and linked into tensors.h5 when it is complete,
/// so that a killed process never damages the runs before it. Any HDF5 reader follows the links.
/// Not thread-safe.
class CaptureWriter : public Interface {
 public:
  /// Complete runs that the folder holds already stay. Errors: Io (no space, no permission) with
  /// the path, CorruptData (a file among them that is no run).
  [[nodiscard]] static Result<std::unique_ptr<CaptureWriter>> create(
      const std::filesystem::path& folder);

  /// Starts (again) a run; what an unfinished earlier attempt left is dropped, a complete one stays
  /// until finishRun(). Any name that is UTF-8 and not empty will do. Errors: InvalidArgument, Io.
  [[nodiscard]] virtual Result<> beginRun(std::string_view run) = 0;
  /// Stores all elements, or with `sampleLimit` > 0 and a larger tensor an even subsample of at
  /// most `sampleLimit` elements as a flat array, with the attributes full_shape and sample_stride
  /// (a stride that shares no factor with any dimension, so that every channel is seen). After Io
  /// the run is abandoned and its space given back; InvalidArgument (stored before, a name with
  /// '/') changes nothing.
  [[nodiscard]] virtual Result<> put(const Site& site,
                                     const numerics::TensorView& tensor,
                                     std::uint64_t sampleLimit) = 0;
  [[nodiscard]] virtual Result<> finishRun() = 0;
};

}  // namespace ulp::tensors
