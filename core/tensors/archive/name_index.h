#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// A name from a file, fit for a message: quoted, at most 120 bytes, control characters and
/// broken UTF-8 replaced.
[[nodiscard]] std::string quotedName(std::string_view name);

[[nodiscard]] bool isUtf8(std::string_view text);

/// The name with the smallest edit distance; empty when `tensors` is empty.
[[nodiscard]] std::string_view nearestName(std::string_view name,
                                           std::span<const TensorInfo> tensors);

/// Finds tensors of an archive by name. Refers to the names in `tensors`, which must outlive it and
/// not move.
class NameIndex {
 public:
  NameIndex() = default;
  explicit NameIndex(std::span<const TensorInfo> tensors);

  /// Error: NotFound with the nearest name.
  [[nodiscard]] Result<std::size_t> find(const std::filesystem::path& path,
                                         std::string_view name) const;

 private:
  std::span<const TensorInfo> m_tensors;
  std::unordered_map<std::string_view, std::size_t> m_positions;
};

/// Reads the tensor at a position of a list. Thread-safe.
using ReadListed = std::function<Result<Tensor>(const TensorInfo& info, std::size_t position)>;

/// Makes an archive of the tensors of a list, which are found by their names.
[[nodiscard]] TensorArchivePtr makeArchive(std::filesystem::path path,
                                           std::vector<TensorInfo> tensors,
                                           ReadListed read);

}  // namespace ulp::tensors
