#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

enum class TorchKind : std::uint8_t {
  None,
  Bool,
  Integer,
  Real,
  Text,  ///< also element types ("float32") and dictionary keys of other kinds
  Bytes,
  Tensor,
  List,  ///< also tuples, sets and torch.Size
  Dict,
  Other  ///< a value that is not read: a device, a complex number
};

/// What torch.save kept, as a tree. Texts belong to the file.
struct TorchValue {
  TorchKind kind = TorchKind::None;
  std::string_view key{};    ///< in its dict, numbers as text; empty in a list
  std::int64_t integer = 0;  ///< Integer, Bool
  double real = 0;           ///< Real, and Integer rounded
  std::string_view text{};   ///< Text, Bytes
  std::size_t tensor = 0;    ///< Tensor: which of tensors()
  std::vector<TorchValue> items{};

  /// The value of a dict's key; null where there is none.
  [[nodiscard]] const TorchValue* find(std::string_view name) const;
};

/// A file that torch.save of torch 1.6 or later wrote (.pt, .pth, pytorch_model.bin), read as data:
/// no code of it is run, and what it names beside tensors and plain containers is refused. A tensor
/// is called by its path, "model.layers.0.weight" for a key with dots, "steps.0.logits" for
/// nesting, "" where the file is one tensor. Tensors that lie in one piece are mapped, views are
/// gathered, unsigned integers are widened. Types without a DType of ours (complex, quantised,
/// sparse) are listed, and read() says Unsupported. Thread-safe.
class TorchFile : public TensorArchive {
 public:
  /// Errors: NotFound, Io, CorruptData (`file: place: what`), Unsupported (legacy files, globals
  /// that are not known, big-endian), OutOfMemory.
  [[nodiscard]] static Result<std::shared_ptr<const TorchFile>> open(
      const std::filesystem::path& path);
  [[nodiscard]] static Result<std::shared_ptr<const TorchFile>> parse(ByteSource source);

  /// Everything that the file holds, beside the tensors also numbers and texts.
  [[nodiscard]] virtual const TorchValue& root() const = 0;
  /// `position` in tensors(). Errors as of read().
  [[nodiscard]] virtual Result<Tensor> readAt(std::size_t position) const = 0;
};

/// The one tensor of a file. Errors as above, and InvalidArgument where it holds none or several.
[[nodiscard]] Result<Tensor> readTorchTensor(const std::filesystem::path& path);

}  // namespace ulp::tensors
