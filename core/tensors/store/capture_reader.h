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

/// A captured tensor on disk.
struct StoredCapture {
  std::string run;
  Site site;
  DType dtype = DType::Float32;
  std::vector<std::int64_t> shape;  ///< of the tensor as it was in the run
  std::uint64_t sampleStride = 1;   ///< 1: all elements are stored
};

/// Reads what CaptureWriter wrote, or whoever wrote a file like it: through Hdf5File, so that no
/// file ends this process. Opening starts a program for the index and one for the file of each run;
/// elements are shown where they lie in the file. Thread-safe.
class CaptureReader : public Interface {
 public:
  /// `path`: the run folder, its tensors.h5 or the file of one run. Of the files that tensors.h5
  /// names only those of the folder `tensors` beside it are opened. Errors: those of Hdf5File.
  [[nodiscard]] static Result<std::shared_ptr<const CaptureReader>> open(
      const std::filesystem::path& path);

  /// Lists the captures by the names of the runs, each run in the order in which it was written.
  [[nodiscard]] virtual const std::vector<StoredCapture>& captures() const = 0;
  /// Finds what a run kept of the tensor of this name and pass; null: nothing. It is one of
  /// captures().
  [[nodiscard]] virtual const StoredCapture* find(std::string_view run, const Site& site) const = 0;
  /// One error for each run that cannot be read (its file is missing or damaged); the captures of
  /// the others are there.
  [[nodiscard]] virtual const std::vector<Error>& problems() const = 0;
  /// The stored elements: the tensor, or for a subsample a flat array. Errors: NotFound (no such
  /// capture), those of Hdf5File.
  [[nodiscard]] virtual Result<Tensor> read(const StoredCapture& capture) const = 0;
  /// The same for who looks at a part of it: where the elements are on another machine, they come
  /// as they are asked for (Tensor::parts).
  [[nodiscard]] virtual Result<Tensor> look(const StoredCapture& capture) const {
    return read(capture);
  }
};

}  // namespace ulp::tensors
