#pragma once

#include <string>
#include <string_view>

namespace ulp::text {

/// How a vocabulary writes bytes, as the tokenizer's decoder undoes it.
struct Speller {
  bool isByteLevel = false;      ///< with byteCharacter()
  bool hasByteTokens = false;    ///< "<0x0A>" is a byte
  std::string space;             ///< what stands for a space ("▁"); empty: itself
  std::string wordEnd;           ///< stands for a space behind ("</w>")
  std::string continuingPrefix;  ///< tokens without it begin a word ("##"); empty: none
  bool dropsFirstSpace = false;

  [[nodiscard]] std::string bytesOf(std::string_view spelling) const;
};

}  // namespace ulp::text
