#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// The text in front of a tensor that Ascend's transformer boost (ATB) dumped.
struct AtbHeader {
  int format = 2;                              ///< 2: ND, 29: FRACTAL_NZ, …
  int dtype = -1;                              ///< 0: float32, 27: bfloat16, …
  std::vector<std::int64_t> shape;             ///< as the file says it
  std::uint64_t length = 0;                    ///< bytes of the elements
  std::uint64_t offset = 0;                    ///< of the first element, in the file
  std::optional<double> max, min, mean, norm;  ///< where statistics were dumped; norm is L2
  std::string sameAs;  ///< another file that holds the elements; empty: this one
  bool hasElements = false;

  /// "float32", "int4"; "ATB type 38 (float6_e3m2)" for what is not read.
  [[nodiscard]] std::string typeName() const;
};

/// An ATB .bin file as an archive of one tensor called "". Only as many bytes as the header says
/// are read, since the dumper appends to files that exist. Elements are mapped, or decoded where no
/// DType of ours holds them (decodeAtb()); complex numbers have a last dimension of 2 more than the
/// header says. Those of a file that the header names instead are read from there, beside this one.
/// Errors of read(): Unsupported (fractal formats, texts and float6, by name), NotFound (statistics
/// alone, or the other file is missing), CorruptData. Thread-safe.
class AtbFile : public TensorArchive {
 public:
  /// Errors: NotFound, Io, CorruptData (`file: line N: what`).
  [[nodiscard]] static Result<std::shared_ptr<const AtbFile>> open(
      const std::filesystem::path& path);
  [[nodiscard]] static Result<std::shared_ptr<const AtbFile>> parse(ByteSource source);

  [[nodiscard]] virtual const AtbHeader& header() const = 0;
};

[[nodiscard]] Result<Tensor> readAtbTensor(const std::filesystem::path& path);

}  // namespace ulp::tensors
