#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulp::text {

/// The printable characters that byte-level vocabularies (GPT-2) write bytes with: ASCII and
/// Latin-1 as themselves where they can be seen, the others from U+0100 on ("Ġ" is the space).
[[nodiscard]] std::string_view byteCharacter(unsigned char byte);

/// The bytes that `spelling` stands for, or nothing when a character is not of that alphabet.
[[nodiscard]] std::optional<std::string> bytesOfSpelling(std::string_view spelling);

[[nodiscard]] std::string spellingOfBytes(std::string_view bytes);

}  // namespace ulp::text
