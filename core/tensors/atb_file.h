#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/byte_source.h"
#include "core/tensors/tensor_archive.h"

namespace ulp::tensors {

/// The text in front of a tensor that Ascend's transformer boost (ATB) dumped.
struct AtbHeader {
  int format = 2;  ///< 2: ND, 29: FRACTAL_NZ, …
  int dtype = -1;  ///< 0: float32, 27: bfloat16, …
  std::vector<std::int64_t> shape;
  std::uint64_t length = 0;                    ///< bytes of the elements
  std::uint64_t offset = 0;                    ///< of the first element, in the file
  std::optional<double> max, min, mean, norm;  ///< where statistics were dumped; norm is L2
  std::string sameAs;  ///< another file that holds the elements; empty: this one
  bool hasElements = false;

  /// torch's name of the element type, "float32"; "ATB type 29 (int4)" for others.
  [[nodiscard]] std::string typeName() const;
};

/// An ATB .bin file as an archive of one tensor called "". Only as many bytes as the header says
/// are read, since the dumper appends to files that exist. Elements are mapped; those of a file
/// that the header names instead are read from there, beside this one. Errors of read():
/// Unsupported (fractal formats and types without a DType of ours, by name), NotFound (statistics
/// alone, or the other file is missing), CorruptData. Thread-safe.
class AtbFile : public TensorArchive {
 public:
  /// Errors: NotFound, Io, CorruptData (`file: line N: what`).
  [[nodiscard]] static Result<std::shared_ptr<const AtbFile>> open(
      const std::filesystem::path& path);
  [[nodiscard]] static Result<std::shared_ptr<const AtbFile>> parse(ByteSource source);

  [[nodiscard]] virtual const AtbHeader& header() const = 0;
};

/// As an AtbFile.
[[nodiscard]] Result<TensorArchivePtr> openAtbFile(const std::filesystem::path& path);
[[nodiscard]] Result<TensorArchivePtr> parseAtbFile(ByteSource source);
[[nodiscard]] Result<Tensor> readAtbTensor(const std::filesystem::path& path);

}  // namespace ulp::tensors
