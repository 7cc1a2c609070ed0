#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/mapped_file.h"
#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::tensors {

/// A tensor of a file, before it is read.
struct TensorInfo {
  std::string name;
  std::vector<std::int64_t> shape;
  DType dtype = DType::Float32;  ///< what read() gives; quantised formats give float32
  std::string storedAs;          ///< the file's own name of the format: "BF16", "Q4_1", "<f4", …
};

class TensorParts;

/// Elements with their owner: a mapped file or a buffer. Copying shares.
struct Tensor {
  numerics::TensorView view;
  std::shared_ptr<const void> owner;
  /// Where the elements lie in a mapped file as they are; null: in memory, or not known.
  std::shared_ptr<const MappedFile> file = nullptr;
  /// Brings elements that lie elsewhere to where the view shows them (tensor_parts.h); null: all
  /// are there. Only who asks for parts is given such a tensor (CaptureReader::look()).
  std::shared_ptr<const TensorParts> parts = nullptr;
};

/// Whether what was read of `tensor` may be believed; to be asked after reading. Errors: those of
/// MappedFile::checkIntact() and TensorParts::problem().
[[nodiscard]] Result<> checkIntact(const Tensor& tensor);
/// Checks all that was read of a file; null stands for memory, which stays what it is.
[[nodiscard]] Result<> checkIntact(const MappedFile* file);

// For those who walk through tensors of mapped files: with these two, reading overlaps with
// computing and memory stays small. Both leave tensors in memory alone, and ignore elements beyond
// the last.

/// Elements from `first` on will be read soon: starts to bring them from the disk, and returns.
void readAhead(const Tensor& tensor, std::size_t first, std::size_t count);

/// Elements from `first` on have been read: their pages leave the memory of this process. Reading
/// them again brings them back.
void giveBack(const Tensor& tensor, std::size_t first, std::size_t count);

/// Named tensors of one source. Opening reads only the header; read() maps where the stored format
/// is one that TensorView can show, and decodes into a buffer of its own otherwise. Thread-safe.
class TensorArchive : public Interface {
 public:
  /// Lists the tensors in the order of the file.
  [[nodiscard]] virtual const std::vector<TensorInfo>& tensors() const = 0;
  /// Errors: NotFound (with the nearest name), CorruptData, Unsupported, Io.
  [[nodiscard]] virtual Result<Tensor> read(std::string_view name) const = 0;
  [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
};

using TensorArchivePtr = std::shared_ptr<const TensorArchive>;

}  // namespace ulp::tensors
