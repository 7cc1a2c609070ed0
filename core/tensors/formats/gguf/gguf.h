#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/tensor_archive.h"
#include "core/tensors/formats/gguf/gguf_format.h"

namespace ulp::tensors {

/// Types of metadata values, numbered as in the file.
enum class GgufType : std::uint32_t {
  UInt8,
  Int8,
  UInt16,
  Int16,
  UInt32,
  Int32,
  Float32,
  Bool,
  String,
  Array,
  UInt64,
  Int64,
  Float64
};

/// A list that stays in the file until it is asked for; its bounds are checked.
struct GgufArray {
  GgufType elementType = GgufType::UInt8;
  std::uint64_t count = 0;
  std::span<const std::byte> bytes;
};

/// Unsigned, signed and floating types of every width, a truth value, a text (in the file), a list.
using GgufValue =
    std::variant<std::uint64_t, std::int64_t, double, bool, std::string_view, GgufArray>;

struct GgufEntry {
  std::string_view key;
  GgufType type = GgufType::UInt8;
  GgufValue value;
};

/// A GGUF file, version 2 or 3, little-endian. Shapes are row-major as torch has them (the file
/// counts dimensions from the innermost). F32, F16, BF16, F64 and the integers are shown where they
/// lie; Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 and Q2_K … Q6_K are decoded to float32 by all threads, bit for
/// bit as `gguf.quants.dequantize` of the Python package does. Other block formats are listed, and
/// read() of them is Unsupported. No tensor is permuted (see llama_in_gguf.h).
class GgufFile final : public TensorArchive {
 public:
  /// Errors: NotFound, Io, CorruptData with file and place (also where the file was changed
  /// meanwhile), Unsupported (version, byte order).
  [[nodiscard]] static Result<std::shared_ptr<const GgufFile>> open(
      const std::filesystem::path& path);
  [[nodiscard]] static Result<std::shared_ptr<const GgufFile>> parse(const ByteSource& source);

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] Result<Tensor> read(std::string_view name) const override;
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }

  [[nodiscard]] std::uint32_t version() const { return m_version; }
  /// Gives the metadata in the order of the file; keys, texts and lists live as long as this
  /// object.
  [[nodiscard]] const std::vector<GgufEntry>& metadata() const { return m_metadata; }
  /// Null where the key does not occur.
  [[nodiscard]] const GgufEntry* find(std::string_view key) const;

  /// Errors of all below: NotFound (no such key), CorruptData (of another type or out of range).
  [[nodiscard]] Result<std::int64_t> integer(std::string_view key) const;
  /// Integers are accepted as well.
  [[nodiscard]] Result<double> real(std::string_view key) const;
  [[nodiscard]] Result<bool> flag(std::string_view key) const;
  [[nodiscard]] Result<std::string_view> text(std::string_view key) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(std::string_view key) const;
  [[nodiscard]] Result<std::vector<double>> reals(std::string_view key) const;
  [[nodiscard]] Result<std::vector<std::string_view>> texts(std::string_view key) const;

 private:
  friend class GgufParser;
  struct Stored {
    const GgufFormat* format;
    std::size_t offset;  ///< in the file
    std::size_t sizeBytes;
  };

  explicit GgufFile(ByteSource source) : m_source(std::move(source)) {}
  [[nodiscard]] Result<const GgufEntry*> require(std::string_view key) const;
  [[nodiscard]] tl::unexpected<Error> wrongType(std::string_view key,
                                                std::string_view wanted) const;
  template <class Value, class Accept>
  [[nodiscard]] Result<std::vector<Value>> list(std::string_view key,
                                                std::string_view wanted,
                                                const Accept& accept) const;

  ByteSource m_source;
  std::uint32_t m_version = 0;
  std::vector<GgufEntry> m_metadata;
  std::vector<TensorInfo> m_infos;
  std::vector<Stored> m_stored;
  NameIndex m_index;
};

}  // namespace ulp::tensors
