#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {

/// Bytes of JSON; a larger header is refused by every reader.
inline constexpr std::uint64_t kLargestSafetensorsHeader = 100'000'000;

/// Error: Unsupported for types of the format that we cannot show, CorruptData for unknown ones;
/// both without file and tensor.
[[nodiscard]] Result<const StoredType*> findSafetensorsType(std::string_view name);

/// One entry of the header, as far as JSON goes; nothing about sizes is checked yet.
struct SafetensorsEntry {
  std::string name;
  std::string type;
  std::vector<std::int64_t> shape;
  std::array<std::uint64_t, 2> offsets{};  ///< relative to the data section
};

/// Entries in the order of the JSON text. `json` starts at byte 8 of the file.
[[nodiscard]] Result<std::vector<SafetensorsEntry>> parseSafetensorsHeader(const ByteSource& source,
                                                                           std::string_view header);

}  // namespace ulp::tensors
