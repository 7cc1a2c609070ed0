#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/tensors/archive/tensor_archive.h"

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

/// A captured tensor on disk.
struct StoredCapture {
  std::string run;
  Site site;
  DType dtype = DType::Float32;
  std::vector<std::int64_t> shape;  ///< of the tensor as it was in the run
  std::uint64_t sampleStride = 1;   ///< 1: all elements are stored
};

/// Reads what CaptureWriter wrote. Opening reads the index only; elements are shown where they lie
/// in the file. Thread-safe.
class CaptureReader : public Interface {
 public:
  /// `path`: the run folder or its tensors.h5. Errors: NotFound, CorruptData, Io.
  [[nodiscard]] static Result<std::shared_ptr<const CaptureReader>> open(
      const std::filesystem::path& path);

  /// Lists the captures by the names of the runs, each run in the order in which it was written.
  [[nodiscard]] virtual const std::vector<StoredCapture>& captures() const = 0;
  /// One error for each run that cannot be read (its file is missing or damaged); the captures of
  /// the others are there.
  [[nodiscard]] virtual const std::vector<Error>& problems() const = 0;
  /// The stored elements: the tensor, or for a subsample a flat array. Errors: NotFound (no such
  /// capture), CorruptData, OutOfMemory.
  [[nodiscard]] virtual Result<Tensor> read(const StoredCapture& capture) const = 0;
};

}  // namespace ulp::tensors
