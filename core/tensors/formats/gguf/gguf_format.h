#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/dtype.h"
#include "core/base/result.h"

namespace ulp::tensors {

/// A tensor format of GGUF: `blockElements` elements are stored in `blockBytes` bytes.
struct GgufFormat {
  using Decode = void (*)(const std::byte* blocks, float* elements, std::size_t blockCount);

  std::uint32_t id;
  std::string_view name;
  std::size_t blockElements;
  std::size_t blockBytes;
  std::optional<DType> plain;  ///< set where the elements are stored as a DType of ours
  Decode decode;               ///< null where blocks of this format are not read
};

/// Null for a number that the format does not define.
[[nodiscard]] const GgufFormat* findGgufFormat(std::uint32_t id);
[[nodiscard]] const GgufFormat* findGgufFormat(std::string_view name);

/// Decodes whole blocks with all processors. `format.decode` is set, `blocks` holds
/// elements.size() / blockElements blocks. Errors: Internal when no thread can be started,
/// Cancelled.
[[nodiscard]] Result<> decodeBlocks(const GgufFormat& format,
                                    std::span<const std::byte> blocks,
                                    std::span<float> elements);

}  // namespace ulp::tensors
