#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::dumps {

/// Dump::checksumKind of the two that msprobe writes, both under the name of md5.
inline constexpr std::string_view kCrc32OfBytes = "crc32 of the bytes";
inline constexpr std::string_view kXorOfBytes = "xor of the bytes";

/// The checksum that a dumper of this kind would have written of the tensor: CRC-32 as eight
/// digits, exclusive or of words of eight bytes (the last one filled up with zeros) as "0x" and
/// sixteen. Both are of the row-major bytes in the tensor's own format. Nothing where the dumper
/// writes none: other kinds, and for the exclusive or scalars and tensors without elements. A
/// mapped file's pages are given back on the way. Errors: those of tensors::checkIntact(),
/// Cancelled.
[[nodiscard]] Result<std::optional<std::string>> checksumOf(std::string_view kind,
                                                            const tensors::Tensor& tensor);

}  // namespace ulp::dumps
