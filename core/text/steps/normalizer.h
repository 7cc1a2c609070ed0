#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/text/characters/aligned_text.h"
#include "core/text/characters/regex.h"
#include "core/text/characters/unicode.h"

namespace ulp::text {

/// First step of a tokenizer: brings a text into the form that the vocabulary knows. Named as in
/// `tokenizers.normalizers`.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Errors: Unsupported (a pattern backtracks beyond its limit), Internal.
  [[nodiscard]] virtual Result<AlignedText> apply(const AlignedText& text) const = 0;

 protected:
  Normalizer() = default;
  Normalizer(const Normalizer&) = default;
  Normalizer& operator=(const Normalizer&) = default;
};

using NormalizerPtr = std::unique_ptr<const Normalizer>;

struct BertCleaning {
  bool cleanText = true;
  bool handleChineseCharacters = true;
  bool stripAccents = true;
  bool lowercase = true;
};

[[nodiscard]] NormalizerPtr makeNormalForm(NormalForm form);
[[nodiscard]] NormalizerPtr makeLowercase();
[[nodiscard]] NormalizerPtr makeStripAccents();  ///< removes all marks
[[nodiscard]] NormalizerPtr makeStrip(bool left, bool right);
[[nodiscard]] NormalizerPtr makePrepend(std::string prefix);  ///< to a text that is not empty
[[nodiscard]] NormalizerPtr makeReplace(Regex pattern, std::string content);
[[nodiscard]] NormalizerPtr makeByteLevelNormalizer();
[[nodiscard]] NormalizerPtr makeNmt();
[[nodiscard]] NormalizerPtr makeBert(const BertCleaning& cleaning);
[[nodiscard]] NormalizerPtr makeNormalizers(std::vector<NormalizerPtr> parts);  ///< one by one

/// sentencepiece's table of replacements, `precompiled_charsmap` (not in base64). Errors:
/// CorruptData.
[[nodiscard]] Result<NormalizerPtr> makePrecompiled(std::string_view table);

/// Writes every byte as byteCharacter() does.
[[nodiscard]] AlignedText spelledInBytes(const AlignedText& text);

}  // namespace ulp::text
